/// The fields that the page knows how to draw. Nil where there is none, or one that is no text; nil takes it away.
///
/// Each change writes all fields anew: of many at once, make a row.
extension Row {
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
