/// Which of a handshake's offers of `permessage-deflate` is taken (RFC 7692 §5), and the answer to it. Pure.
struct DeflateNegotiation: Equatable {
    static let name = "permessage-deflate"

    /// What the handshake's answer says: neither side ever looks back at an earlier message. nil: no offer was taken.
    private(set) var answer: String?

    /// Whether an offer was taken.
    var isAgreed: Bool { answer != nil }

    /// Takes the first offer that we can keep to.
    ///
    /// - Parameter header: all of `Sec-WebSocket-Extensions`; nil if there was none.
    init(_ header: String?) {
        let offers = header.flatMap(ExtensionOffer.list) ?? []
        let taken = offers.first { $0.name == Self.name && Self.accepts($0.parameters) }
        guard let taken else { return }
        let window = taken.parameters.contains { $0.name == "server_max_window_bits" }
        answer =
            Self.name + "; server_no_context_takeover; client_no_context_takeover"
            + (window ? "; server_max_window_bits=15" : "")
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
