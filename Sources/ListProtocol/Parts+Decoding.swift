import KeyedLists

extension SnapshotPart {
    init(_ members: Members) throws(MessageError) {
        self.init(
            list: try members.string("list"), epoch: try members.epoch("epoch"),
            revision: try members.whole("revision"), rows: try members.rows("rows", needFields: true),
            isLast: try members.bool("last"))
    }
}

extension PatchPart {
    init(_ members: Members) throws(MessageError) {
        self.init(
            list: try members.string("list"), epoch: try members.epoch("epoch"), from: try members.whole("from"),
            revision: try members.whole("revision"), run: try members.optional("run", members.string),
            set: try members.rows("set", needFields: false), remove: try members.keys("remove"),
            count: try members.optional("count", members.whole), isLast: try members.bool("last"))
    }
}

extension Members {
    fileprivate func rows(_ name: Key, needFields: Bool) throws(MessageError) -> [Patch.Change] {
        var rows: [Patch.Change] = []
        for (index, element) in try array(name).enumerated() {
            guard case .object(let values) = element else { throw mismatch(name, "an array of objects") }
            let row = Members(values, path: "\(path)\(name)[\(index)].")
            let fields = needFields || row.has("fields") ? Fields(try row.object("fields").values) : nil
            rows.append(
                Patch.Change(key: Key(try row.string("key")), position: try row.whole("position"), fields: fields))
        }
        return rows
    }

    fileprivate func keys(_ name: Key) throws(MessageError) -> [Key] {
        var keys: [Key] = []
        for element in try array(name) {
            guard case .string(let key) = element else { throw mismatch(name, "an array of strings") }
            keys.append(Key(key))
        }
        return keys
    }
}
