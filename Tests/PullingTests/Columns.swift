import Pulling

/// The columns of a table's line, by name: as they were expected, or as they came out.
struct Columns: Equatable {
    private(set) var values: [String: String] = [:]

    /// Everything that can be said after a command.
    init(_ command: Command, _ handled: [Replay.Handled], from before: Pull, to after: Pull, gesture current: Int) {
        let gesture = command.gesture ?? current
        let actions = handled.map(\.actions)
        let refresh = actions.compactMap(\.refresh).last
        let state = actions.compactMap(\.state).last
        values = [
            "phase": after.phase.rawValue,
            "progress": plain(after.progress),
            "peak": after.peak.map(plain) ?? "nothing",
            "gesture": "\(after.gesture)",
            "ignored": after.ignored > before.ignored ? "ignored" : "nothing",
            "asks": refresh.map { $0 == gesture ? "asks" : "of \($0)" } ?? "nothing",
            "answer": actions.compactMap(\.answer).last?.rawValue ?? "nothing",
            "tells": state.map { told($0, gesture) } ?? "nothing",
            "feeds": command.isList && !handled.isEmpty
                ? handled.map { "\($0.event)" }.joined(separator: " ") : "nothing",
        ]
    }

    /// What a line expects: its columns, and what is checked without being written.
    init(_ columns: [String], after command: Command, seen: Columns, isStrict: Bool) throws {
        let mayAsk = command.isRelease && ["run", "joins"].contains(seen.values["answer"])
        values = ["ignored": "nothing", "asks": mayAsk ? "asks" : "nothing"]
        if isStrict {
            values.merge(["answer": "nothing", "tells": "nothing", "feeds": "nothing"]) { $1 }
        }
        var phase = Words(columns.prefix(1).map { $0 })
        values["phase"] = try phase.phase().rawValue
        for column in columns.dropFirst() {
            try expect(column)
        }
    }

    /// What differs, one line for each column.
    func differences(from seen: Columns) -> [String] {
        values.sorted { $0.key < $1.key }.compactMap { name, expected in
            let got = seen.values[name] ?? "nothing"
            return got == expected ? nil : "\(name): expected \(expected), got \(got)"
        }
    }

    private mutating func expect(_ column: String) throws {
        var words = Words(column.split(separator: " ").map(String.init))
        let name = try words.next()
        let rest = words.rest.map { word in Double(word).map(plain) ?? word }.joined(separator: " ")
        switch name {
        case "ignored" where rest.isEmpty, "asks" where rest.isEmpty: values[name] = name
        case "progress" where !rest.isEmpty, "peak" where !rest.isEmpty, "gesture" where !rest.isEmpty,
            "tells" where !rest.isEmpty, "feeds" where !rest.isEmpty:
            values[name] = rest
        default:
            guard rest.isEmpty, let answer = Pull.Answer(rawValue: name) else {
                throw TraceError(reason: "no such column: \(column)")
            }
            values["answer"] = answer.rawValue
        }
    }
}

extension Columns: CustomStringConvertible {
    /// The columns as a strict table writes them.
    var description: String {
        let numbers = ["progress", "peak", "gesture"].map { "\($0) \(values[$0] ?? "nothing")" }
        let words = ["ignored", "asks", "answer"].compactMap { values[$0] }.filter { $0 != "nothing" }
        let sentences = ["tells", "feeds"].map { "\($0) \(values[$0] ?? "nothing")" }
        return ([values["phase"] ?? ""] + numbers + words + sentences).joined(separator: "  ")
    }
}

extension Command {
    fileprivate var gesture: Int? {
        switch self {
        case .pull(_, let gesture), .release(_, let gesture, _), .cancel(let gesture): gesture
        case .touch, .fact, .list: nil
        }
    }

    fileprivate var isRelease: Bool {
        if case .release = self { true } else { false }
    }

    fileprivate var isList: Bool {
        if case .list = self { true } else { false }
    }
}

private func told(_ state: Pull.PrivateState, _ gesture: Int) -> String {
    "\(state.phase) \(plain(state.progress))" + (state.gesture == gesture ? "" : " of \(state.gesture)")
}

/// A number as the tables write it: `64`, not `64.0`.
private func plain(_ number: Double) -> String {
    number == number.rounded() && number.magnitude < 1e16 ? "\(Int(number))" : "\(number)"
}
