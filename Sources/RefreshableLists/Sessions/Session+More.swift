import KeyedLists
import WebSockets

/// A session asks for the next page.
extension Session {
    func more(_ watch: Watch, _ id: String?, after key: String) {
        let list = watch.topic.list
        guard may(.refresh, list.name, id) else { return }
        _ = remember().withContents { $0.requested.insert(list.name) }
        list.post { [token, feed = watch.topic.feed, socket = socket.id] list in
            list.more(after: Key(key), by: token, messageID: id, for: socket, to: feed)
        }
    }
}
