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
      "A": "FlightA.xml",
      "APrime": "FlightAPrime.xml",
      "B": "FlightB.xml",
    ],
    current: "B", stages: "Flight.stages")
}
