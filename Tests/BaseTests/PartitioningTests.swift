import StrataBase
import Testing

@Suite("Binary search for a condition")
struct PartitioningTests {
  @Test(
    "binary search finds the same index as linear search, in all sorted lists of up to six elements"
  )
  func everyList() {
    for count in 0...6 {
      for twos in 0...count {
        for threes in 0...(count - twos) {
          let list =
            Array(repeating: 1, count: count - twos - threes) + Array(repeating: 2, count: twos)
            + Array(repeating: 3, count: threes)
          for least in 0...4 {
            let place = list.firstIndex { $0 >= least } ?? list.endIndex
            #expect(list.partitioningIndex { $0 >= least } == place)
            #expect(
              list[...].dropFirst().partitioningIndex { $0 >= least } == max(place, min(1, count)))
          }
        }
      }
    }
  }
}
