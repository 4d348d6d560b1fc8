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
      "Journeys1": "Journeys1.xml",
      "Journeys2": "Journeys2.xml",
      "Journeys3": "Journeys3.xml",
      "Journeys4": "Journeys4.xml",
      "Journeys5": "Journeys5.xml",
      "Journeys6": "Journeys6.xml",
    ],
    current: "Journeys6",
    mappings: ["Journeys1ToJourneys2", "Journeys5ToJourneys6"],
    policies: "Journeys.policy")
}
