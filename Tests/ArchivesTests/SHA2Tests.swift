import StrataArchives
import StrataBase
import Testing

@Suite("SHA-2")
struct SHA2Tests {
  // The examples of FIPS 180-4 that its publisher prints, and one of more than a block and a piece.
  @Test(
    "digests of the examples of the standard",
    arguments: [
      (
        "", 1,
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
          + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
      ),
      (
        "abc", 1,
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
          + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
      ),
      (
        "a", 1_000_000,
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
        "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb"
          + "de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b"
      ),
    ])
  func standard(text: String, times: Int, digest256: String, digest512: String) {
    let bytes = Array(String(repeating: text, count: times).utf8)
    #expect(Self.hex(SHA2.digest256(of: bytes)) == digest256)
    #expect(Self.hex(SHA2.digest512(of: bytes)) == digest512)
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}
