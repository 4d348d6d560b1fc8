/// The least cases of all rules, a file for each domain; the models are written as in Xcode's files.
enum RuleCases {
  static let optional = "optional='YES'"

  static func attribute(_ name: String, _ type: String = "String", _ keys: String = optional)
    -> String
  {
    "<attribute name='\(name)' attributeType='\(type)' \(keys)/>"
  }

  /// - Parameter inverse: The relationship of the destination that points back.
  static func relationship(
    _ name: String, to destination: String, inverse: String? = nil,
    _ keys: String = "\(optional) maxCount='1'"
  ) -> String {
    let back = inverse.map { "inverseName='\($0)' inverseEntity='\(destination)'" } ?? ""
    return "<relationship name='\(name)' destinationEntity='\(destination)' \(back) \(keys)/>"
  }

  static func entity(_ name: String, _ properties: String = "", _ keys: String = "") -> String {
    "<entity name='\(name)' \(keys)>\(properties)</entity>"
  }

  static let unique =
    "<uniquenessConstraints><uniquenessConstraint><constraint value='x'/></uniquenessConstraint></uniquenessConstraints>"

  /// The files of two versions of a model.
  static func versions(_ old: String, _ new: String) -> [String: String] {
    [
      "V1.xcdatamodel/contents": RuleScene.model(old),
      "V2.xcdatamodel/contents": RuleScene.model(new),
    ]
  }
}
