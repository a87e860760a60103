/// One piece of XML, or of HTML.
enum XMLToken: Hashable {
    /// `<name a="b">`, all names in small letters.
    case start(name: String, attributes: [String: String], isEmpty: Bool)
    /// `</name>`
    case end(name: String)
    /// What stands between tags, and in CDATA sections.
    case text(String)
    /// The bytes end amid a tag, a comment or the like.
    case cut
}
