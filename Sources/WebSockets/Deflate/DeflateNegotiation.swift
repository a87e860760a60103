/// Which of a handshake's offers of `permessage-deflate` is taken (RFC 7692 §5), and the answer to it. Pure.
///
/// libwebsockets asks about each of those offers in turn, and fails the handshake if one comes after the one that was
/// taken, unless that has parameters: then it looks no further. So only such a one is taken, or the last.
struct DeflateNegotiation: Equatable {
    static let name = "permessage-deflate"

    /// How many offers are declined before one is taken; nil: all.
    private var declined: Int?
    /// An offer was taken.
    private(set) var isAgreed = false
    /// The parameters of the answer: neither side ever looks back at an earlier message.
    private(set) var answer = "; server_no_context_takeover; client_no_context_takeover"

    /// - Parameter header: all of `Sec-WebSocket-Extensions`; nil if there was none.
    init(_ header: String?) {
        // libwebsockets takes a tab for a comma. What it reads otherwise than we do is declined.
        guard let header, !header.contains("\t"), let all = ExtensionOffer.list(header) else { return }
        // Of a list that was cut off, the last may be more than it looks.
        let isCut = header.utf8.count >= ExtensionOffer.room
        let offers = (isCut ? all.dropLast() : all).filter { $0.name == Self.name }
        declined = offers.indices.first { index in
            Self.accepts(offers[index].parameters)
                && (!offers[index].parameters.isEmpty || index == offers.count - 1)
        }
        guard let declined, offers[declined].parameters.contains(where: { $0.name == "server_max_window_bits" }) else {
            return
        }
        answer += "; server_max_window_bits=15"
    }

    /// Whether the next offer is the one that is taken.
    mutating func takesNext() -> Bool {
        guard let left = declined else { return false }
        declined = left == 0 ? nil : left - 1
        isAgreed = left == 0
        return isAgreed
    }

    /// Whether we can keep to an offer: our frames, which all share, have a window of 32 KiB.
    static func accepts(_ parameters: [ExtensionOffer.Parameter]) -> Bool {
        guard Set(parameters.map(\.name)).count == parameters.count else { return false }
        return parameters.allSatisfy { parameter in
            switch parameter.name {
            case "server_no_context_takeover", "client_no_context_takeover": parameter.value == nil
            case "server_max_window_bits": parameter.value == "15"
            case "client_max_window_bits": parameter.value.map(windows.contains) ?? true
            default: false
            }
        }
    }

    /// Powers of two that a window may have (RFC 7692 §7.1.2).
    private static let windows: Set = ["8", "9", "10", "11", "12", "13", "14", "15"]
}
