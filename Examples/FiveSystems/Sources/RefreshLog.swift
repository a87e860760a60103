import Foundation
import Synchronization

/// When the list was refreshed, newest first.
final class RefreshLog: Sendable {
    struct Entry: Codable {
        var number: Int
        var date: Date
        var title: String { "Refresh \(number)" }
    }

    private let entries = Mutex<[Entry]>([])

    var isFull: Bool { entries.withLock { $0.count >= 12 } }

    func note(_ date: Date) async -> [Entry] {
        entries.withLock { entries in
            entries.insert(Entry(number: entries.count + 1, date: date), at: 0)
            return entries
        }
    }
}
