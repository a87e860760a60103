import ListProtocol
import Logging
import Pulling
import WebSockets

/// A list that is served becomes another, or is served no more.
extension LiveList {
    /// As it is described now.
    nonisolated var description: RefreshableList { described.withLock(\.self) }

    /// Whether there is something to refresh it from.
    nonisolated var isRefreshable: Bool { described.withLock { $0.handler != nil } }

    /// How it wants to be pulled.
    nonisolated var pull: PullConfiguration { described.withLock(\.pull) }

    /// The list is described anew. Its rows, its history and those who watch it stay, and a run under way ends as it
    /// began; what follows is by the new description.
    ///
    /// - Parameter hasOtherRows: whether its rows come from elsewhere, or are made otherwise: then it is refreshed, if
    ///   somebody watches it, and else when somebody next does.
    func become(_ description: RefreshableList, hasOtherRows: Bool) {
        guard !hasEnded else { return }
        described.withLock { $0 = description }
        broadcaster.publish(listDescription)
        perform(gate.change(description.gateRules, now: now))
        if hasOtherRows { changeSource() }
        publishState()
    }

    /// What those who watch are told of it.
    nonisolated var listDescription: ListDescription {
        let description = description
        return ListDescription(
            list: name, title: description.title, refreshable: description.handler != nil,
            pull: description.pullDescription)
    }

    private func changeSource() {
        following?.cancel()
        following = nil
        isExhausted = false
        guard isRefreshable else { return }
        if broadcaster.count > 0 { follow() }
        sourceChanged()
    }

    /// The list is served no more. Its run is asked to stop and ends as cancelled, so that nobody waits for it; its rows
    /// stay in the store, for a list of this name that may come.
    func retire() {
        guard !hasEnded else { return }
        perform(gate.abandon(now: now))
        broadcaster.dismiss()
        end()
    }
}
