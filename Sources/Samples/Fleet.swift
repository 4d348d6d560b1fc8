internal import StrataBase

extension SampleStore {
  /// Aircraft with their flight data, as the app with `A` saved them; one has none.
  static let fleet = SampleStore(
    name: "Fleet",
    summary: "4 aircraft, one without flight data",
    sample: .flight, version: "A",
    objects: [
      aircraft(1, "G-BOAC", "LHR-JFK 1976-11-22"), aircraft(3, "D-ABYT", "FRA-HND 2019-06-01"),
      aircraft(4, "N747GE", nil), aircraft(6, "F-WTSA", "TLS-DKR 1973-01-10"),
    ],
    highestKeys: [:])

  private static func aircraft(_ key: Int64, _ tailNumber: String, _ data: String?) -> Object {
    Object(
      "Aircraft", key,
      [
        "tailNumber": .text(tailNumber), "FLIGHT_DATA": data.map { .bytes(Array($0.utf8)) },
      ])
  }
}
