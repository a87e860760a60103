import KeyedLists

/// Reads the cells of one record as texts and fields, and says where one can't be read.
struct CellReading {
    let place: Record.Place
    private let cells: Cells
    private let material: String
    private let base: WebURL?

    init(_ cells: Cells, of place: Record.Place, in material: String, base: WebURL? = nil) {
        self.cells = cells
        self.place = place
        self.material = material
        self.base = base
    }

    /// The text of a column; nil where it is not there. An object or an array is a fault.
    func text(_ column: Column) throws(SourceError) -> String? {
        try text(column, isURL: false, for: "column \(column)")
    }

    /// The text of a key, of which nothing may be missing.
    func key(_ column: Column) throws(SourceError) -> String? {
        if case .template(let template) = column {
            for column in template.columns where cells[column] == nil { return nil }
        }
        return try text(column, isURL: false, for: "key")
    }

    /// What a field shows; nil where its column is not there.
    func value(of field: FieldMapping.Field, _ column: Column) throws(SourceError) -> JSONValue? {
        let isURL = field == .link || field == .image
        guard let text = try text(column, isURL: isURL, for: field.rawValue) else { return nil }
        if isURL, let base, let url = WebURL(text, relativeTo: base) { return .string(url.text) }
        guard field == .time else { return .string(text) }
        guard !text.isEmpty else { return nil }
        guard let time = Timestamp.milliseconds(text) else {
            throw fault(
                "has “\(text.prefix(40))” for its time. ISO 8601, or seconds or milliseconds since 1970, is expected.")
        }
        return .number(Double(time))
    }

    /// A fault of this record.
    func fault(_ problem: String, detail: String = "") -> SourceError {
        SourceError(message: "\(place) of \(material) \(problem)", detail: detail)
    }

    private func text(_ column: Column, isURL: Bool, for purpose: String) throws(SourceError) -> String? {
        if case .template(let template) = column {
            return try template.filled(isURL: isURL) { (column) throws(SourceError) in
                try text(column, isURL: isURL, for: purpose)
            }
        }
        switch cells[column] {
        case .text(let text): return text
        case nil: return nil
        case .structure:
            throw fault("has an object or an array for its \(purpose). A text, a number, true or false is expected.")
        }
    }
}
