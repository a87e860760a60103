// Ten million lines of a log, in a SQLite table. The server keeps no copy: it reads what somebody looks at.
//
//     swift run --package-path Examples -c release Log [PORT]       then open http://localhost:8080 and fling
//
// The first start makes the table, Examples/Log/log.db, in about a minute; it needs the program sqlite3.
//
// What to look at: drag the scroll bar to any place, press End, look for "line 4711"; and while it is open:
//
//     sqlite3 Examples/Log/log.db "INSERT INTO log (at, text) VALUES (unixepoch(), 'Something happened')"
//
// The line is on the page without a pull, and moves nothing that somebody looks at further down.

import Foundation
import RefreshableLists

@main
enum Log {
    static func main() async throws {
        var configuration = RefreshableServer.Configuration()
        configuration.port = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 8080
        let file = ProcessInfo.processInfo.environment["LOG"] ?? "Examples/Log/log.db"
        if !FileManager.default.fileExists(atPath: file) { try await make(file, lines: 10_000_000) }
        let server = RefreshableServer(configuration: configuration) { list(in: file) }
        try await server.run()
    }

    /// The list, newest first. The index of the table has the same order, so that any part of it is found at once.
    static func list(in file: String) -> RefreshableList {
        RefreshableList("log")
            .windowed(
                by: SQLiteWindows(file, query: "SELECT id AS key, text AS title, at AS time FROM log", by: ["-time"])
            )
            .noun("line", "lines")
    }

    /// Makes the table: a line each second, up to now.
    static func make(_ file: String, lines: Int) async throws {
        print("Making \(file) with \(lines) lines …")
        let sqlite = Process()
        sqlite.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // Under another name until it is whole.
        sqlite.arguments = [
            "sqlite3", "\(file).new",
            """
            PRAGMA journal_mode = WAL;
            CREATE TABLE log (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, text TEXT NOT NULL);
            WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(lines))
            INSERT INTO log (at, text) SELECT unixepoch() - \(lines) + n, 'This is line ' || n FROM numbers;
            CREATE INDEX log_by_time ON log (at, id);
            """,
        ]
        try sqlite.run()
        sqlite.waitUntilExit()
        guard sqlite.terminationStatus == 0 else { throw NoTable() }
        try FileManager.default.moveItem(atPath: "\(file).new", toPath: file)
    }
}

/// The table could not be made.
struct NoTable: Error, CustomStringConvertible {
    var description: String { "The table could not be made. Install sqlite3 and start again." }
}
