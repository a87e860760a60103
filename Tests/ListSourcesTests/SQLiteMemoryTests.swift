import Glibc
import KeyedLists
import Locking
import Testing

@testable import ListSources
@testable import SQLiteSources

/// What a large result costs.
struct SQLiteMemoryTests {
    /// Counts what it is given, and lets it go.
    private final class CountingSink: RowSink {
        private let counts = Locked((rows: 0, batches: 0, peak: 0))

        func yield(_ rows: [ListRow]) {
            let resident = SQLiteMemoryTests.resident
            counts.withLock { $0 = ($0.rows + rows.count, $0.batches + 1, max($0.peak, resident)) }
        }

        func progress(_ completed: Int, of total: Int?, note: String?) {}

        var totals: (rows: Int, batches: Int, peak: Int) { counts.withLock { $0 } }
    }

    @Test(.timeLimit(.minutes(2)))
    func twoHundredThousandRowsAreStreamedInBoundedMemory() async throws {
        let database = TestDatabase("CREATE TABLE events (id INTEGER PRIMARY KEY, title TEXT, body TEXT)")
        let filler = String(repeating: "x", count: 1000)
        database.open().insert(200_000, "INSERT INTO events VALUES (?, ?, '\(filler)')") { "Event \($0)" }
        let query = "SELECT id AS key, title, substr(body, 1, 300) AS subtitle, body FROM events"
        let source = SQLiteSource(database.path, query: query, limit: 1 << 30)
        var least = Int.max
        // Alone it grows by some 30 MiB, most of it for the keys that have been. Other tests run beside it, and some of these
        // need much themselves: so it may try again.
        for _ in 0..<5 where least >= 160 {
            let sink = CountingSink()
            let before = Self.resident
            try await source.rows(into: sink)
            let (rows, batches, peak) = sink.totals
            print("200,000 rows, 240 MB in \(batches) batches: resident \(before >> 20) MiB, at most \(peak >> 20) MiB")
            #expect(rows == 200_000 && batches >= 200_000 / 512)
            least = min(least, max(0, peak - before) >> 20)
        }
        #expect(least < 160, "it grew by \(least) MiB")
    }

    /// Resident memory of this process, in bytes: proc(5).
    private static var resident: Int {
        let file = open("/proc/self/statm", O_RDONLY)
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = read(file, &bytes, bytes.count)
        let pages = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
        return (pages.count > 1 ? Int(pages[1]) ?? 0 : 0) * sysconf(Int32(_SC_PAGESIZE))
    }
}
