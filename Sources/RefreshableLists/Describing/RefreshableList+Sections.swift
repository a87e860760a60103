public import KeyedLists
package import ListProtocol
import ListSources

/// Lists in sections: consecutive rows of one section share a heading, which stays in view while they pass.
///
/// ```swift
/// RefreshableList("mailbox").refreshable { … }.sectionByDay()            // Today, Yesterday, Monday, 12 November
/// RefreshableList("market").refreshable { … }.section { $0.badge }
/// ```
///
/// The order of rows stays the list's own: rows of one section that are apart have a heading each. The last of these
/// modifiers counts.
extension RefreshableList {
    /// Divides the rows by the heading that `heading` gives to each; rows for which it is nil have none.
    ///
    /// It becomes the row's field `section`, of whatever a handler gives, of pages, edits and pushes. Rows that were stored
    /// before keep theirs until they come again.
    ///
    /// - Parameter heading: Called on any thread, for each row: answer at once.
    public func section(_ heading: @escaping @Sendable (ListRow) -> String?) -> Self {
        with { list in
            list.section = .field("section")
            list.heading = heading
        }
    }

    /// Divides the rows by what a field of theirs says: a text, or a number.
    public func section(by field: String) -> Self { sections(.field(field)) }

    /// Divides the rows by the day of a time: Today, Yesterday, Monday, 12 November. Each reader sees the days of their own
    /// time zone, in their language.
    ///
    /// - Parameter field: has milliseconds since 1970, or a text of ISO 8601.
    public func sectionByDay(of field: String = "time") -> Self { sections(.day(field)) }

    package func sections(_ sections: Sections?) -> Self {
        with { list in
            list.section = sections
            list.heading = nil
        }
    }

    /// The rows that it begins with, with the headings of their sections.
    var headedInitialRows: [ListRow]? { initialRows?.map { $0.headed(by: heading) } }
}

extension ListRow {
    /// The row with the heading of its section.
    func headed(by heading: (@Sendable (ListRow) -> String?)?) -> ListRow {
        guard let heading else { return self }
        let text = heading(self)
        guard text != section else { return self }
        var row = self
        row.section = text
        return row
    }
}

extension WindowRows {
    /// The rows with the headings of their sections.
    func headed(by heading: (@Sendable (ListRow) -> String?)?) -> WindowRows {
        guard heading != nil else { return self }
        var read = self
        read.rows = rows.map { $0.headed(by: heading) }
        return read
    }
}

extension RunEvent {
    /// What a handler gives, with the headings of its rows.
    func headed(by heading: (@Sendable (ListRow) -> String?)?) -> RunEvent {
        guard let heading else { return self }
        switch self {
        case .rows(let rows): return .rows(rows.map { $0.headed(by: heading) })
        case .page(let page): return .page(MorePage(page.rows.map { $0.headed(by: heading) }, isLast: page.isLast))
        case .windows(let reads): return .windows(reads.mapValues { $0.headed(by: heading) })
        case .progress, .returned, .edited, .threw: return self
        }
    }
}
