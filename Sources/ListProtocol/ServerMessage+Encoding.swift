import KeyedLists

extension ServerMessage {
    /// The message as JSON, without a newline. Fields come in the order of the protocol's examples, which never changes;
    /// those that are nil are left out. Numbers must be finite.
    public func encoded() -> [UInt8] {
        switch self {
        case .welcome(let session, let now, let heartbeat, let limits):
            return encodedWelcome(session: session, now: now, heartbeat: heartbeat, limits: limits)
        case .ok(let ok): return ok.encoded()
        case .snapshot(let part): return Frames.encoded(part)
        case .patch(let part): return Frames.encoded(part)
        case .privateState(let state): return state.encoded()
        case .state(let state): return state.encoded()
        case .progress(let list, let run, let completed, let total, let note):
            return encodedProgress(list: list, run: run, completed: completed, total: total, note: note)
        case .settings(let description): return description.encoded()
        case .unwatched(let list, let code, let message, let after):
            return encodedUnwatched(list: list, code: code, message: message, after: after)
        case .error(let id, let code, let message, let after):
            return encodedError(id: id, code: code, message: message, after: after)
        case .goodbye(let code, let message, let reconnect, let after):
            return encodedGoodbye(code: code, message: message, reconnect: reconnect, after: after)
        case .unknown(_, let members):
            return members.canonical
        }
    }

    private func encodedWelcome(session: String, now: Int64, heartbeat: Int, limits: Limits) -> [UInt8] {
        var writer = JSONWriter(type: "welcome")
        writer.member("protocol", "refreshable.v1")
        writer.member("session", session)
        writer.member("now", now)
        writer.member("heartbeat", heartbeat)
        writer.object("limits", limits.write)
        return writer.finish()
    }

    private func encodedProgress(list: String, run: String, completed: Int, total: Int?, note: String?) -> [UInt8] {
        var writer = JSONWriter(type: "progress")
        writer.member("list", list)
        writer.member("run", run)
        writer.member("completed", completed)
        writer.member("total", total)
        writer.member("note", note)
        return writer.finish()
    }

    private func encodedError(id: String?, code: ErrorCode, message: String, after: Int?) -> [UInt8] {
        var writer = JSONWriter(type: "error")
        writer.member("id", id)
        writer.member("code", code.rawValue)
        writer.member("message", message)
        writer.member("retry", code.retry.rawValue)
        writer.member("after", code.retry == .later ? after : nil)
        return writer.finish()
    }

    private func encodedUnwatched(list: String, code: ErrorCode, message: String, after: Int?) -> [UInt8] {
        var writer = JSONWriter(type: "unwatched")
        writer.member("list", list)
        writer.member("code", code.rawValue)
        writer.member("message", message)
        // The list was there a moment ago, and may be again.
        writer.member("retry", Retry.later.rawValue)
        writer.member("after", after)
        return writer.finish()
    }

    private func encodedGoodbye(
        code: CloseCode, message: String, reconnect: Bool, after: ClosedRange<Int>?
    ) -> [UInt8] {
        var writer = JSONWriter(type: "goodbye")
        writer.member("code", Int(code.rawValue))
        writer.member("message", message)
        writer.member("reconnect", reconnect)
        if let after {
            writer.name("after")
            writer.beginArray()
            writer.value(after.lowerBound)
            writer.value(after.upperBound)
            writer.endArray()
        }
        return writer.finish()
    }
}
