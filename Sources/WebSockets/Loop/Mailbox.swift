/// The queue of jobs for a loop's thread, in the order in which they were posted.
///
/// ```
/// any thread ── post ──▶ [ a  b  c ] ── take ──▶ the loop runs a, b, c, then looks after its sockets
///                 └ true for the first: wake the loop once
/// ```
struct Mailbox {
    /// Something to run: a Swift concurrency job, or a closure.
    enum Entry {
        case job(UnownedJob)
        case closure(@Sendable () -> Void)
    }

    /// Who empties the box.
    enum Reader {
        /// The loop's thread, which is to be woken by its handle. Before its start this is `false`: the first drain is
        /// part of the start.
        case loop(isAwake: Bool)
        /// The loop has ended; a thread made for late entries is at work, or none is.
        case late(isDraining: Bool)
    }

    /// What the one who posted has to do.
    enum Duty {
        case nothing
        case wakeLoop
        case drainLate
    }

    private var entries: [Entry] = []
    private var reader = Reader.loop(isAwake: false)

    /// Appends an entry, and returns how to notify its reader.
    mutating func post(_ entry: Entry) -> Duty {
        entries.append(entry)
        switch reader {
        case .loop(isAwake: false):
            reader = .loop(isAwake: true)
            return .wakeLoop
        case .late(isDraining: false):
            reader = .late(isDraining: true)
            return .drainLate
        case .loop(isAwake: true), .late(isDraining: true):
            return .nothing
        }
    }

    /// All entries, for the loop. What is posted from now on wakes it again.
    mutating func take() -> [Entry] {
        defer { entries.removeAll() }
        reader = .loop(isAwake: false)
        return entries
    }

    /// All entries, for the thread of late ones; when there are none, its duty ends.
    mutating func takeLate() -> [Entry] {
        defer { entries.removeAll() }
        reader = .late(isDraining: !entries.isEmpty)
        return entries
    }

    /// The loop ends: its thread stays the reader until `takeLate` finds nothing.
    mutating func end() {
        reader = .late(isDraining: true)
    }
}
