import Testing

@testable import RefreshableCommand

struct DurationTextTests {
    @Test(
        arguments: [
            ("250ms", .milliseconds(250)), ("30s", .seconds(30)), ("5m", .seconds(300)), ("1h", .seconds(3600)),
            ("1.5s", .milliseconds(1500)), ("0s", .zero), ("8760h", .seconds(31_536_000)),
        ] as [(String, Duration)])
    func durationsHaveAUnit(text: String, duration: Duration) {
        #expect(DurationText.duration(text) == duration)
    }

    @Test(arguments: [
        "30", "s", "", "-5s", "+5s", "5 s", "5d", "1e3s", "infs", "nanms", "0x1s", "8761h", "1h30m", ".s", "٣s",
    ])
    func otherTextsAreNoDurations(text: String) {
        #expect(DurationText.duration(text) == nil)
    }
}
