extension Sample {
  /// Five versions of a list of topics: changes that can be inferred, and two that cannot.
  ///
  /// | version | what is new |
  /// |---|---|
  /// | `Model1` | `Topic` with its presenter's name (required) and e-mail address, `TopicList` |
  /// | `Model2` | `Topic.timeBudget`, in minutes: Integer 32, required, default 5 |
  /// | `Model3` | `Topic.content` is called `title`; its renaming identifier stays `content` |
  /// | `Model4` | `Topic.timeBudget` is in seconds, which only its hash modifier, `4`, tells |
  /// | `Model5` | `Member` takes the presenters; `TopicList.topics` is ordered |
  ///
  /// An inferred mapping model leaves minutes in `Model4` and loses the presenters in `Model5`: both require
  /// a mapping model.
  ///
  /// Source: `Docs/Facts/samples.md`, section 2, with the hashes of every version.
  package static let topics = Sample(
    name: "Topics",
    summary: "adds, renames, changes a unit, moves presenters into an entity",
    versions: [
      "Model1": topics1,
      "Model2": topics2,
      "Model3": topics3,
      "Model4": topics4,
      "Model5": topics5,
    ],
    current: "Model5",
    mappings: topicsMappings, policies: topicsPolicies, stages: topicsStages)

  private static let topicsStages = """
    # A custom stage converts minutes to seconds; the presenters are still lost in Model5.
    stage lightweight Model1, Model2, Model3
    stage custom Model3 -> Model4
      will: Topic: require timeBudget < 1000, "\\(title) is already in seconds"
      did: Topic: set timeBudget = timeBudget * 60
    stage lightweight Model5

    """

  private static let topics1 = #"""
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22758" systemVersion="23F79" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="Model1">
        <entity name="Topic" representedClassName="Topic" syncable="YES">
            <attribute name="content" optional="YES" attributeType="String" syncable="YES"/>
            <attribute name="dateCreated" optional="YES" attributeType="Date" usesScalarValueType="NO" syncable="YES"/>
            <attribute name="presenterEmail" optional="YES" attributeType="String" syncable="YES"/>
            <attribute name="presenterName" attributeType="String" syncable="YES"/>
            <relationship name="topicList" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="TopicList" inverseName="topics" inverseEntity="TopicList" syncable="YES"/>
        </entity>
        <entity name="TopicList" representedClassName="TopicList" syncable="YES">
            <attribute name="title" optional="YES" attributeType="String" syncable="YES"/>
            <relationship name="topics" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Topic" inverseName="topicList" inverseEntity="Topic" syncable="YES"/>
        </entity>
    </model>
    """#

  private static let topics2 = #"""
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22758" systemVersion="23F79" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="Model2">
        <entity name="Topic" representedClassName="Topic" syncable="YES">
            <attribute name="content" optional="YES" attributeType="String" syncable="YES"/>
            <attribute name="dateCreated" optional="YES" attributeType="Date" usesScalarValueType="NO" syncable="YES"/>
            <attribute name="presenterEmail" optional="YES" attributeType="String" syncable="YES"/>
            <attribute name="presenterName" attributeType="String" syncable="YES"/>
            <attribute name="timeBudget" attributeType="Integer 32" defaultValueString="5" usesScalarValueType="YES" syncable="YES"/>
            <relationship name="topicList" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="TopicList" inverseName="topics" inverseEntity="TopicList" syncable="YES"/>
        </entity>
        <entity name="TopicList" representedClassName="TopicList" syncable="YES">
            <attribute name="title" optional="YES" attributeType="String" syncable="YES"/>
            <relationship name="topics" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Topic" inverseName="topicList" inverseEntity="Topic" syncable="YES"/>
        </entity>
    </model>
    """#

  private static let topics3 = #"""
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22758" systemVersion="23F79" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="Model3">
        <entity name="Topic" representedClassName="Topic" syncable="YES">
            <attribute name="dateCreated" optional="YES" attributeType="Date" usesScalarValueType="NO" syncable="YES"/>
            <attribute name="presenterEmail" optional="YES" attributeType="String" syncable="YES"/>
            <attribute name="presenterName" attributeType="String" syncable="YES"/>
            <attribute name="timeBudget" attributeType="Integer 32" defaultValueString="5" usesScalarValueType="YES" syncable="YES"/>
            <attribute name="title" optional="YES" attributeType="String" elementID="content" syncable="YES"/>
            <relationship name="topicList" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="TopicList" inverseName="topics" inverseEntity="TopicList" syncable="YES"/>
        </entity>
        <entity name="TopicList" representedClassName="TopicList" syncable="YES">
            <attribute name="title" optional="YES" attributeType="String" syncable="YES"/>
            <relationship name="topics" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Topic" inverseName="topicList" inverseEntity="Topic" syncable="YES"/>
        </entity>
    </model>
    """#

  private static let topics4 = #"""
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22758" systemVersion="23F79" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="Model4">
        <entity name="Topic" representedClassName="Topic" syncable="YES">
            <attribute name="dateCreated" optional="YES" attributeType="Date" usesScalarValueType="NO" syncable="YES"/>
            <attribute name="presenterEmail" optional="YES" attributeType="String" syncable="YES"/>
            <attribute name="presenterName" attributeType="String" syncable="YES"/>
            <attribute name="timeBudget" attributeType="Integer 32" defaultValueString="5" usesScalarValueType="YES" versionHashModifier="4" syncable="YES"/>
            <attribute name="title" optional="YES" attributeType="String" elementID="content" syncable="YES"/>
            <relationship name="topicList" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="TopicList" inverseName="topics" inverseEntity="TopicList" syncable="YES"/>
        </entity>
        <entity name="TopicList" representedClassName="TopicList" syncable="YES">
            <attribute name="title" optional="YES" attributeType="String" syncable="YES"/>
            <relationship name="topics" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Topic" inverseName="topicList" inverseEntity="Topic" syncable="YES"/>
        </entity>
    </model>
    """#

  private static let topics5 = #"""
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22758" systemVersion="23F79" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="Model5">
        <entity name="Member" representedClassName="Member" syncable="YES">
            <attribute name="email" optional="YES" attributeType="String" syncable="YES"/>
            <attribute name="firstName" optional="YES" attributeType="String" syncable="YES"/>
            <attribute name="lastName" optional="YES" attributeType="String" syncable="YES"/>
            <relationship name="topics" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Topic" inverseName="presenter" inverseEntity="Topic" syncable="YES"/>
        </entity>
        <entity name="Topic" representedClassName="Topic" syncable="YES">
            <attribute name="dateCreated" optional="YES" attributeType="Date" usesScalarValueType="NO" syncable="YES"/>
            <attribute name="timeBudget" attributeType="Integer 32" defaultValueString="5" usesScalarValueType="YES" versionHashModifier="4" syncable="YES"/>
            <attribute name="title" optional="YES" attributeType="String" elementID="content" syncable="YES"/>
            <relationship name="presenter" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Member" inverseName="topics" inverseEntity="Member" syncable="YES"/>
            <relationship name="topicList" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="TopicList" inverseName="topics" inverseEntity="TopicList" syncable="YES"/>
        </entity>
        <entity name="TopicList" representedClassName="TopicList" syncable="YES">
            <attribute name="title" optional="YES" attributeType="String" syncable="YES"/>
            <relationship name="topics" optional="YES" toMany="YES" deletionRule="Cascade" ordered="YES" destinationEntity="Topic" inverseName="topicList" inverseEntity="Topic" syncable="YES"/>
        </entity>
    </model>
    """#
}
