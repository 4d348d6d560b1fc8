/// What Strata uses of Foundation. On Linux only `FoundationEssentials`: the rest carries the data of ICU, which is half of
/// a static program, and its protocol conformances, which every start searches. And the C library, which Foundation
/// re-exports on macOS.
#if canImport(FoundationEssentials)
  @_exported public import FoundationEssentials
  @_exported public import Glibc
#else
  @_exported public import Foundation
#endif
