internal import StrataMapping
internal import StrataRendering

/// The JSON shape of `infer`.
struct InferencePayload: Encodable, Sendable {
  var inferable: Bool
  var entityMappings: [EntityMappingPayload]
  var obstacles: [FindingPayload]
  var warnings: [FindingPayload]

  init(_ inference: Inference, obstacles: InferenceReport, warnings: InferenceReport) {
    inferable = inference.isInferable
    entityMappings = (inference.mapping?.entityMappings ?? []).map(EntityMappingPayload.init)
    self.obstacles = obstacles.payload
    self.warnings = warnings.payload
  }
}
