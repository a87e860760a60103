import Foundation
import Testing

/// One rule of a table in Tests/Traces: a title and the steps that show it. The format is in Tests/Traces/README.md.
struct Trace: Sendable, CustomTestStringConvertible {
    /// A line below the title: the words of an event, and the columns that are expected after it.
    struct Step: Sendable {
        let line: Int
        let words: [String]
        let columns: [String]
    }

    let file: String
    let line: Int
    let title: String
    var steps: [Step] = []

    var testDescription: String { "\(file):\(line) \(title)" }

    /// The folder of the tables, which both languages read.
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Traces")

    /// The tables' names and texts.
    static func tables() throws -> [(name: String, text: String)] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        return try names.filter { $0.hasSuffix(".trace") }.map { name in
            (name, try String(contentsOf: folder.appending(path: name), encoding: .utf8))
        }
    }

    /// Every rule of every table.
    static func all() throws -> [Trace] {
        try tables().flatMap { try Trace.read($0.text, from: $0.name) }
    }

    /// The rules of one table.
    static func read(_ text: String, from file: String) throws -> [Trace] {
        var traces: [Trace] = []
        for (index, whole) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = whole.prefix { $0 != "#" }
            guard let first = line.first(where: { !$0.isWhitespace }) else { continue }
            if line.first == first {
                traces.append(Trace(file: file, line: index + 1, title: line.trimmingCharacters(in: .whitespaces)))
            } else if traces.isEmpty {
                throw TraceError(file: file, line: index + 1, reason: "a step before the first rule")
            } else {
                traces[traces.count - 1].steps.append(Step(index + 1, line))
            }
        }
        if let empty = traces.first(where: { $0.steps.isEmpty }) {
            throw TraceError(file: file, line: empty.line, reason: "a rule without steps: \(empty.title)")
        }
        return traces
    }
}

extension Trace.Step {
    /// Two spaces or more part the columns, one space the words of each.
    init(_ line: Int, _ text: Substring) {
        let cells = text.split(separator: "  ").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        self.line = line
        words = cells[0].split(separator: " ").map(String.init)
        columns = Array(cells.dropFirst())
    }
}

/// A table that can't be read: not a fault of the reducer.
struct TraceError: Error, CustomStringConvertible {
    var file = ""
    var line = 0
    let reason: String

    var description: String { "Cannot read \(file):\(line): \(reason)" }
}
