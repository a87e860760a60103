import Foundation
import KeyedLists
import Testing

@testable import ListStorage
@testable import SQLiteStorage

/// What a loss of power leaves of the files: the database as it was last synced, the log up to some byte, and then zeros,
/// old bytes or nothing. The machine then has another boot.
@Suite struct PowerLossTests {
    private static let lists = ["a", "b"]

    /// A list as its clients know it, and as it was at each of its revisions.
    private struct Acknowledged {
        var epoch: Epoch
        var list: KeyedList
        var past: [Revision: [PlacedRow]]
    }

    /// The files at one moment.
    private struct Image {
        var database: Data
        var log: Data
    }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func anEpochIsKeptOnlyWithAllThatWasAcknowledged(seed: UInt64) throws {
        var random = Generator(seed: seed)
        var known: [String: Acknowledged] = [:]
        var kept = 0
        for life in 1...16 {
            let isClosed = Bool.random(using: &random)
            let image = try folder.withLostStore(boot: "boot \(life)") { store in
                kept += try check(store, against: &known, "seed \(seed), life \(life)")
                let image = try live(store, &known, &random)
                if isClosed { try store.close() }
                return image
            }
            if !isClosed { try lose(image) }
        }
        #expect(kept > 0 && kept < 30)
    }

    /// What is found is a revision that was, whole; and the last one, where the epoch was kept.
    private func check(
        _ store: SQLiteStore, against known: inout [String: Acknowledged], _ place: String
    ) throws -> Int {
        var kept = 0
        for name in Self.lists {
            let found = try store.load(name)
            let revision = found.list.revision
            var past = known[name]?.past ?? [0: []]
            #expect(found.list.placed == past[revision], "\(place), \(name)")
            if let known = known[name], known.epoch == found.epoch {
                kept += 1
                #expect(revision == known.list.revision, "\(place), \(name)")
            }
            past = past.filter { $0.key <= revision }
            known[name] = Acknowledged(epoch: found.epoch, list: found.list, past: past)
        }
        return kept
    }

    /// Commits until the power is lost, or a little longer; returns what is on the disk then.
    private func live(
        _ store: SQLiteStore, _ known: inout [String: Acknowledged], _ random: inout Generator
    ) throws -> Image {
        let synced = try bytes(folder.data.database)
        for step in 0..<Int.random(in: 0..<40, using: &random) {
            let name = Self.lists.randomElement(using: &random)!
            let row = ListRow("k\(Int.random(in: 0..<9, using: &random))", title: "\(random.next())")
            guard var list = known[name], let commit = list.list.commit([.set(row, .first)], at: 1) else { continue }
            try store.commit(commit, facts: StoredFacts(runs: step), to: name)
            list.past[commit.revision] = list.list.placed
            known[name] = list
        }
        var image = Image(database: try bytes(folder.data.database), log: try bytes(folder.data.log))
        // The log is synced before anything of it goes into the database, so it is cut only while nothing has.
        if image.database == synced { image.log = cut(image.log, &random) }
        return image
    }

    /// Writes the image into the files that the store has left.
    private func lose(_ image: Image) throws {
        try image.database.write(to: URL(fileURLWithPath: folder.data.database), options: [])
        try image.log.write(to: URL(fileURLWithPath: folder.data.log), options: [])
        let index = folder.data.database + "-shm"
        if FileManager.default.fileExists(atPath: index) { try FileManager.default.removeItem(atPath: index) }
    }

    private func cut(_ log: Data, _ random: inout Generator) -> Data {
        let length = Int.random(in: 0...log.count, using: &random)
        let tail = log.count - length
        switch Int.random(in: 0..<3, using: &random) {
        case 0: return log.prefix(length)
        case 1: return log.prefix(length) + Data(count: tail)
        default: return log.prefix(length) + Data((0..<tail).map { _ in UInt8.random(in: 0...255, using: &random) })
        }
    }

    private func bytes(_ path: String) throws -> Data {
        FileManager.default.fileExists(atPath: path) ? try Data(contentsOf: URL(fileURLWithPath: path)) : Data()
    }
}
