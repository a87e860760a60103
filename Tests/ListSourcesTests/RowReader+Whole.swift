import KeyedLists

@testable import ListSources

extension RowReader {
    /// The rows of a whole text, which arrives in pieces of so many bytes.
    static func rows(
        _ bytes: [UInt8], _ layout: RowLayout, of material: String = "the output", pieces: Int = .max
    ) throws -> [ListRow] {
        var reader = RowReader(layout, of: material)
        var rows: [ListRow] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            rows += try Array(rest.prefix(pieces)).withUnsafeBytes { try reader.append($0) }
            rest = rest.dropFirst(pieces)
        }
        return rows + (try reader.finish())
    }

    /// Each row as `key: title`.
    static func titles(_ text: String, _ layout: RowLayout) throws -> [String] {
        try rows(Array(text.utf8), layout).map { "\($0.key): \($0.text("title") ?? "-")" }
    }

    /// What people are told of a text.
    static func fault(_ text: String, _ layout: RowLayout) -> SourceError? {
        do {
            _ = try rows(Array(text.utf8), layout)
            return nil
        } catch {
            return error as? SourceError
        }
    }
}
