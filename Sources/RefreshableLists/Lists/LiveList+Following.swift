/// The source notices changes by itself, and the list follows.
extension LiveList {
    /// Begins to hear of changes, when somebody first watches. Once.
    func follow() {
        guard following == nil, !hasEnded, let changes = description.changes?() else { return }
        following = Task { @concurrent [weak self] in
            for await _ in changes { self?.post { $0.sourceChanged() } }
        }
    }

    /// A run that is under way may have read what was there before: another follows it. While nobody watches, nobody
    /// pays for what nobody sees.
    func sourceChanged() {
        guard broadcaster.count > 0 else {
            hasChanged = true
            return
        }
        _ = request(.init(requester: .program, cause: .code, isAfter: true))
    }
}
