import Testing

@testable import ListSources

struct FeedDateTests {
    @Test(arguments: [
        "Thu, 19 Nov 2026 08:30:15 GMT", "Thu, 19 Nov 2026 08:30:15 +0000", "2026-11-19T08:30:15Z",
        " Thu,  19 Nov 2026\n08:30:15 GMT ", "Do, 19 Nov 2026 09:30:15 MEZ", "Thu, 19 Nov 2026 08:30:15 HERE",
        "Thursday, November 19, 2026 8:30:15 AM", "Nov 19, 2026 8:30:15", "Thu Nov 19 08:30:15 2026",
        "Thu Nov 19 03:30:15 EST 2026", "19-Nov-2026 08:30:15", "19 Nov 26 08:30:15 UTC", "2026/11/19 08:30:15",
        "19.11.2026 08:30:15", "2026-11-19T8:30:15+00:00", "2026-11-19 08:30:15 UTC", "2026-11-19T09:30:15 CET",
        "Thu, 19 Nov 2026 08:30:15 GMT (UTC)", "19 November 2026 8:30:15 am", "1795077015",
    ])
    func datesOfTheWildAreRead(text: String) {
        #expect(FeedDate.milliseconds(text) == 1_795_077_015_000)
    }

    @Test(
        arguments: [
            ("Thu, 19 Nov 2026 8:30 PM", 1_795_120_200_000), ("Thu, 19 Nov 2026 12:30 AM", 1_795_048_200_000),
            ("19 Nov 2026 at noon", 1_795_046_400_000), ("19 Nov 2026 24:00:00", 1_795_046_400_000),
            ("6 Nov 94", 784_080_000_000),
        ] as [(String, Int64)])
    func aClockMayBeOfTwelveHoursOrNone(text: String, milliseconds: Int64) {
        #expect(FeedDate.milliseconds(text) == milliseconds)
    }

    @Test(arguments: [
        "", "yesterday", "0000-00-00 00:00:00", "-0001-11-30T00:00:00+00:00", "Mon, 01 Jan 0001 00:00:00 +0000",
        "11/12/2026", "Nov 2026", "31 Feb 2026", ":", "+", "-:-", "T", "1T", "99999999999999999999 Nov 2026",
    ])
    func otherTextsAreNone(text: String) {
        #expect(FeedDate.milliseconds(text) == nil)
    }
}
