import KeyedLists

/// Frames that no server sends, but that scripts can match.
enum ScriptFrames {
    /// How a connection ended.
    static func close(code: UInt16, reason: String) -> String {
        JSONValue.object([
            "type": .string("close"), "code": .number(Double(code)), "reason": .string(reason),
        ]).text
    }
}
