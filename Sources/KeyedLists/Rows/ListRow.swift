#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A row as a source gives it: a key, and the fields to show.
public struct ListRow: Hashable, Sendable {
    /// What the row is called in its list.
    public var key: Key
    /// What there is to show.
    public var fields: Fields

    /// Makes a row of a key and its fields.
    public init(key: Key, fields: Fields = Fields()) {
        self.key = key
        self.fields = fields
    }

    /// Makes a row of the fields that the page knows how to draw; those that are `nil` are left out.
    ///
    /// - Parameters:
    ///   - key: What the row is called in its list: a text, a number, or an identifier of yours.
    ///   - title: The first line.
    ///   - subtitle: The second line.
    ///   - detail: Text at the end of the row.
    ///   - time: Shown as an age. Kept in whole milliseconds.
    ///   - link: What the row opens. One without a scheme is relative to the page.
    ///   - image: A picture, as `link`.
    ///   - badge: A short mark.
    ///   - section: The heading that it stands under, in a list with sections.
    public init(
        _ key: some LosslessStringConvertible, title: String? = nil, subtitle: String? = nil, detail: String? = nil,
        time: Date? = nil, link: URL? = nil, image: URL? = nil, badge: String? = nil, section: String? = nil
    ) {
        self.key = Key(key)
        var json = JSONWriter()
        json.beginObject()
        // In the order of RFC 8785, so that nothing needs sorting.
        json.member("badge", ifPresent: badge)
        json.member("detail", ifPresent: detail)
        json.member("image", ifPresent: image?.absoluteString)
        json.member("link", ifPresent: link?.absoluteString)
        json.member("section", ifPresent: section)
        json.member("subtitle", ifPresent: subtitle)
        if let time { json.member("time", Double(time.milliseconds)) }
        json.member("title", ifPresent: title)
        json.endObject()
        fields = Fields(canonical: json.bytes)
    }

    /// As above, with a UUID for its key.
    public init(
        _ key: UUID, title: String? = nil, subtitle: String? = nil, detail: String? = nil,
        time: Date? = nil, link: URL? = nil, image: URL? = nil, badge: String? = nil, section: String? = nil
    ) {
        self.init(
            Key(key), title: title, subtitle: subtitle, detail: detail, time: time, link: link, image: image,
            badge: badge, section: section)
    }
}

extension Date {
    /// The time so many milliseconds after 1970, as the protocol counts.
    package init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }

    /// Whole milliseconds since 1970. Beyond what JSON holds exactly, the nearest that it does.
    package var milliseconds: Int64 {
        let count = (timeIntervalSince1970 * 1000).rounded()
        let greatest = Double(1 << 53)
        return count.isNaN ? 0 : Int64(min(max(count, -greatest), greatest))
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ name: StaticString, ifPresent text: String?) {
        if let text { member(name, text) }
    }
}

/// The fields that the page knows how to draw. Nil where there is none, or one of another kind; nil takes it away.
///
/// Each change writes all fields anew: of many at once, make a row.
extension ListRow {
    /// The first line.
    public var title: String? {
        get { text("title") }
        set { set("title", newValue) }
    }

    /// The second line.
    public var subtitle: String? {
        get { text("subtitle") }
        set { set("subtitle", newValue) }
    }

    /// Text at the end of the row.
    public var detail: String? {
        get { text("detail") }
        set { set("detail", newValue) }
    }

    /// Shown as an age.
    public var time: Date? {
        get { if case .number(let time) = fields["time"] { Date(timeIntervalSince1970: time / 1000) } else { nil } }
        set { set("time", newValue.map { .number(Double($0.milliseconds)) }) }
    }

    /// What the row opens.
    public var link: URL? {
        get { text("link").flatMap(URL.init(string:)) }
        set { set("link", newValue?.absoluteString) }
    }

    /// A picture.
    public var image: URL? {
        get { text("image").flatMap(URL.init(string:)) }
        set { set("image", newValue?.absoluteString) }
    }

    /// A short mark.
    public var badge: String? {
        get { text("badge") }
        set { set("badge", newValue) }
    }

    /// The heading that it stands under, in a list with sections.
    public var section: String? {
        get { text("section") }
        set { set("section", newValue) }
    }

    private func text(_ name: Key) -> String? {
        if case .string(let text) = fields[name] { text } else { nil }
    }

    private mutating func set(_ name: Key, _ text: String?) { set(name, text.map(JSONValue.string)) }

    private mutating func set(_ name: Key, _ value: JSONValue?) {
        var members = fields.members
        members[name] = value
        fields = Fields(members)
    }
}
