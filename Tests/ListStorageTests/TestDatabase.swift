import Foundation
import Locking

/// A PostgreSQL server of its own for the tests of this process, and a new database of it for each that asks.
///
/// It ends with the process, however that ends: a shell beside it waits for the end of a pipe.
final class TestDatabase: Sendable {
    /// Nil where PostgreSQL is not installed: `Scripts/setup test` installs it.
    static let shared: TestDatabase? = programs.map { TestDatabase($0) }

    private static let programs: String? = {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return versions.max { Int($0) ?? 0 < Int($1) ?? 0 }.map { "\(root)/\($0)/bin" }
    }()

    private let programs: String
    private let folder: String
    private let pipe = Pipe()
    private let told = Pipe()
    private let count = Locked(0)

    private init(_ programs: String) {
        self.programs = programs
        folder = NSTemporaryDirectory() + "refreshable-postgres-\(getpid())"
        // PostgreSQL does not run as root.
        let user = getuid() == 0 ? "setpriv --reuid=postgres --regid=postgres --init-groups" : ""
        let owner = getuid() == 0 ? "-o postgres" : ""
        let script = """
            set -e
            install -d \(owner) \(folder) && cd \(folder)
            \(user) \(programs)/initdb -D \(folder)/data -U app --auth trust --no-sync --no-locale -E UTF8 >log 2>&1
            install \(owner) log server.log
            \(user) \(programs)/pg_ctl -D \(folder)/data -l \(folder)/server.log --wait \\
                -o "-k \(folder) -c listen_addresses= -c fsync=off -c max_connections=500" start >>log 2>&1
            echo ready
            cat >/dev/null
            \(user) \(programs)/pg_ctl -D \(folder)/data --mode immediate --wait stop >>log 2>&1 || true
            rm -rf \(folder)
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", script]
        process.standardInput = pipe
        process.standardOutput = told
        process.standardError = FileHandle.nullDevice
        // Else the shell would hold the end that it waits for.
        _ = fcntl(pipe.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        do { try process.run() } catch { fatalError("Cannot start PostgreSQL: \(error)") }
        precondition(!told.fileHandleForReading.availableData.isEmpty, "PostgreSQL starts: \(folder)/log says why not.")
    }

    /// The URL of a new database.
    func makeDatabase() -> String {
        let name = count.withLock { count in
            count += 1
            return "lists\(count)"
        }
        precondition(run("createdb", "-U", "app", name) == 0, "A database is made.")
        return "postgres://app@/\(name)?host=\(folder)"
    }

    /// Has statements done by a client of PostgreSQL's own.
    func sql(_ text: String, in url: String) {
        precondition(run("psql", "-q", "-v", "ON_ERROR_STOP=1", "-c", text, url) == 0, "The statements are right.")
    }

    /// Dumps the tables of a database, as an operator does.
    func dump(_ url: String) {
        let isDone = run("pg_dump", "--schema", "refreshable", "--file", dump(of: url), url) == 0
        precondition(isDone, "The tables are dumped.")
    }

    /// Puts the last dump back in the place of what is there.
    func restore(_ url: String) {
        sql("DROP SCHEMA refreshable CASCADE", in: url)
        precondition(run("psql", "-q", "-v", "ON_ERROR_STOP=1", "-f", dump(of: url), url) == 0, "The dump is put back.")
    }

    private func dump(of url: String) -> String {
        "\(folder)/\(url.hashValue).sql"
    }

    private func run(_ name: String, _ arguments: String...) -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "\(programs)/\(name)")
        process.arguments = arguments
        process.environment = ["PGHOST": folder, "PGOPTIONS": "-c client_min_messages=warning"]
        process.standardOutput = FileHandle.nullDevice
        do { try process.run() } catch { return -1 }
        process.waitUntilExit()
        return process.terminationStatus
    }
}
