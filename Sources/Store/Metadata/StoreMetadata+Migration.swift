internal import StrataArchives
internal import StrataBase
package import StrataObjectModel

extension StoreMetadata {
  /// The metadata for another model; the application's own keys are kept.
  package func renewed(for model: ObjectModel, version: FrameworkVersion) -> StoreMetadata {
    var renewed = StoreMetadata(model: model, uuid: uuid, version: version)
    renewed.others.merge(others) { _, own in own }
    return renewed
  }

  /// The property list of `Z_METADATA`, in bytes.
  package var encoded: [UInt8] { plist.encoded() }
}

extension ObjectModel {
  /// The content of `Z_MODELCACHE` for a model.
  package func cacheContent() -> [UInt8] {
    memory.value { CacheContent(bytes: Deflate.compress(archived())) }.bytes
  }

  private struct CacheContent { var bytes: [UInt8] }
}
