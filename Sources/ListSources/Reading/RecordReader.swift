import KeyedLists

/// Cuts bytes that arrive in pieces into records, by their format.
package struct RecordReader {
    /// The longest line that is read. A row of 16 KiB fits with room for columns that no field uses.
    package static let lineLimit = 256 << 10

    private enum Form {
        case lines(LineSplitter)
        case csv(CSVReader)
        case json(JSONDocument)
        case feed(FeedDocument)
    }

    private let layout: RowLayout
    /// The material's name in messages: "the output".
    private let material: String
    private var form: Form
    private var decoder: TextDecoder
    private var line = 0

    /// - Parameter encoding: as the origin declares it; nil: it declares none.
    init(_ layout: RowLayout, of material: String, encoding: TextEncoding? = nil) {
        self.layout = layout
        self.material = material
        // RFC 8259 §8.1 and §11: JSON is UTF-8, and what headers say of it means nothing.
        let isJSON = layout.format == .json || layout.format == .jsonl
        let told = layout.encoding ?? (isJSON ? nil : encoding)
        decoder = TextDecoder(told ?? .utf8)
        form =
            switch layout.format {
            case .lines, .jsonl, .tsv: .lines(LineSplitter(limit: Self.lineLimit))
            case .csv: .csv(CSVReader(limit: Self.lineLimit))
            case .json: .json(JSONDocument())
            case .feed: .feed(FeedDocument(told))
            }
    }

    /// Hands over the records that are whole with these bytes.
    ///
    /// - Throws: what `each` throws, and `SourceError`.
    mutating func append(_ bytes: UnsafeRawBufferPointer, each: (Record) throws -> Void) throws {
        do { try pass(bytes, each: each) } catch { throw explain(error) }
    }

    /// Hands over what is whole because nothing follows.
    mutating func finish(each: (Record) throws -> Void) throws {
        do {
            if !isFeed { try take(decoder.finish(), each: each) }
            try end(each: each)
        } catch {
            throw explain(error)
        }
    }

    /// A feed declares its own encoding, so it is decoded when it is complete.
    private mutating func pass(_ bytes: UnsafeRawBufferPointer, each: (Record) throws -> Void) throws {
        guard case .feed(var document) = form else { return try take(decoder.decode(bytes), each: each) }
        form = .json(JSONDocument())
        document.append(bytes)
        form = .feed(document)
    }

    private var isFeed: Bool { if case .feed = form { true } else { false } }

    private mutating func take(_ bytes: [UInt8], each: (Record) throws -> Void) throws {
        switch form {
        case .lines(var splitter):
            // Put back before it is used, so that its bytes are not copied.
            defer { form = .lines(splitter) }
            form = .json(JSONDocument())
            try bytes.withUnsafeBytes { try splitter.append($0) { try take(line: $0, each: each) } }
        case .csv(var reader):
            defer { form = .csv(reader) }
            form = .json(JSONDocument())
            try reader.append(bytes) { try take($0, $1, each: each) }
        case .json(var document):
            form = .json(JSONDocument())
            document.append(bytes)
            form = .json(document)
        case .feed: break
        }
    }

    private mutating func end(each: (Record) throws -> Void) throws {
        switch form {
        case .lines(var splitter): try splitter.finish { try take(line: $0, each: each) }
        case .csv(var reader): try reader.finish { try take($0, $1, each: each) }
        case .json(let document): try document.read(rows: layout.rows, each: each)
        case .feed(let document): try document.read(each: each)
        }
    }

    private mutating func take(line bytes: UnsafeRawBufferPointer, each: (Record) throws -> Void) throws {
        line += 1
        let text = try text(bytes, line: line)
        guard text.utf8.contains(where: { !$0.isBlank }) else { return }
        try each(Record(place: .line(line), content: try content(text, bytes)))
    }

    private func content(_ text: String, _ bytes: UnsafeRawBufferPointer) throws -> Record.Content {
        guard layout.format == .jsonl else { return .line(text) }
        do {
            return .json(try JSONRecord(Array(bytes)))
        } catch {
            let place = TextPosition(line: line, column: TextPosition(at: error.offset, in: Array(bytes)).column)
            throw fault(at: place, "is not JSON: there should be \(error.expected).", Array(bytes))
        }
    }

    private func take(_ line: Int, _ cells: [[UInt8]], each: (Record) throws -> Void) throws {
        try each(
            Record(
                place: .line(line),
                content: .table(try cells.map { try $0.withUnsafeBytes { try text($0, line: line) } })))
    }

    private func text(_ bytes: UnsafeRawBufferPointer, line: Int) throws(SourceError) -> String {
        if bytes.contains(0) {
            throw Self.fault("Line \(line) of \(material) is not text: it has a zero byte.", Array(bytes))
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Self.fault(
                "Line \(line) of \(material) is not UTF-8 text.", Array(bytes),
                advice: " If it is of another encoding, say so: encoding: windows-1252")
        }
        return text
    }
}

