import KeyedLists
import ListProtocol
import Testing

/// Messages at random, and bytes at random: a decoder gives a message or an error, and never traps.
@Suite struct RandomMessageTests {
    @Test(arguments: [1, 2, 3] as [UInt64])
    func clientMessagesComeBackAsTheyWere(seed: UInt64) throws {
        var random = Generator(seed: seed)
        for _ in 0..<2_000 {
            let message = random.clientMessage()
            #expect(try ClientMessage(decoding: message.encoded()) == message, "seed \(seed)")
        }
    }

    @Test(arguments: [4, 5, 6] as [UInt64])
    func serverMessagesComeBackAsTheyWere(seed: UInt64) throws {
        var random = Generator(seed: seed)
        for _ in 0..<1_000 {
            let message = random.serverMessage()
            #expect(try ServerMessage(decoding: message.encoded()) == message, "seed \(seed)")
        }
    }

    @Test(arguments: [7, 8] as [UInt64])
    func damagedClientMessagesGiveAMessageOrAnError(seed: UInt64) throws {
        var random = Generator(seed: seed)
        var messages = 0
        var errors: [ErrorCode: Int] = [:]
        for _ in 0..<30_000 {
            let whole = random.clientMessage().encoded()
            let bytes = .random(using: &random) ? random.damaged(whole) : try random.misfitted(whole)
            do {
                _ = try ClientMessage(decoding: bytes)
                messages += 1
            } catch {
                errors[error.code, default: 0] += 1
                #expect(!error.message.isEmpty, "seed \(seed)")
            }
        }
        print("seed \(seed): \(messages) messages, \(errors)")
        #expect(messages > 0 && Set(errors.keys) == [.badJSON, .badType, .badField], "seed \(seed)")
    }

    @Test(arguments: [9] as [UInt64])
    func damagedServerMessagesGiveAMessageOrAnError(seed: UInt64) throws {
        var random = Generator(seed: seed)
        var errors = 0
        for _ in 0..<20_000 {
            let whole = random.serverMessage().encoded()
            let bytes = .random(using: &random) ? random.damaged(whole) : try random.misfitted(whole)
            do {
                _ = try ServerMessage(decoding: bytes).encoded()
            } catch {
                errors += 1
            }
        }
        print("seed \(seed): \(errors) errors")
        #expect(errors > 0, "seed \(seed)")
    }

    @Test func aMessageCutAnywhereIsAnError() {
        let whole = ClientMessage.release(id: "é😂", list: "names", gesture: 7, offset: 61.5, peak: 88).encoded()
        for end in 0..<whole.count {
            #expect(throws: MessageError.self) { try ClientMessage(decoding: Array(whole[..<end])) }
        }
    }

    @Test func nestingWithoutEndIsAnError() {
        for depth in [64, 65, 8_000] {
            let nested = #"{"type":"ping","x":"# + String(repeating: "[", count: depth)
            #expect(throws: MessageError.self) { try ClientMessage(decoding: Array(nested.utf8)) }
        }
    }
}
