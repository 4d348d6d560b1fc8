internal import StrataArchives

/// The names in the document inside an `.xcmappingmodel`: an XML store of Xcode's own objects.
///
/// Source: `Docs/Facts/migration-process.md`, section 3; the mapping models that `CorpusTests` reads.
enum XcodeMapping {
  enum EntityName {
    static let model = "XDDEVMAPPINGMODEL"
    static let entity = "XDDEVENTITYMAPPING"
    static let attribute = "XDDEVATTRIBUTEMAPPING"
    static let relationship = "XDDEVRELATIONSHIPMAPPING"
  }

  /// The version hashes of Xcode's own model in base64, equal in all mapping models of the corpus (from 2012 to
  /// 2022).
  static let hashes = [
    "XDDevAttributeMapping": "0plcXXRN7XHKl5CcF+fwriFmUpON3ZtcI/AfK748aWc=",
    "XDDevEntityMapping": "qeN1Ym3TkWN1G6dU9RfX6Kd2ccEvcDVWHpd3LpLgboI=",
    "XDDevMappingModel": "EqtMzvRnVZWkXwBHu4VeVGy8UyoOe+bi67KC79kphlQ=",
    "XDDevPropertyMapping": "XN33V44TTGY4JETlMoOB5yyTKxB+u4slvDIinv0rtGA=",
    "XDDevRelationshipMapping": "akYY9LhehVA/mCb4ATLWuI9XGLcjpm14wWL1oEBtIcs=",
  ]
}
