import Foundation
import RefreshableLists
import RefreshableListsTesting
import Testing

@testable import Log

/// The log with a table of the test's own.
struct LogTests {
    @Test func anyPartOfItIsReadWhereItIs() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "log-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "log.db").path
        try await Log.make(file, lines: 5000)
        let server = try TestedServer { Log.list(in: file) }

        let top = await server.get("/lists/log")
        let deep = await server.get("/lists/log?first=4000&count=2")

        #expect(top.body.contains(#""total":5000"#) && top.body.contains(#""title":"This is line 5000""#))
        #expect(deep.body.contains(#""first":4000"#) && deep.body.contains(#""title":"This is line 1000""#))
        #expect(!deep.body.contains("line 998"))
        try await server.stop()
        try FileManager.default.removeItem(at: folder)
    }
}
