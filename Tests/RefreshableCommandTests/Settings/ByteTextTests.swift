import Testing

@testable import RefreshableCommand

struct ByteTextTests {
    @Test(arguments: [
        ("500KiB", 512_000), ("16MiB", 16 << 20), ("1GiB", 1 << 30), ("500MB", 500_000_000), ("500 MB", 500_000_000),
        ("8kB", 8000), ("8KB", 8000), ("1GB", 1_000_000_000), ("1024MiB", 1 << 30),
    ])
    func aSizeIsANumberWithItsUnit(_ text: String, _ bytes: Int) { #expect(ByteText.bytes(text) == bytes) }

    @Test(arguments: [
        "500", "MB", "0MB", "-1MB", "1.5MB", "1025GiB", "1100GB", "1mb", "1Mb", "1B", "9999999999999999999MB", "",
    ])
    func allElseIsNone(_ text: String) { #expect(ByteText.bytes(text) == nil) }
}
