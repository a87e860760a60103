import Pulling

/// The words of one cell of a table, read from left to right.
struct Words {
    private(set) var rest: ArraySlice<String>

    init(_ words: [String]) { rest = words[...] }

    mutating func next() throws -> String {
        guard let word = rest.popFirst() else { throw TraceError(reason: "a word is missing") }
        return word
    }

    mutating func number<Number: LosslessStringConvertible>() throws -> Number {
        let word = try next()
        guard let number = Number(word) else { throw TraceError(reason: "not a number: \(word)") }
        return number
    }

    mutating func phase() throws -> Pull.Phase {
        let word = try next()
        guard let phase = Pull.Phase(rawValue: word) else { throw TraceError(reason: "no such phase: \(word)") }
        return phase
    }

    /// The number after `name`, if that is the next word.
    mutating func value<Number: LosslessStringConvertible>(of name: String) throws -> Number? {
        guard let word = rest.first else { return nil }
        guard word == name else { throw TraceError(reason: "no such word here: \(word)") }
        rest.removeFirst()
        return try number()
    }

    func finish() throws {
        if let word = rest.first { throw TraceError(reason: "no such word here: \(word)") }
    }
}
