import Testing
import WebSockets

struct SHA256DigestTests {
    /// NIST's examples (FIPS 180-4).
    @Test(arguments: [
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func digestsAreThoseOfTheStandard(text: String, digest: String) {
        #expect(SHA256Digest(of: text).hexadecimal == digest)
        #expect(SHA256Digest(hexadecimal: digest.uppercased())?.matches(SHA256Digest(of: text)) == true)
    }

    @Test func digestsThatDifferInOneBitDoNotMatch() throws {
        let digest = SHA256Digest(of: "abc")
        for index in 0..<64 {
            var digits = Array(digest.hexadecimal)
            digits[index] = digits[index] == "0" ? "1" : "0"
            #expect(try !#require(SHA256Digest(hexadecimal: String(digits))).matches(digest))
        }
    }

    @Test(arguments: ["", "ba78", String(repeating: "g", count: 64), String(repeating: "0", count: 65), "é"])
    func anyOtherTextIsNoDigest(text: String) {
        #expect(SHA256Digest(hexadecimal: text) == nil)
    }
}
