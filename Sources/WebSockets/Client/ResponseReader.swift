/// The head of an answer to a request of ours (RFC 9112 §4).
struct ResponseHead: Hashable {
    /// 100…599.
    var status: Int
    var headers = HTTPHeaders()
    /// Of HTTP/1.0.
    var isOld = false
}

/// Reads the answer to one request, however its bytes are cut. Pure.
///
/// ```
/// HTTP/1.1 200 OK ⏎ … ⏎ ⏎     body: so many bytes, or chunks, or what comes until the end
///       head ──────────▶          piece, piece …  ──────────────▶  end
/// ```
struct ResponseReader {
    enum Event: Hashable {
        case head(ResponseHead)
        /// A part of the body.
        case piece(ArraySlice<UInt8>)
        /// All of the answer has come.
        case end
        /// It is none, or breaks the rules.
        case fault(String)
    }

    private enum Phase {
        case head
        case body(missing: Int)
        case chunkSize
        case chunk(missing: Int)
        case chunkEnd
        case trailer
        case untilEnd
        case over
    }

    /// Bytes of a head, and of a line of chunks.
    static let headLimit = 32 * 1024
    private static let lineLimit = 4096

    /// Of the request: an answer to HEAD has no body.
    private let method: String
    private var phase = Phase.head
    /// The head, or the line, that has begun to come.
    private var begun: [UInt8] = []

    init(method: String) { self.method = method }

    /// What comes next in `bytes`, of which that is taken away; nil: more must come. A body that nothing delimits ends with
    /// `streamEnded`.
    mutating func next(_ bytes: inout ArraySlice<UInt8>) -> Event? {
        switch phase {
        case .head: return head(&bytes)
        case .body(let missing):
            return piece(&bytes, of: missing) { missing in missing == 0 ? .over : .body(missing: missing) }
        case .chunk(let missing):
            return piece(&bytes, of: missing) { missing in missing == 0 ? .chunkEnd : .chunk(missing: missing) }
        case .untilEnd: return bytes.isEmpty ? nil : piece(&bytes, of: .max) { _ in .untilEnd }
        case .chunkSize, .chunkEnd, .trailer: return line(&bytes)
        case .over: return .end
        }
    }

    /// The peer sends no more. Nil: that is the answer's regular end.
    func streamEnded() -> String? {
        switch phase {
        case .untilEnd, .over: nil
        case .head: begun.isEmpty ? "it closed the connection without a response" : "the answer ended within its head"
        default: "the answer ended early"
        }
    }

    private mutating func piece(
        _ bytes: inout ArraySlice<UInt8>, of missing: Int, _ next: (Int) -> Phase
    ) -> Event? {
        guard !bytes.isEmpty || missing == 0 else { return nil }
        let piece = bytes.prefix(missing)
        bytes = bytes.dropFirst(piece.count)
        phase = next(missing - piece.count)
        return .piece(piece)
    }

    private mutating func head(_ bytes: inout ArraySlice<UInt8>) -> Event? {
        while let byte = bytes.popFirst() {
            begun.append(byte)
            guard begun.count <= Self.headLimit else { return fault("its head is longer than \(Self.headLimit) bytes") }
            guard byte == 0x0A, begun.suffix(4).elementsEqual("\r\n\r\n".utf8) else { continue }
            let head = Self.parsed(begun)
            begun = []
            guard let head else { return fault("what it answered is not HTTP/1.1") }
            // Before the answer proper (RFC 9110 §15.2); 101 is one.
            if (100..<200).contains(head.status), head.status != 101 { continue }
            guard let phase = framing(of: head) else { return fault("the length of its body can't be read") }
            self.phase = phase
            return .head(head)
        }
        return nil
    }

    /// RFC 9112 §6.3.
    private func framing(of head: ResponseHead) -> Phase? {
        if method == "HEAD" || [101, 204, 304].contains(head.status) { return .over }
        if head.headers["Transfer-Encoding"] != nil {
            return head.headers.list("Transfer-Encoding").last?.equalsIgnoringCase("chunked") == true
                ? .chunkSize : .untilEnd
        }
        guard let text = head.headers["Content-Length"] else { return .untilEnd }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(text) else { return nil }
        return length == 0 ? .over : .body(missing: length)
    }

    /// A line of chunks: a size, the end of one, or of the trailer (RFC 9112 §7.1).
    private mutating func line(_ bytes: inout ArraySlice<UInt8>) -> Event? {
        while let byte = bytes.popFirst() {
            begun.append(byte)
            guard begun.count <= Self.lineLimit else { return fault("a line between chunks is too long") }
            guard byte == 0x0A else { continue }
            let line = begun.dropLast(begun.suffix(2).first == 0x0D ? 2 : 1)
            begun = []
            switch phase {
            case .chunkSize:
                guard let size = Self.chunkSize(line) else { return fault("the size of a chunk can't be read") }
                phase = size == 0 ? .trailer : .chunk(missing: size)
            case .chunkEnd:
                guard line.isEmpty else { return fault("a chunk is longer than its size") }
                phase = .chunkSize
            default: if line.isEmpty { phase = .over }
            }
            return next(&bytes)
        }
        return nil
    }

    private mutating func fault(_ text: String) -> Event {
        phase = .over
        return .fault(text)
    }

    private static func chunkSize(_ line: ArraySlice<UInt8>) -> Int? {
        let digits = line.prefix { $0.hexDigit != nil }
        let rest = line.dropFirst(digits.count).first
        guard (1...15).contains(digits.count), rest == nil || [0x3B, 0x20, 0x09].contains(rest) else { return nil }
        return digits.reduce(0) { $0 << 4 | Int($1.hexDigit ?? 0) }
    }

    private static func parsed(_ bytes: [UInt8]) -> ResponseHead? {
        let lines = bytes.dropLast(4).split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
            line.last == 0x0D ? line.dropLast() : line
        }
        guard let first = lines.first, first.starts(with: "HTTP/1.".utf8), first.count >= 12,
            let status = Int(String(decoding: first.dropFirst(9).prefix(3), as: UTF8.self)),
            (100...599).contains(status)
        else { return nil }
        var head = ResponseHead(status: status, isOld: first.dropFirst(7).first == 0x30)
        for line in lines.dropFirst() {
            let field = line.withUnsafeBytes { try? FieldLine(UnsafeRawBufferPointer($0)) }
            guard let field else { return nil }
            head.headers.receive(field.name, field.value)
        }
        return head
    }
}
