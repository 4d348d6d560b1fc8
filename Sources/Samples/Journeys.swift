extension Sample {
  /// Six versions of an app for trips, with mapping models for the first and the last step only: each strategy
  /// migrates a store of `Journeys1` to `Journeys6` in another way.
  ///
  /// | version | what is new |
  /// |---|---|
  /// | `Journeys1` | `Trip` with its country and its distance in miles, `Stop` with a note |
  /// | `Journeys2` | `Trip.country` is no longer a string but a relationship to `Country` |
  /// | `Journeys3` | `Stop.note` is called `remark`; its renaming identifier is `note` |
  /// | `Journeys4` | `Stop.remark` is called `story`; its renaming identifier is `remark` |
  /// | `Journeys5` | `Photo`; `Trip.rating`: Integer 16, required, default 0 |
  /// | `Journeys6` | `Trip.distance` is in kilometers, which only its hash modifier tells |
  ///
  /// An inferred mapping model loses the countries and leaves the distances in miles. One that skips `Journeys3` also
  /// loses the notes: the renaming identifier of `story` names only the version before it. So default and
  /// lightweight (1 hop) lose all three, hybrid (3 hops) the notes, and progressive (5 hops) nothing.
  ///
  /// Source: `Docs/Facts/samples.md`, sections 2 and 8.
  package static let journeys = Sample(
    name: "Journeys",
    summary: "six versions with mapping models for the first and the last step",
    versions: [
      "Journeys1": journeys1,
      "Journeys2": journeys2,
      "Journeys3": journeys3,
      "Journeys4": journeys4,
      "Journeys5": journeys5,
      "Journeys6": journeys6,
    ],
    current: "Journeys6",
    mappings: journeysMappings, policies: journeysPolicies)

  private static let journeysMappings = [
    SampleMapping(
      name: "Journeys1ToJourneys2",
      text: """
        mapping from sample:Journeys/Journeys1 to sample:Journeys/Journeys2

        TripToTrip: Trip -> Trip

        StopToStop: Stop -> Stop

        # The policy creates one country for each distinct value.
        TripToCountry: Trip -> Country
          policy TripToCountry
          name = $source.country
          trips <- $source through TripToTrip

        """),
    SampleMapping(
      name: "Journeys5ToJourneys6",
      text: """
        mapping from sample:Journeys/Journeys5 to sample:Journeys/Journeys6

        CountryToCountry: Country -> Country

        PhotoToPhoto: Photo -> Photo

        StopToStop: Stop -> Stop

        TripToTrip: Trip -> Trip
          distance = $source.distance * 1.609344

        """),
  ]

  private static let journeysPolicies = """
    policy TripToCountry
      skip when $source.country == nil
      one destination for each $source.country

    """

  private static let journeys1 = #"""
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22758" systemVersion="23F79" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="Journeys1">
        <entity name="Stop" representedClassName="Stop" syncable="YES">
            <attribute name="note" optional="YES" attributeType="String" syncable="YES"/>
            <attribute name="place" optional="YES" attributeType="String" syncable="YES"/>
            <relationship name="trip" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Trip" inverseName="stops" inverseEntity="Trip" syncable="YES"/>
        </entity>
        <entity name="Trip" representedClassName="Trip" syncable="YES">
            <attribute name="country" optional="YES" attributeType="String" syncable="YES"/>
            <attribute name="distance" attributeType="Double" defaultValueString="0.0" usesScalarValueType="YES" syncable="YES"/>
            <attribute name="startDate" optional="YES" attributeType="Date" usesScalarValueType="NO" syncable="YES"/>
            <attribute name="title" optional="YES" attributeType="String" syncable="YES"/>
            <relationship name="stops" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Stop" inverseName="trip" inverseEntity="Stop" syncable="YES"/>
        </entity>
    </model>
    """#

  private static let journeys2 = #"""
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22758" systemVersion="23F79" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="Journeys2">
        <entity name="Country" representedClassName="Country" syncable="YES">
            <attribute name="name" optional="YES" attributeType="String" syncable="YES"/>
            <relationship name="trips" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Trip" inverseName="country" inverseEntity="Trip" syncable="YES"/>
        </entity>
        <entity name="Stop" representedClassName="Stop" syncable="YES">
            <attribute name="note" optional="YES" attributeType="String" syncable="YES"/>
            <attribute name="place" optional="YES" attributeType="String" syncable="YES"/>
            <relationship name="trip" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Trip" inverseName="stops" inverseEntity="Trip" syncable="YES"/>
        </entity>
        <entity name="Trip" representedClassName="Trip" syncable="YES">
            <attribute name="distance" attributeType="Double" defaultValueString="0.0" usesScalarValueType="YES" syncable="YES"/>
            <attribute name="startDate" optional="YES" attributeType="Date" usesScalarValueType="NO" syncable="YES"/>
            <attribute name="title" optional="YES" attributeType="String" syncable="YES"/>
            <relationship name="country" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Country" inverseName="trips" inverseEntity="Country" syncable="YES"/>
            <relationship name="stops" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Stop" inverseName="trip" inverseEntity="Stop" syncable="YES"/>
        </entity>
    </model>
    """#

  private static let journeys3 = #"""
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22758" systemVersion="23F79" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="Journeys3">
        <entity name="Country" representedClassName="Country" syncable="YES">
            <attribute name="name" optional="YES" attributeType="String" syncable="YES"/>
            <relationship name="trips" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Trip" inverseName="country" inverseEntity="Trip" syncable="YES"/>
        </entity>
        <entity name="Stop" representedClassName="Stop" syncable="YES">
            <attribute name="place" optional="YES" attributeType="String" syncable="YES"/>
            <attribute name="remark" optional="YES" attributeType="String" elementID="note" syncable="YES"/>
            <relationship name="trip" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Trip" inverseName="stops" inverseEntity="Trip" syncable="YES"/>
        </entity>
        <entity name="Trip" representedClassName="Trip" syncable="YES">
            <attribute name="distance" attributeType="Double" defaultValueString="0.0" usesScalarValueType="YES" syncable="YES"/>
            <attribute name="startDate" optional="YES" attributeType="Date" usesScalarValueType="NO" syncable="YES"/>
            <attribute name="title" optional="YES" attributeType="String" syncable="YES"/>
            <relationship name="country" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Country" inverseName="trips" inverseEntity="Country" syncable="YES"/>
            <relationship name="stops" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Stop" inverseName="trip" inverseEntity="Stop" syncable="YES"/>
        </entity>
    </model>
    """#

  private static let journeys4 = #"""
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22758" systemVersion="23F79" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="Journeys4">
        <entity name="Country" representedClassName="Country" syncable="YES">
            <attribute name="name" optional="YES" attributeType="String" syncable="YES"/>
            <relationship name="trips" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Trip" inverseName="country" inverseEntity="Trip" syncable="YES"/>
        </entity>
        <entity name="Stop" representedClassName="Stop" syncable="YES">
            <attribute name="place" optional="YES" attributeType="String" syncable="YES"/>
            <attribute name="story" optional="YES" attributeType="String" elementID="remark" syncable="YES"/>
            <relationship name="trip" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Trip" inverseName="stops" inverseEntity="Trip" syncable="YES"/>
        </entity>
        <entity name="Trip" representedClassName="Trip" syncable="YES">
            <attribute name="distance" attributeType="Double" defaultValueString="0.0" usesScalarValueType="YES" syncable="YES"/>
            <attribute name="startDate" optional="YES" attributeType="Date" usesScalarValueType="NO" syncable="YES"/>
            <attribute name="title" optional="YES" attributeType="String" syncable="YES"/>
            <relationship name="country" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Country" inverseName="trips" inverseEntity="Country" syncable="YES"/>
            <relationship name="stops" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Stop" inverseName="trip" inverseEntity="Stop" syncable="YES"/>
        </entity>
    </model>
    """#

  private static let journeys5 = #"""
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22758" systemVersion="23F79" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="Journeys5">
        <entity name="Country" representedClassName="Country" syncable="YES">
            <attribute name="name" optional="YES" attributeType="String" syncable="YES"/>
            <relationship name="trips" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Trip" inverseName="country" inverseEntity="Trip" syncable="YES"/>
        </entity>
        <entity name="Photo" representedClassName="Photo" syncable="YES">
            <attribute name="caption" optional="YES" attributeType="String" syncable="YES"/>
            <relationship name="stop" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Stop" inverseName="photos" inverseEntity="Stop" syncable="YES"/>
        </entity>
        <entity name="Stop" representedClassName="Stop" syncable="YES">
            <attribute name="place" optional="YES" attributeType="String" syncable="YES"/>
            <attribute name="story" optional="YES" attributeType="String" elementID="remark" syncable="YES"/>
            <relationship name="photos" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Photo" inverseName="stop" inverseEntity="Photo" syncable="YES"/>
            <relationship name="trip" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Trip" inverseName="stops" inverseEntity="Trip" syncable="YES"/>
        </entity>
        <entity name="Trip" representedClassName="Trip" syncable="YES">
            <attribute name="distance" attributeType="Double" defaultValueString="0.0" usesScalarValueType="YES" syncable="YES"/>
            <attribute name="rating" attributeType="Integer 16" defaultValueString="0" usesScalarValueType="YES" syncable="YES"/>
            <attribute name="startDate" optional="YES" attributeType="Date" usesScalarValueType="NO" syncable="YES"/>
            <attribute name="title" optional="YES" attributeType="String" syncable="YES"/>
            <relationship name="country" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Country" inverseName="trips" inverseEntity="Country" syncable="YES"/>
            <relationship name="stops" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Stop" inverseName="trip" inverseEntity="Stop" syncable="YES"/>
        </entity>
    </model>
    """#

  private static let journeys6 = #"""
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22758" systemVersion="23F79" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="Journeys6">
        <entity name="Country" representedClassName="Country" syncable="YES">
            <attribute name="name" optional="YES" attributeType="String" syncable="YES"/>
            <relationship name="trips" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Trip" inverseName="country" inverseEntity="Trip" syncable="YES"/>
        </entity>
        <entity name="Photo" representedClassName="Photo" syncable="YES">
            <attribute name="caption" optional="YES" attributeType="String" syncable="YES"/>
            <relationship name="stop" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Stop" inverseName="photos" inverseEntity="Stop" syncable="YES"/>
        </entity>
        <entity name="Stop" representedClassName="Stop" syncable="YES">
            <attribute name="place" optional="YES" attributeType="String" syncable="YES"/>
            <attribute name="story" optional="YES" attributeType="String" elementID="remark" syncable="YES"/>
            <relationship name="photos" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Photo" inverseName="stop" inverseEntity="Photo" syncable="YES"/>
            <relationship name="trip" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Trip" inverseName="stops" inverseEntity="Trip" syncable="YES"/>
        </entity>
        <entity name="Trip" representedClassName="Trip" syncable="YES">
            <attribute name="distance" attributeType="Double" defaultValueString="0.0" usesScalarValueType="YES" versionHashModifier="kilometers" syncable="YES"/>
            <attribute name="rating" attributeType="Integer 16" defaultValueString="0" usesScalarValueType="YES" syncable="YES"/>
            <attribute name="startDate" optional="YES" attributeType="Date" usesScalarValueType="NO" syncable="YES"/>
            <attribute name="title" optional="YES" attributeType="String" syncable="YES"/>
            <relationship name="country" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Country" inverseName="trips" inverseEntity="Country" syncable="YES"/>
            <relationship name="stops" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Stop" inverseName="trip" inverseEntity="Stop" syncable="YES"/>
        </entity>
    </model>
    """#
}
