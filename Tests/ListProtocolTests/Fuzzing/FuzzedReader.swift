import KeyedLists
import ListProtocol

/// The readers of what peers send, each as one function of bytes. `Scripts/fuzz` gives them noise, and `FuzzCorpusTests`
/// what noise has found.
enum FuzzedReader: String, CaseIterable {
    case message, scanner

    /// What the reader got wrong with these bytes, other than to crash; nil: nothing.
    func fault(of bytes: [UInt8]) -> String? {
        switch self {
        case .message: Self.faultOfMessages(bytes)
        case .scanner: Self.faultOfScanner(bytes)
        }
    }

    /// What was read is written so that it reads the same; what was not says why.
    private static func faultOfMessages(_ bytes: [UInt8]) -> String? {
        do {
            let message = try ClientMessage(decoding: bytes)
            guard try ClientMessage(decoding: message.encoded()) == message else {
                return "It is read otherwise again."
            }
        } catch {
            if error.message.isEmpty { return "An error says nothing." }
        }
        do {
            let message = try ServerMessage(decoding: bytes)
            _ = try ServerMessage(decoding: message.encoded())
        } catch {
            if error.message.isEmpty { return "An error of a client says nothing." }
        }
        do { _ = try PushRequest(decoding: bytes) } catch {
            if error.message.isEmpty { return "A push's says nothing." }
        }
        return nil
    }

    /// Canonical text is canonical.
    private static func faultOfScanner(_ bytes: [UInt8]) -> String? {
        guard let fields = try? Fields(canonicalising: bytes) else { return faultOfValue(bytes) }
        guard let again = try? Fields(canonicalising: fields.bytes) else { return "What is canonical can't be read." }
        return again == fields ? faultOfValue(bytes) : "What is canonical is changed again."
    }

    private static func faultOfValue(_ bytes: [UInt8]) -> String? {
        guard let value = try? JSONValue(json: bytes) else { return nil }
        return value == value ? nil : "A value is not itself."
    }
}
