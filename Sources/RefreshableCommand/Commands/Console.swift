#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Writes lines for people and for programs that read them, at once and whole, also into a pipe. Nothing else in the command
/// writes any, so whatever was written by strangers is made fit for a terminal here.
enum Console {
    /// To people, on standard output. Lines and tabs stay.
    static func say(_ text: String) { write(TerminalText.lines(text), to: STDOUT_FILENO) }

    /// To people, on standard error.
    static func warn(_ text: String) { write(TerminalText.lines(text), to: STDERR_FILENO) }

    /// To people, with `Style`: whoever calls has made the text itself fit.
    static func draw(_ text: String) { write(text, to: STDOUT_FILENO) }

    /// To programs, on standard output: the same JSON, whatever escapes it takes.
    static func tell(json: String) { write(TerminalText.json(json), to: STDOUT_FILENO) }

    /// To programs, on standard output: as it is, unless people read it.
    static func tell(_ text: String) { isatty(STDOUT_FILENO) == 1 ? say(text) : write(text, to: STDOUT_FILENO) }

    /// The log, on standard error: whoever calls has made it fit.
    static func log(_ line: String) { write(line, to: STDERR_FILENO) }

    private static func write(_ line: String, to descriptor: Int32) {
        var bytes = Array((line + "\n").utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            // A reader that has gone away is no reason to stop serving.
            if count < 0, errno != EINTR { return }
            bytes = bytes.dropFirst(max(0, count))
        }
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
