import KeyedLists
import ListProtocol
import Testing

/// Pushes at random, and bytes at random: the decoder gives a push or an error, and never traps.
@Suite struct RandomPushTests {
    @Test(arguments: [21, 22] as [UInt64])
    func pushesComeBackAsTheyWere(seed: UInt64) throws {
        var random = Generator(seed: seed)
        for _ in 0..<2_000 {
            let push = random.push()
            #expect(try PushRequest(decoding: push.encoded) == push, "seed \(seed)")
        }
    }

    @Test(arguments: [23, 24] as [UInt64])
    func damagedPushesGiveAPushOrAnErrorWithAMessage(seed: UInt64) throws {
        var random = Generator(seed: seed)
        var pushes = 0
        var errors: [ErrorCode: Int] = [:]
        for _ in 0..<20_000 {
            let whole = random.push().encoded
            let bytes = .random(using: &random) ? random.damaged(whole) : try random.misfitted(whole)
            do {
                _ = try PushRequest(decoding: bytes, limits: PushLimits(Limits(keyBytes: 40), rows: 6))
                pushes += 1
            } catch {
                errors[error.code, default: 0] += 1
                #expect(error.message.hasSuffix("."), "seed \(seed): \(error.message)")
            }
            do { _ = try PushRequest(row: bytes, key: "a") } catch { #expect(!error.message.isEmpty, "seed \(seed)") }
        }
        print("seed \(seed): \(pushes) pushes, \(errors)")
        #expect(pushes > 0 && Set(errors.keys) == [.badJSON, .badField, .tooLarge], "seed \(seed)")
    }

    @Test func aPushCutAnywhereIsAnError() {
        var random = Generator(seed: 25)
        let whole = random.push().encoded
        for end in 0..<whole.count {
            #expect(throws: MessageError.self) { try PushRequest(decoding: Array(whole[..<end])) }
        }
    }
}

extension Generator {
    fileprivate mutating func push() -> PushRequest {
        var keys: Set<Key> = []
        let count = Int.random(in: 0...4, using: &self)
        let set = (0..<count).map { _ in change() }.filter { keys.insert($0.key).inserted }
        let remove = (0..<count).map { _ in Key(text(upTo: 12)) }.filter { keys.insert($0).inserted }
        return PushRequest(set: set, remove: remove)
    }

    private mutating func change() -> PushRequest.Change {
        PushRequest.Change(
            key: Key(text(upTo: 12)), fields: maybe { Fields(["title": .string($0.text(upTo: 8))]) },
            place: [.kept, .first, .last, .before(Key(text(upTo: 8))), .after(Key(text(upTo: 8)))]
                .randomElement(using: &self) ?? .kept)
    }
}

extension PushRequest {
    /// As a program sends it.
    fileprivate var encoded: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.name("set")
        json.beginArray()
        for change in set { json.write(change) }
        json.endArray()
        json.name("remove")
        json.beginArray()
        for key in remove { json.value(key) }
        json.endArray()
        json.endObject()
        return json.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ change: PushRequest.Change) {
        beginObject()
        member("key", change.key)
        if let fields = change.fields {
            name("fields")
            raw(fields.bytes)
        }
        switch change.place {
        case .kept: break
        case .first: member("at", "top")
        case .last: member("at", "end")
        case .before(let key): member("before", key)
        case .after(let key): member("after", key)
        }
        endObject()
    }
}
