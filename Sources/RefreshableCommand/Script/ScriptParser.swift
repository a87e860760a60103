import KeyedLists

/// Reads WebSocket scripts.
///
/// ```
/// # a comment
/// >  {"type":"watch","id":"1","list":"fruit"}          send
/// <  {"type":"welcome"}                                the next frame matches
/// << {"type":"ok","id":"1"} within 10s                 the next one that matches, 5 s unless said
/// !  {"type":"state","phase":"loading"} 1s             none for this long
/// b> {"type":"ping"}                                   on another connection
/// wait 2s      cut      open      b cut      b open
/// ```
enum ScriptParser {
    /// The steps of a whole script.
    ///
    /// - Throws: the first line that can't be read.
    static func steps(of text: String, file: String) throws(ScriptFault) -> [ScriptStep] {
        var steps: [ScriptStep] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            do {
                if let step = try step(String(line), line: index + 1) { steps.append(step) }
            } catch {
                throw ScriptFault(place: "\(file):\(index + 1)", problem: error.problem)
            }
        }
        return steps
    }

    /// The step of one line; nil for an empty one and for a comment.
    static func step(_ text: String, line: Int) throws(LineFault) -> ScriptStep? {
        let text = text.trimmed
        guard !text.isEmpty, !text.hasPrefix("#") else { return nil }
        let (connection, rest) = split(text)
        return ScriptStep(line: line, connection: connection, action: try action(rest))
    }

    /// What is wrong with a line.
    struct LineFault: Error, Hashable {
        let problem: String
    }

    /// Cuts off the letter of another connection: `b>`, `b <<`, `b cut`.
    private static func split(_ text: String) -> (connection: String, rest: String) {
        guard let first = text.first, first.isASCII, first.isLetter else { return ("", text) }
        let rest = String(text.dropFirst()).trimmed
        let isArrow = ["<", ">", "!"].contains { rest.hasPrefix($0) }
        let isWord = text.dropFirst().hasPrefix(" ") && ["cut", "open"].contains(rest)
        return isArrow || isWord ? (String(first), rest) : ("", text)
    }

    private static func action(_ text: String) throws(LineFault) -> ScriptStep.Action {
        if let rest = text.without(prefix: ">") { return try send(rest) }
        if let rest = text.without(prefix: "<<") {
            let (pattern, within) = try expectation(rest)
            return .eventually(pattern, within: within)
        }
        if let rest = text.without(prefix: "<") {
            let (pattern, within) = try expectation(rest)
            return .next(pattern, within: within)
        }
        if let rest = text.without(prefix: "!") { return try never(rest) }
        return try word(text)
    }

    private static func send(_ text: String) throws(LineFault) -> ScriptStep.Action {
        guard !text.isEmpty else { throw LineFault(problem: "There is nothing to send after `>`.") }
        return .send(text)
    }

    private static func expectation(_ text: String) throws(LineFault) -> (FramePattern, Duration) {
        let (pattern, rest) = try pattern(text)
        guard !rest.isEmpty else { return (pattern, ScriptStep.patience) }
        guard let within = rest.without(prefix: "within"), let duration = DurationText.duration(within) else {
            throw LineFault(problem: "After the frame comes nothing or `within 10s`, not `\(rest)`.")
        }
        return (pattern, duration)
    }

    private static func never(_ text: String) throws(LineFault) -> ScriptStep.Action {
        let (pattern, rest) = try pattern(text)
        guard let duration = DurationText.duration(rest) else {
            throw LineFault(problem: "`!` ends with how long nothing may come, such as `1s`, not with `\(rest)`.")
        }
        return .never(pattern, during: duration)
    }

    private static func word(_ text: String) throws(LineFault) -> ScriptStep.Action {
        if text == "cut" { return .cut }
        if text == "open" { return .open }
        if let rest = text.without(prefix: "wait"), let duration = DurationText.duration(rest) {
            return .wait(duration)
        }
        throw LineFault(
            problem:
                "A line begins with `>`, `<`, `<<`, `!`, `wait 2s`, `cut`, `open` or `#`, not with `\(text.prefix(30))`."
        )
    }

    /// The object that a text begins with, and what follows it.
    private static func pattern(_ text: String) throws(LineFault) -> (FramePattern, String) {
        guard text.hasPrefix("{"), let end = text.lastIndex(of: "}") else {
            throw LineFault(problem: "After the arrow comes a JSON object, not `\(text.prefix(30))`.")
        }
        do {
            let value = try JSONValue(json: Array(text[...end].utf8))
            return (FramePattern(value), String(text[text.index(after: end)...]).trimmed)
        } catch {
            throw LineFault(
                problem: "The frame is not JSON: at byte \(error.offset) there should be \(error.expected).")
        }
    }
}

extension String {
    /// Without blanks around it.
    var trimmed: String {
        let start = drop { $0.isWhitespace }
        return start.lastIndex { !$0.isWhitespace }.map { String(start[...$0]) } ?? ""
    }

    /// What follows a prefix, without blanks around it; nil if the text does not begin so.
    func without(prefix: String) -> String? {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)).trimmed : nil
    }
}

/// One line of a WebSocket script that does something.
struct ScriptStep: Hashable {
    enum Action: Hashable {
        /// `>` sends this text. It need not be JSON: scripts also test the answers to invalid messages.
        case send(String)
        /// `<` the next frame matches.
        case next(FramePattern, within: Duration)
        /// `<<` a frame that comes matches; those before it are passed over.
        case eventually(FramePattern, within: Duration)
        /// `!` no frame that is unread or comes in this time matches. They stay unread.
        case never(FramePattern, during: Duration)
        case wait(Duration)
        /// Drops the connection as a lost network does: no Close frame.
        case cut
        /// Reconnects.
        case open
    }

    /// How long `<` and `<<` wait by default, without `within`.
    static let patience = Duration.seconds(5)

    /// From 1.
    let line: Int
    /// The letter before the arrow; empty for the connection without one.
    let connection: String
    let action: Action
}

/// Why a script can't be read, or at which line it failed.
struct ScriptFault: Error, Hashable, CustomStringConvertible {
    /// `FILE:LINE`
    let place: String
    let problem: String

    var description: String { "\(place): \(problem)" }
}
