import KeyedLists
import ListProtocol
import ListStorage
import WebPush
import WebSockets

/// What a page's worker is told: the facts. The worker words them in the language of its page.
///
///     {"list":"mail","title":"Mail","count":3,"noun":{"one":"letter","other":"letters"},"row":{"key":"k7","title":"Hello"}}
enum Notification {
    /// Bytes of a row's title that are sent, and of a list's.
    private static let titleLimit = 300
    /// How long a push service keeps one for a device that is not reached, in seconds: a day.
    private static let lifetime = 24 * 3600

    /// - Parameter list: as it is described now.
    static func message(
        _ notice: NotificationState.Notice, of list: ListDescription, to browser: PushSubscription
    ) -> PushMessage {
        PushMessage(
            payload(notice, of: list), to: browser, topic: topic(of: list.list), lifetime: lifetime,
            contact: "https://\(notice.subscription.site)")
    }

    /// What is left out of one that is too long: what the rows are called, then the row.
    static func payload(_ notice: NotificationState.Notice, of list: ListDescription) -> [UInt8] {
        let noun = list.noun?.forms(for: notice.subscription.language)
        for (noun, row) in [(noun, notice.newest), (nil, notice.newest)] {
            let payload = payload(notice, of: list, noun: noun, row: row)
            if payload.count <= PushMessage.limit { return payload }
        }
        return payload(notice, of: list, noun: nil, row: nil)
    }

    private static func payload(
        _ notice: NotificationState.Notice, of list: ListDescription, noun: [Noun.Form: String]?, row: Arrival.Shown?
    ) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("list", list.list)
        json.member("title", list.title.cut(to: titleLimit))
        json.member("count", notice.unread)
        if let noun {
            json.name("noun")
            json.beginObject()
            for (form, text) in noun.sorted(by: { $0.key < $1.key }) {
                json.name(Key(form.rawValue))
                json.value(text)
            }
            json.endObject()
        }
        if let row {
            json.name("row")
            json.beginObject()
            json.member("key", row.key)
            if let title = row.title { json.member("title", title.cut(to: titleLimit)) }
            json.endObject()
        }
        json.endObject()
        return json.bytes
    }

    /// A name in 32 characters of Base64URL, which tells a push service nothing.
    static func topic(of list: String) -> String { Base64URL.text(SHA256Digest(of: list).bytes.prefix(24)) }
}

extension Noun {
    /// Nil where the rows have no name in that language.
    fileprivate func forms(for language: String) -> [Form: String]? {
        let forms = languages[language] ?? self.forms
        return forms.isEmpty ? nil : forms
    }
}

extension String {
    /// As many characters as have so many bytes, and an ellipsis if that is not all.
    fileprivate func cut(to limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var bytes = 0
        return prefix { character in
            bytes += character.utf8.count
            return bytes <= limit
        } + "…"
    }
}
