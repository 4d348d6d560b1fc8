internal import StrataArchives
internal import StrataBase
package import StrataObjectModel

extension StoreMetadata {
  /// What the store says of itself once it is at another model: an application's own keys stay.
  package func renewed(for model: ObjectModel, version: FrameworkVersion) -> StoreMetadata {
    var renewed = StoreMetadata(model: model, uuid: uuid, version: version)
    renewed.others.merge(others) { _, own in own }
    return renewed
  }

  /// The property list of `Z_METADATA`, in bytes.
  package var encoded: [UInt8] { plist.encoded() }
}

extension ObjectModel {
  /// What a store keeps of its model in `Z_MODELCACHE`.
  package func cacheContent() -> [UInt8] { Deflate.compress(archived()) }
}
