import KeyedLists

@testable import ListSources

/// The readers of what strangers write, each as one function of bytes. `Scripts/fuzz` gives them noise, and
/// `FuzzCorpusTests` what noise has found.
enum FuzzedReader: String, CaseIterable {
    case csv, feed, jsonl, pointer

    /// What the reader got wrong with these bytes, other than to crash; nil: nothing.
    func fault(of bytes: [UInt8]) -> String? {
        switch self {
        case .csv: Self.fault(of: bytes, RowLayout(.csv)) ?? Self.fault(of: bytes, RowLayout(.csv, encoding: .utf16))
        case .feed: Self.fault(of: bytes, RowLayout(.feed)) ?? Self.faultOfTexts(bytes)
        case .jsonl: Self.fault(of: bytes, RowLayout(.jsonl)) ?? Self.fault(of: bytes, RowLayout(.json))
        case .pointer: Self.faultOfPointer(bytes)
        }
    }

    /// Rows or a fault for people, and the same whether the bytes come at once or one by one.
    private static func fault(of bytes: [UInt8], _ layout: RowLayout) -> String? {
        let whole = outcome(of: bytes, layout, pieces: .max)
        // What is a document is gathered before it is read.
        if bytes.count < (layout.format.isDocument ? 256 : 4096), outcome(of: bytes, layout, pieces: 1) != whole {
            return "Pieces read otherwise."
        }
        guard case .rows(let rows) = whole else { return nil }
        if Set(rows.map(\.key)).count != rows.count { return "Two rows have one key." }
        return rows.contains { $0.key.string.isEmpty || $0.key.string.utf8.count > 256 } ? "A key is no key." : nil
    }

    private enum Outcome: Equatable {
        case rows([ListRow])
        case fault(SourceError)
    }

    private static func outcome(of bytes: [UInt8], _ layout: RowLayout, pieces: Int) -> Outcome {
        do {
            return .rows(try RowReader.rows(bytes, layout, pieces: pieces))
        } catch let error as SourceError {
            return .fault(error)
        } catch {
            preconditionFailure("People can't be told of this: \(error)")
        }
    }

    /// What is HTML and what is a date in a feed need not be a feed.
    private static func faultOfTexts(_ bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        _ = FeedDate.milliseconds(text)
        _ = HTMLText.firstImage(text)
        let plain = HTMLText.plain(HTMLText.escaped(text))
        return plain.contains("  ") ? "Two blanks are left." : nil
    }

    /// A line that says what is looked for, and JSON in which to look.
    private static func faultOfPointer(_ bytes: [UInt8]) -> String? {
        let line = bytes.prefix { $0 != 10 }
        let json = Array(bytes.dropFirst(line.count + 1))
        let text = String(decoding: line, as: UTF8.self)
        for reader in [SourceColumn.init, TextTemplate.init, Comparison.init, RowOrder.init] as [(String) -> Any?] {
            _ = reader(text)
        }
        _ = Timestamp.milliseconds(text)
        guard let pointer = JSONPointer(text) else { return nil }
        if pointer.description != text { return "It is written otherwise than it is read." }
        return fault(of: json, RowLayout(.json, rows: pointer, fields: [.title: .pointer(pointer), .key: .name(text)]))
    }
}
