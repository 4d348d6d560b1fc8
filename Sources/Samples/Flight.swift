extension Sample {
  /// Three versions of an aircraft's flight data: a change in which an inferred mapping model would lose
  /// values, in steps that can be inferred.
  ///
  /// | version | what is new |
  /// |---|---|
  /// | `A` | `Aircraft` with its binary `FLIGHT_DATA` |
  /// | `APrime` | `FlightData` with `data`, and `Aircraft.tmpStorage` with destination `FlightData` |
  /// | `B` | the attribute is removed, `tmpStorage` is renamed `FLIGHT_DATA` with renaming identifier `tmpStorage` |
  ///
  /// The stages copy the data at `APrime`. Data that is already copied is skipped, so that an interrupted
  /// copy can be repeated.
  ///
  /// Source: `Docs/Facts/samples.md`, section 4; the other properties, optionality and delete rules are this
  /// project's choice.
  package static let flight = Sample(
    name: "Flight",
    summary: "moves data into a new entity, in stages",
    versions: [
      "A": flightA,
      "APrime": flightAPrime,
      "B": flightB,
    ],
    current: "B", stages: flightStages)

  private static let flightStages = """
    # FLIGHT_DATA moves into objects of its own. Each step can be inferred, and the copying can be repeated: it
    # leaves out what has been copied.
    stage lightweight A
    stage custom APrime -> B
      will: Aircraft: set tmpStorage = create FlightData with data = FLIGHT_DATA
                      when FLIGHT_DATA != nil AND tmpStorage == nil

    """

  private static let flightA = #"""
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22758" systemVersion="23F79" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="A">
        <entity name="Aircraft" representedClassName="Aircraft" syncable="YES">
            <attribute name="FLIGHT_DATA" optional="YES" attributeType="Binary" syncable="YES"/>
            <attribute name="tailNumber" optional="YES" attributeType="String" syncable="YES"/>
        </entity>
    </model>
    """#

  private static let flightAPrime = #"""
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22758" systemVersion="23F79" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="APrime">
        <entity name="Aircraft" representedClassName="Aircraft" syncable="YES">
            <attribute name="FLIGHT_DATA" optional="YES" attributeType="Binary" syncable="YES"/>
            <attribute name="tailNumber" optional="YES" attributeType="String" syncable="YES"/>
            <relationship name="tmpStorage" optional="YES" maxCount="1" deletionRule="Cascade" destinationEntity="FlightData" inverseName="aircraft" inverseEntity="FlightData" syncable="YES"/>
        </entity>
        <entity name="FlightData" representedClassName="FlightData" syncable="YES">
            <attribute name="data" optional="YES" attributeType="Binary" syncable="YES"/>
            <relationship name="aircraft" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Aircraft" inverseName="tmpStorage" inverseEntity="Aircraft" syncable="YES"/>
        </entity>
    </model>
    """#

  private static let flightB = #"""
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22758" systemVersion="23F79" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="B">
        <entity name="Aircraft" representedClassName="Aircraft" syncable="YES">
            <attribute name="tailNumber" optional="YES" attributeType="String" syncable="YES"/>
            <relationship name="FLIGHT_DATA" optional="YES" maxCount="1" deletionRule="Cascade" destinationEntity="FlightData" inverseName="aircraft" inverseEntity="FlightData" elementID="tmpStorage" syncable="YES"/>
        </entity>
        <entity name="FlightData" representedClassName="FlightData" syncable="YES">
            <attribute name="data" optional="YES" attributeType="Binary" syncable="YES"/>
            <relationship name="aircraft" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Aircraft" inverseName="FLIGHT_DATA" inverseEntity="Aircraft" syncable="YES"/>
        </entity>
    </model>
    """#
}
