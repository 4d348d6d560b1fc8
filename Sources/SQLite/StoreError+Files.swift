package import StrataArchives
internal import StrataBase

extension StoreError {
  /// The error of a file of the store that cannot be read.
  package init(_ error: FileError) {
    self =
      switch error {
      case .notFound: .unreadable(reason: FileCause.notFound.message)
      case .unreadable(_, let cause): .unreadable(reason: cause.message)
      default: .unreadable(reason: error.diagnostic.what)
      }
  }
}
