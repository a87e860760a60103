import Testing

@testable import ListSources

struct TimestampTests {
    @Test(
        arguments: [
            ("2026-11-19T08:30:15Z", 1_795_077_015_000),
            ("2026-11-19T09:30:15+01:00", 1_795_077_015_000),
            ("2026-11-19 01:00:15.25 -0730", 1_795_077_015_250),
            ("2026-11-19T08:30", 1_795_077_000_000),
            ("2026-11-19", 1_795_046_400_000),
            ("2024-02-29T23:59:60Z", 1_709_251_199_000),
            ("1970-01-01T00:00:00Z", 0),
            ("0001-01-01", -62_135_596_800_000),
            ("1795077015", 1_795_077_015_000),
            ("1795077015.5", 1_795_077_015_500),
            ("1795077015250", 1_795_077_015_250),
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777_000),
            ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777_000),
            ("6 Nov 1994 09:49 +0100", 784_111_740_000),
            ("Sun, 6 November 1994 03:49:37 EST", 784_111_777_000),
            ("06 Nov 1994", 784_080_000_000),
        ] as [(String, Int64)])
    func timesOfProgramsAreRead(text: String, milliseconds: Int64) {
        #expect(Timestamp.milliseconds(text) == milliseconds)
    }

    @Test(arguments: [
        "yesterday", "", "2026-13-01", "2026-02-29", "2026-11-19T25:00Z", "2026-11-19T08:30:15+", "2026-11-19X",
        "2026-11-19T08:30:15.Z", "2026-11-19T08:30 CET", "nan", "inf", "1e300", "26-11-19",
        "Foo, 06 Nov 1994 08:49:37 GMT", "31 Feb 1994", "06 Nov 1994 08:49:37 HERE", "06 Nov 1994 at noon",
    ])
    func otherTextsAreNoTimes(text: String) {
        #expect(Timestamp.milliseconds(text) == nil)
    }
}
