internal import StrataBase

extension SampleStore {
  /// Four trips with their stops, as the first version of the app saved them: two in Portugal, one in no country.
  static let diary = SampleStore(
    name: "Diary",
    summary: "4 trips with 6 stops, five with a note",
    sample: .journeys, version: "Journeys1",
    objects: [
      trip(1, "The Tagus by train", 120, 791_717_400, "Portugal"),
      trip(2, "Across the fjords", 310.5, 793_018_800, "Norway"),
      trip(4, "The Douro on foot", 62, 794_136_600, "Portugal"),
      trip(5, "Somewhere in autumn", 0, nil, nil),
      stop(1, "Lisbon", "Custard tarts in Belém.", 1),
      stop(2, "Santarém", "The garden above the river.", 1),
      stop(3, "Bergen", "Rain, and fish soup.", 2),
      stop(5, "Flåm", nil, 2),
      stop(6, "Porto", "The bridge at night.", 4),
      stop(8, "Pinhão", "Blue tiles at the station.", 4),
    ],
    highestKeys: ["Trip": 6])

  private static func trip(
    _ key: Int64, _ title: String, _ miles: Double, _ date: Int64?, _ country: String?
  ) -> Object {
    Object(
      "Trip", key,
      [
        "title": .text(title), "distance": .real(miles), "startDate": date.map { .integer($0) },
        "country": country.map { .text($0) },
      ])
  }

  private static func stop(
    _ key: Int64, _ place: String, _ note: String?, _ trip: Int64
  ) -> Object {
    Object(
      "Stop", key,
      ["place": .text(place), "note": note.map { .text($0) }, "trip": .integer(trip)])
  }
}
