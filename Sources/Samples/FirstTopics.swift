extension Sample {
  /// Two versions of a list of topics: the smallest change that makes a store unreadable.
  ///
  /// | version | what is new |
  /// |---|---|
  /// | `Model1` | `Topic` with `content` and `dateCreated`, `TopicList` with `title` |
  /// | `Model2` | `Topic.timeBudget`: Integer 32, required, default 5 |
  ///
  /// A store of `Model1` does not open with `Model2` (134100): the hash of `Topic` is different. Deleting a
  /// list deletes its topics; the delete rule does not affect hashes.
  ///
  /// Source: `Docs/Facts/samples.md`, section 1, with the hashes of `Model1`.
  package static let firstTopics = Sample(
    name: "FirstTopics",
    summary: "adds a required attribute with a default",
    versions: [
      "Model1": firstTopics1,
      "Model2": firstTopics2,
    ],
    current: "Model2")

  private static let firstTopics1 = #"""
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22758" systemVersion="23F79" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="Model1">
        <entity name="Topic" representedClassName="Topic" syncable="YES">
            <attribute name="content" optional="YES" attributeType="String" syncable="YES"/>
            <attribute name="dateCreated" optional="YES" attributeType="Date" usesScalarValueType="NO" syncable="YES"/>
            <relationship name="topicList" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="TopicList" inverseName="topics" inverseEntity="TopicList" syncable="YES"/>
        </entity>
        <entity name="TopicList" representedClassName="TopicList" syncable="YES">
            <attribute name="title" optional="YES" attributeType="String" syncable="YES"/>
            <relationship name="topics" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Topic" inverseName="topicList" inverseEntity="Topic" syncable="YES"/>
        </entity>
    </model>
    """#

  private static let firstTopics2 = #"""
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22758" systemVersion="23F79" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="Model2">
        <entity name="Topic" representedClassName="Topic" syncable="YES">
            <attribute name="content" optional="YES" attributeType="String" syncable="YES"/>
            <attribute name="dateCreated" optional="YES" attributeType="Date" usesScalarValueType="NO" syncable="YES"/>
            <attribute name="timeBudget" attributeType="Integer 32" defaultValueString="5" usesScalarValueType="YES" syncable="YES"/>
            <relationship name="topicList" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="TopicList" inverseName="topics" inverseEntity="TopicList" syncable="YES"/>
        </entity>
        <entity name="TopicList" representedClassName="TopicList" syncable="YES">
            <attribute name="title" optional="YES" attributeType="String" syncable="YES"/>
            <relationship name="topics" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Topic" inverseName="topicList" inverseEntity="Topic" syncable="YES"/>
        </entity>
    </model>
    """#
}
