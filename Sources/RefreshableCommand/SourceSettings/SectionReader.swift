import ListProtocol
import ListSources
import Yams

/// Reads how the rows of a list are divided into sections.
///
/// ```yaml
/// section: team                                    # by a column, as fields have it: 3, /labels/0/name, "{team}"
/// section: {day: time}                             # by the reader's day of a field that is a time
/// section: {field: badge}                          # by a field that rows have anyway
/// ```
struct SectionReader {
    private static let keys = ["day", "field"]
    private static let length = 64
    /// What a row may be divided by, if nobody pushes others.
    private static let fields = FieldMapping.Field.allCases.filter { $0 != .key }.map(\.rawValue)

    private let list: MappingReader
    private let faults: FaultCollector

    init(_ list: MappingReader, _ faults: FaultCollector) {
        self.list = list
        self.faults = faults
    }

    /// - Parameters:
    ///   - hasColumns: whether the list has a source whose columns can be named. `LayoutReader` reads those.
    ///   - isPushed: whether other programs give it rows, with any fields.
    func read(hasColumns: Bool, isPushed: Bool) -> Sections? {
        guard let node = list["section"] else { return nil }
        guard node.mapping != nil else {
            if !hasColumns { list.fault("section", expected: "{day: time} or {field: badge}, as there are no columns") }
            return .field(FieldMapping.Field.section.rawValue)
        }
        if let text = node.unquoted {
            list.fault("section", expected: "a column, {day: time} or {field: badge}", hint: .word("'\(text)'"))
            return nil
        }
        return divided(node, isPushed: isPushed)
    }

    private func divided(_ node: Node, isPushed: Bool) -> Sections? {
        guard let reader = MappingReader(node, path: "section", of: "section", keys: Self.keys, faults) else {
            return nil
        }
        reader.reportUnknownKeys()
        switch (reader["day"], reader["field"]) {
        case (_?, nil): return name("day", of: reader, isPushed: isPushed).map(Sections.day)
        case (nil, _?): return name("field", of: reader, isPushed: isPushed).map(Sections.field)
        case (_?, _?): list.fault("section", expected: "one of day and field", came: "both")
        case (nil, nil) where !reader.hasUnknownKey: list.fault("section", expected: "day or field", came: "none")
        case (nil, nil): break
        }
        return nil
    }

    private func name(_ key: String, of reader: MappingReader, isPushed: Bool) -> String? {
        guard let name = reader.text(key) else { return nil }
        if isPushed {
            if name.isEmpty || name.utf8.count > Self.length {
                reader.fault(key, expected: "the name of a field, of 1 to \(Self.length) bytes")
            }
        } else if !Self.fields.contains(name) {
            reader.fault(key, expected: "a field of rows", hint: .nearest(to: name, in: Self.fields))
        }
        return name
    }
}
