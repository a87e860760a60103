import KeyedLists
import ListProtocol
import Logging

/// The check by which a client can tell that its rows are the list's.
extension LiveList {
    /// Answers with the digest of the newest revision.
    ///
    /// All rows that this client was sent before the answer lead to that revision at most, and those of later revisions come
    /// after it: an answer overtakes rows that wait to be sent, and is overtaken by none. So whoever is not there yet is
    /// on the way, and compares on arrival.
    func digest(_ messageID: String, for socket: UInt64, to feed: LoopFeed) {
        do {
            try load()
        } catch {
            logUnreadable(error)
            let message = "The list \(name) cannot be read at the moment."
            return feed.deliver(
                .replied(
                    socket: socket,
                    ServerMessage.error(id: messageID, code: .unavailable, message: message, after: 5000).encoded()))
        }
        guard let kept else { return }
        var ok = digest(of: kept)
        ok.id = messageID
        feed.deliver(.replied(socket: socket, ServerMessage.ok(ok).encoded()))
    }

    /// Made once for all who ask at one revision.
    private func digest(of kept: PersistentList) -> OK {
        if let digest, digest.revision == kept.rows.revision, digest.epoch == kept.epoch { return digest }
        let digest = OK(
            list: name, epoch: kept.epoch, revision: kept.rows.revision, count: kept.rows.count,
            crc32: kept.rows.digest)
        self.digest = digest
        return digest
    }
}
