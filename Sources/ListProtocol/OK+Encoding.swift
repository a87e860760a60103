import KeyedLists

extension OK {
    func encoded() -> [UInt8] {
        var writer = JSONWriter(type: "ok")
        writer.member("id", id)
        writer.member("list", list)
        run?.write(to: &writer)
        writer.member("begin", begin?.rawValue)
        writer.member("epoch", epoch?.description)
        writer.member("revision", revision)
        writer.member("count", count)
        writer.member("crc32", crc32.map { Int($0) })
        writer.member("title", title)
        writer.member("refreshable", refreshable)
        if let pull { writer.object("pull", pull.write) }
        writer.member("session", session)
        writer.member("resumed", resumed)
        return writer.finish()
    }
}

extension RunReference {
    fileprivate func write(to writer: inout JSONWriter) {
        switch self {
        case .run(let run, let joined):
            writer.member("run", run)
            writer.member("joined", joined)
        case .noRun(let reason, let message):
            writer.name("run")
            writer.null()
            writer.member("reason", reason.rawValue)
            writer.member("message", message)
        }
    }
}

extension ListDescription {
    func encoded() -> [UInt8] {
        var writer = JSONWriter(type: "settings")
        writer.member("list", list)
        writer.member("title", title)
        writer.member("refreshable", refreshable)
        writer.object("pull", pull.write)
        return writer.finish()
    }
}

extension PullDescription {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("trigger", trigger)
        writer.member("threshold", threshold)
        writer.member("minimum", minimum)
        writer.member("hold", hold)
        writer.member("hysteresis", hysteresis)
        writer.member("haptics", haptics)
        writer.member("indicator", indicator)
        writer.object("texts") { inner in
            for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
                inner.name(Key(name))
                inner.value(text)
            }
        }
    }
}

extension Limits {
    func write(to writer: inout JSONWriter) {
        writer.member("clientFrame", clientFrame)
        writer.member("serverFrame", serverFrame)
        writer.member("listsPerConnection", listsPerConnection)
        writer.member("keyBytes", keyBytes)
        writer.member("rowBytes", rowBytes)
        writer.member("pullsPerSecond", pullsPerSecond)
        writer.member("messagesPerSecond", messagesPerSecond)
        writer.member("burst", burst)
        writer.member("idLength", idLength)
        writer.member("offset", offset)
    }
}
