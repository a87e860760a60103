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
    ///   - key: What the row is called in its list.
    ///   - title: The first line.
    ///   - subtitle: The second line.
    ///   - detail: Text at the end of the row.
    ///   - time: Milliseconds since 1970.
    ///   - link: The URL that the row opens.
    ///   - image: The URL of a picture.
    ///   - badge: A short mark.
    ///   - section: The heading that it stands under, in a list with sections.
    public init(
        _ key: String, title: String? = nil, subtitle: String? = nil, detail: String? = nil, time: Int64? = nil,
        link: String? = nil, image: String? = nil, badge: String? = nil, section: String? = nil
    ) {
        self.key = Key(key)
        var json = JSONWriter()
        json.beginObject()
        // In the order of RFC 8785, so that nothing needs sorting.
        json.member("badge", ifPresent: badge)
        json.member("detail", ifPresent: detail)
        json.member("image", ifPresent: image)
        json.member("link", ifPresent: link)
        json.member("section", ifPresent: section)
        json.member("subtitle", ifPresent: subtitle)
        if let time { json.member("time", Double(time)) }
        json.member("title", ifPresent: title)
        json.endObject()
        fields = Fields(canonical: json.bytes)
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ name: StaticString, ifPresent text: String?) {
        if let text { member(name, text) }
    }
}

/// The fields that the page knows how to draw. Nil where there is none, or one that is no text; nil takes it away.
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

    /// Milliseconds since 1970, shown as an age.
    public var time: Int64? {
        get { if case .number(let time) = fields["time"] { Int64(exactly: time.rounded()) } else { nil } }
        set { set("time", newValue.map { .number(Double($0)) }) }
    }

    /// The URL that the row opens.
    public var link: String? {
        get { text("link") }
        set { set("link", newValue) }
    }

    /// The URL of a picture.
    public var image: String? {
        get { text("image") }
        set { set("image", newValue) }
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
