import KeyedLists

/// How the rows of a list are divided into sections: consecutive rows that say the same share a heading. The order stays
/// the list's own, so that rows of one section that are apart have a heading each.
public enum Sections: Hashable, Sendable {
    /// By what the field of this name says: a text, or a number.
    case field(String)
    /// By the reader's calendar day of the field of this name, which is a time. The page tells the day, in the language and
    /// the time zone of its reader.
    case day(String)
}

extension Sections {
    func write(to writer: inout JSONWriter) {
        switch self {
        case .field(let name): writer.member("field", name)
        case .day(let name): writer.member("day", name)
        }
    }

    /// Nil where a later version divides rows in a way that is none of ours: they are shown without headings.
    init?(_ members: Members) throws(MessageError) {
        if let name = try members.optional("day", members.string) {
            self = .day(name)
        } else if let name = try members.optional("field", members.string) {
            self = .field(name)
        } else {
            return nil
        }
    }
}
