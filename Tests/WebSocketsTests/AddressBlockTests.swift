import Testing
import WebSockets

struct AddressBlockTests {
    @Test(
        arguments: [
            ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("10.9.9.9/8", "10.0.0.1", true),
            ("127.0.0.1", "127.0.0.1", true), ("127.0.0.1", "127.0.0.2", false), ("0.0.0.0/0", "203.0.113.9", true),
            ("0.0.0.0/0", "::1", false), ("::/0", "203.0.113.9", true), ("::1", "::1", true),
            ("192.0.2.128/25", "192.0.2.127", false), ("192.0.2.128/25", "192.0.2.200", true),
            ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::1", false),
            ("10.0.0.0/8", "::ffff:10.1.2.3", true), ("10.0.0.0/8", "unknown", false), ("10.0.0.0/8", "", false),
        ] as [(String, String, Bool)])
    func anAddressIsInABlockOrNot(block: String, address: String, isInside: Bool) throws {
        #expect(try #require(AddressBlock(block)).contains(address) == isInside)
    }

    @Test(arguments: ["", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/-1", "10.0.0/8", "localhost", "1.2.3.4/8/8"])
    func whatIsNoBlockIsNone(text: String) {
        #expect(AddressBlock(text) == nil)
    }
}
