public import KeyedLists

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Sequence where Element: Encodable {
    /// Makes a row of each value.
    ///
    /// ```swift
    /// .refreshable {
    ///     try await mailbox.fetch().rows(key: \.id, title: \.subject, subtitle: \.sender.name, time: \.sentAt)
    /// }
    /// ```
    ///
    /// A row's fields are the value's own members, as it encodes them (dates in milliseconds since 1970, data in
    /// base 64), for a page of yours to draw; and those given here, which our page draws, and which win where names
    /// meet. So what people must not see must not be encoded: everybody who watches the list is sent it. A value that
    /// encodes as something else than an object has the fields given here alone.
    ///
    /// - Parameters:
    ///   - key: tells the value from all others of the list, for as long as it is the same: an identifier.
    ///   - title: the first line.
    ///   - subtitle: the second line.
    ///   - detail: text at the end of the row.
    ///   - time: shown as an age.
    ///   - link: the URL that the row opens.
    ///   - image: the URL of a picture.
    ///   - badge: a short mark.
    /// - Throws: `RowsError` for the first value that cannot be encoded.
    public func rows(
        key: (Element) -> some CustomStringConvertible, title: ((Element) -> String?)? = nil,
        subtitle: ((Element) -> String?)? = nil, detail: ((Element) -> String?)? = nil,
        time: ((Element) -> Date?)? = nil, link: ((Element) -> String?)? = nil,
        image: ((Element) -> String?)? = nil, badge: ((Element) -> String?)? = nil
    ) throws(RowsError) -> [Row] {
        let encoder = JSONEncoder.forRows
        var rows: [Row] = []
        rows.reserveCapacity(underestimatedCount)
        for value in self {
            let time = time?(value).map { Int64(($0.timeIntervalSince1970 * 1000).rounded()) }
            let shown = Row(
                key(value).description, title: title?(value), subtitle: subtitle?(value), detail: detail?(value),
                time: time, link: link?(value), image: image?(value), badge: badge?(value))
            rows.append(try shown.adding(value, encoder))
        }
        return rows
    }
}

extension JSONEncoder {
    /// Times as they are everywhere in the protocol.
    fileprivate static var forRows: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .millisecondsSince1970
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        return encoder
    }
}

extension Row {
    /// The row with a value's own members beside its fields.
    fileprivate func adding(_ value: some Encodable, _ encoder: JSONEncoder) throws(RowsError) -> Row {
        do {
            guard case .object(let members) = try JSONValue(json: Array(try encoder.encode(value))) else { return self }
            return Row(key: key, fields: Fields(members.merging(fields.members) { _, shown in shown }))
        } catch {
            throw .notEncodable(key: key.string, underlying: error)
        }
    }
}
