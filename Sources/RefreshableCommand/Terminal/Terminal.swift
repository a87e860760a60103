// libuv's header declares `termios`, too: to the compiler it is of whichever module was loaded first.
import CLibuv
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
    private let before: termios
    private var drawn: [String] = []
    private var size: Screen.Size?

    /// Whether standard input and output are a terminal that can be drawn on.
    static func isDrawable(_ name: String?) -> Bool {
        isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && name != nil && name != "" && name != "dumb"
    }

    /// Takes the terminal over; `restore` gives it back.
    init() {
        var settings = termios()
        tcgetattr(STDIN_FILENO, &settings)
        before = settings
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        Self.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l")
    }

    func restore() {
        Self.write("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
        var settings = before
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }

    /// As large as it is now; 80 by 24 where it can't say.
    static func currentSize() -> Screen.Size {
        var window = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
            return Screen.Size(columns: 80, rows: 24)
        }
        return Screen.Size(columns: Int(window.ws_col), rows: Int(window.ws_row))
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
