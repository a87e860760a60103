import CTerminal
import Dispatch

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The terminal that this program was started in: drawn on as a whole, read a key at a time, put back as it was.
///
/// The alternate screen, the cursor and line wrap by the private modes of xterm that every terminal of today knows.
final class Terminal {
    private let before: shim_terminal_settings
    private var drawn: [String] = []
    private var size: Screen.Size?

    /// Whether standard input and output are a terminal that can be drawn on.
    static func isDrawable(_ name: String?) -> Bool {
        isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && name != nil && name != "" && name != "dumb"
    }

    /// Takes the terminal over; `restore` gives it back.
    init() {
        before = shim_read_keys(STDIN_FILENO)
        Self.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l")
    }

    func restore() {
        Self.write("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
        shim_restore_settings(STDIN_FILENO, before)
    }

    /// As large as it is now; 80 by 24 where it can't say.
    static func currentSize() -> Screen.Size {
        var columns: UInt16 = 80
        var rows: UInt16 = 24
        _ = shim_terminal_size(STDOUT_FILENO, &columns, &rows)
        return Screen.Size(columns: Int(columns), rows: Int(rows))
    }

    /// Draws the lines that are others than before, in one write.
    func draw(_ lines: [String], size: Screen.Size) {
        var text = ""
        if size != self.size {
            text = "\u{1B}[2J"
            drawn = []
            self.size = size
        }
        for (number, line) in lines.enumerated() where !drawn.indices.contains(number) || drawn[number] != line {
            // Erased first: after a line as wide as the window, the cursor stands on its last character.
            text += "\u{1B}[\(number + 1);1H\u{1B}[2K\(line)"
        }
        drawn = lines
        if !text.isEmpty { Self.write(text) }
    }

    /// Bytes as they are typed, on a queue of its own; nil at the end of the input.
    static func keys(_ typed: @escaping @Sendable ([UInt8]) -> Void) -> any DispatchSourceRead {
        let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .global())
        source.setEventHandler {
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = read(STDIN_FILENO, &bytes, bytes.count)
            guard count > 0 else { return source.cancel() }
            typed(Array(bytes.prefix(count)))
        }
        source.resume()
        return source
    }

    /// Calls `resized` whenever the window has another size.
    static func sizes(_ resized: @escaping @Sendable () -> Void) -> any DispatchSourceSignal {
        let source = DispatchSource.makeSignalSource(signal: SIGWINCH, queue: .global())
        source.setEventHandler(handler: resized)
        source.resume()
        return source
    }

    private static func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { systemWrite($0) }
            if count < 0, errno != EINTR, errno != EAGAIN { return }
            bytes = bytes.dropFirst(max(0, count))
        }
    }
}

private func systemWrite(_ bytes: UnsafeRawBufferPointer) -> Int {
    write(STDOUT_FILENO, bytes.baseAddress, bytes.count)
}

/// A key press.
enum KeyPress: Equatable {
    case refresh, stop, quit, find
    case up, down, pageUp, pageDown, top, bottom

    /// Reads the bytes that a terminal sends, of which several keys may have come at once; others are passed over.
    static func all(in bytes: [UInt8]) -> [KeyPress] {
        var presses: [KeyPress] = []
        var rest = bytes[...]
        while let first = rest.first {
            let (press, length) = first == 0x1B ? sequence(rest) : (keys[Character(UnicodeScalar(first))], 1)
            if let press { presses.append(press) }
            rest = rest.dropFirst(length)
        }
        return presses
    }

    /// CSI and SS3 sequences end at the first byte from @ to ~ (ECMA-48 §5.4).
    private static func sequence(_ bytes: ArraySlice<UInt8>) -> (KeyPress?, Int) {
        let body = bytes.dropFirst()
        guard let kind = body.first, kind == UInt8(ascii: "[") || kind == UInt8(ascii: "O") else { return (nil, 1) }
        guard let end = body.dropFirst().firstIndex(where: { 0x40...0x7E ~= $0 }) else { return (nil, bytes.count) }
        let text = String(decoding: body.dropFirst()[...end], as: UTF8.self)
        return (sequences[text], end - bytes.startIndex + 1)
    }

    private static let keys: [Character: KeyPress] = [
        "r": .refresh, "R": .refresh, "c": .stop, "C": .stop, "q": .quit, "Q": .quit, "\u{3}": .quit, "\u{4}": .quit,
        "/": .find, "k": .up, "j": .down, "g": .top, "G": .bottom, " ": .pageDown, "b": .pageUp,
    ]

    private static let sequences: [String: KeyPress] = [
        "A": .up, "B": .down, "5~": .pageUp, "6~": .pageDown, "H": .top, "F": .bottom, "1~": .top, "4~": .bottom,
    ]
}