extension RecordReader {
    /// The message of an error.
    private func explain(_ error: any Error) -> any Error {
        switch error {
        case is LineTooLong:
            SourceError(
                message: "Line \(line + 1) of \(material) is longer than \(ByteCount.text(Self.lineLimit)).",
                detail: "Rows are lines: is the format right?")
        case let fault as CSVReader.Fault: SourceError(message: "\(fault.place) of \(material): \(fault.problem).")
        case let fault as JSONDocument.Fault: explain(fault)
        case let fault as FeedDocument.Fault: explain(fault)
        default: error
        }
    }

    private func explain(_ fault: JSONDocument.Fault) -> SourceError {
        let place =
            layout.rows.tokens.isEmpty ? "\(Self.capital(material))" : "What is at \(layout.rows) of \(material)"
        switch fault {
        case .notJSON(let error, let place, let bytes):
            return self.fault(at: place, "is not JSON: there should be \(error.expected).", bytes)
        case .nothing(let names):
            return SourceError(
                message: "There is nothing at \(layout.rows) of \(material). An array of rows is expected.",
                detail: names.isEmpty ? "" : "There are: \(names.prefix(20).joined(separator: ", "))")
        case .noArray(let kind, let arrays):
            let advice = arrays.prefix(10).map { "rows: \($0)" }.joined(separator: ", ")
            return SourceError(
                message: "\(place) is \(kind.phrase). An array of rows is expected.",
                detail: advice.isEmpty ? "" : "There are arrays in it. Say which has the rows: \(advice)")
        }
    }

    private func explain(_ fault: FeedDocument.Fault) -> SourceError {
        guard let place = fault.place else {
            return SourceError(message: "\(Self.capital(material)) \(fault.problem).", detail: fault.advice)
        }
        return SourceError(message: "\(place) of \(material): \(fault.problem).", detail: fault.advice)
    }

    private func fault(at place: TextPosition, _ problem: String, _ bytes: [UInt8]) -> SourceError {
        Self.fault("\(place) of \(material) \(problem)", bytes)
    }

    /// A fault, with the beginning of what has it for the log.
    private static func fault(_ problem: String, _ bytes: [UInt8], advice: String = "") -> SourceError {
        let start = bytes.prefix(80).map { (32...126).contains($0) ? String(Unicode.Scalar($0)) : "·" }.joined()
        return SourceError(message: problem, detail: "It begins: \(start)\(advice)")
    }

    private static func capital(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}

extension JSONKind {
    /// With its article, for messages.
    var phrase: String {
        switch self {
        case .null: "null"
        case .bool: "true or false"
        case .number: "a number"
        case .string: "a text"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// Cuts bytes that arrive in pieces into lines. A line ends with LF or CR LF; the last one may go without.
package struct LineSplitter {
    /// The longest line that is read, in bytes.
    package let limit: Int
    private var rest: [UInt8] = []

    package init(limit: Int) {
        self.limit = limit
    }

    /// Hands every line that is whole now to `body`, without its end. Its bytes are there until `body` returns.
    ///
    /// - Throws: what `body` throws, and `LineTooLong`.
    package mutating func append(
        _ bytes: UnsafeRawBufferPointer, each body: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        var start = bytes.startIndex
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
            start = end + 1
            guard !rest.isEmpty else {
                try pass(line, to: body)
                continue
            }
            rest.append(contentsOf: line)
            try passRest(to: body)
        }
        rest.append(contentsOf: bytes[start...])
        if rest.count > limit { throw LineTooLong(limit: limit) }
    }

    /// Hands over the line that the output ended in, if it did not end in a line's end.
    package mutating func finish(each body: (UnsafeRawBufferPointer) throws -> Void) throws {
        if !rest.isEmpty { try passRest(to: body) }
    }

    private mutating func passRest(to body: (UnsafeRawBufferPointer) throws -> Void) throws {
        defer { rest.removeAll(keepingCapacity: true) }
        try rest.withUnsafeBytes { try pass($0, to: body) }
    }

    private func pass(_ line: UnsafeRawBufferPointer, to body: (UnsafeRawBufferPointer) throws -> Void) throws {
        if line.count > limit { throw LineTooLong(limit: limit) }
        try body(line.last == UInt8(ascii: "\r") ? UnsafeRawBufferPointer(rebasing: line.dropLast()) : line)
    }
}

/// A line went on for longer than is read.
package struct LineTooLong: Error, Hashable {
    let limit: Int
}
