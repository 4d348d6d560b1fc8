import Foundation
import StrataSQLite

/// `FUZZ_TARGET=plist fuzz [libFuzzer's own arguments]`.
///
/// The target stands in the environment since libFuzzer, whose `main` this is, starts the program again
/// with arguments of its own to make what it found smaller.
private let target: FuzzTarget? = {
  SQLiteLibrary.stopCountingMemory()
  return ProcessInfo.processInfo.environment["FUZZ_TARGET"].flatMap(FuzzTarget.init)
}()

/// What libFuzzer calls with each input.
///
/// Source: https://llvm.org/docs/LibFuzzer.html, "Fuzz Target".
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
  guard let target else { fatalError("FUZZ_TARGET names no target") }
  try? target.run(Array(UnsafeBufferPointer(start: data, count: size)))
  return 0
}
