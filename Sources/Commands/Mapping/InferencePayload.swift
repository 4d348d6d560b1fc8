internal import StrataMapping

/// The JSON shape of `infer`.
struct InferencePayload: Encodable, Sendable {
  var inferable: Bool
  var entityMappings: [EntityMappingPayload]
  var obstacles: [ObstaclePayload]
  var warnings: [ObstaclePayload]

  init(_ inference: Inference, obstacles: ObstacleReport, warnings: ObstacleReport) {
    inferable = inference.isInferable
    entityMappings = (inference.mapping?.entityMappings ?? []).map(EntityMappingPayload.init)
    self.obstacles = obstacles.payload
    self.warnings = warnings.payload
  }
}
