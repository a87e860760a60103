import Testing

@testable import RefreshableLists

/// What strangers cause can't fill a disk.
struct LogRateLimitTests {
    @Test func tenComeAtOnceAndTheOthersAreCounted() {
        var lines = LogRateLimit()
        let first = (0..<10).map { _ in lines.take(at: 5) }
        let more = (0..<25).map { _ in lines.take(at: 6) }
        #expect(first == Array(repeating: 0, count: 10) && more.allSatisfy { $0 == nil })
        #expect(lines.take(at: 10_006) == 25)
        #expect(lines.take(at: 10_007) == nil)
    }

    @Test func aDayOfRefusalsIsSomeThousandLines() {
        var lines = LogRateLimit()
        let day: Int64 = 24 * 3600 * 1000
        var count = 0
        for now in stride(from: 0, to: day, by: 10) where lines.take(at: now) != nil { count += 1 }
        #expect(count <= 8650)
    }

    @Test func afterARestThereAreTenAgain() {
        var lines = LogRateLimit()
        for now in 0..<20 { _ = lines.take(at: Int64(now)) }
        let rested = (0..<12).map { _ in lines.take(at: 3_600_000) != nil }
        #expect(rested.filter(\.self).count == 10)
    }
}
