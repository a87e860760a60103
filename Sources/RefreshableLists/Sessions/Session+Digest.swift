import ListProtocol
import WebSockets

/// A client checks its rows.
extension Session {
    /// Asks the list, which answers in turn with its commits. It needs no watch; and without an id nobody is answered.
    func digest(_ name: String, _ id: String?) {
        guard let topic = topic(name, id), let id else { return }
        topic.list.post { [feed = topic.feed, socket = socket.id] list in
            list.digest(id, for: socket, to: feed)
        }
    }
}
