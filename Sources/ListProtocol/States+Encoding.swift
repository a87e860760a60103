import KeyedLists

extension PrivateState {
    func encoded() -> [UInt8] {
        var writer = JSONWriter(type: "state")
        writer.member("list", list)
        writer.member("phase", phase.rawValue)
        writer.member("gesture", gesture)
        writer.member("progress", progress)
        return writer.finish()
    }
}

extension ListState {
    func encoded() -> [UInt8] {
        var writer = JSONWriter(type: "state")
        writer.member("list", list)
        writer.member("phase", phase.rawValue)
        writer.member("run", run)
        writer.member("cause", cause?.rawValue)
        writer.member("startedAt", startedAt)
        writer.member("updatedAt", updatedAt)
        writer.member("staleSince", staleSince)
        if hasMore { writer.member("more", true) }
        if let last { writer.object("last", last.write) }
        return writer.finish()
    }
}

extension LastRun {
    /// The outcome as JSON, as it stands in a state's `last`; it may be kept and read again by ``init(decoding:)``.
    public func encoded() -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        write(to: &writer)
        return writer.finish()
    }

    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("run", run)
        writer.member("cause", cause?.rawValue)
        writer.member("outcome", outcome.rawValue)
        writer.member("duration", duration)
        writer.object("changes") { inner in
            inner.member("inserted", changes.inserted)
            inner.member("changed", changes.changed)
            inner.member("moved", changes.moved)
            inner.member("removed", changes.removed)
        }
        if let error { writer.object("error", error.write) }
    }
}

extension RunError {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("code", code)
        writer.member("message", message)
        writer.member("retryAfter", retryAfter)
    }
}
