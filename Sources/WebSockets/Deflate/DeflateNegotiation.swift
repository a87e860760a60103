/// Which of a handshake's offers of `permessage-deflate` is taken (RFC 7692 §5), and the answer to it. Pure.
struct DeflateNegotiation: Equatable {
    static let name = "permessage-deflate"

    /// What the handshake's answer says: neither side ever looks back at an earlier message. nil: no offer was taken.
    private(set) var answer: String?

    /// Whether an offer was taken.
    var isAgreed: Bool { answer != nil }

    /// Accepts the first offer that we support.
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

    /// What a client of ours offers: neither side looks back at an earlier message.
    static let offer = name + "; server_no_context_takeover; client_no_context_takeover"

    /// Whether a server's answer takes that offer; nil: it says something that was not offered (RFC 7692 §7.1).
    static func isAgreed(by header: String?) -> Bool? {
        guard let header else { return false }
        guard let answers = ExtensionOffer.list(header), answers.count <= 1 else { return nil }
        guard let answer = answers.first else { return false }
        let isRight = answer.parameters.allSatisfy { parameter in
            switch parameter.name {
            case "server_no_context_takeover", "client_no_context_takeover": parameter.value == nil
            case "server_max_window_bits": parameter.value.map(windows.contains) ?? false
            default: false
            }
        }
        let hasNoContext = answer.parameters.contains { $0.name == "server_no_context_takeover" }
        return answer.name == name && isRight && hasNoContext ? true : nil
    }

    /// Whether we support an offer: our frames, shared by all sockets, have a window of 32 KiB.
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

/// One member of a handshake's `Sec-WebSocket-Extensions` (RFC 6455 §9.1), such as
/// `permessage-deflate; client_max_window_bits=12`.
struct ExtensionOffer: Equatable {
    /// One parameter; the value is nil without an equals sign, and stands without its quotes.
    struct Parameter: Equatable {
        var name: String
        var value: String?
    }

    var name: String
    var parameters: [Parameter] = []

    /// All offers of a header, in order; nil if it is not a list of offers.
    static func list(_ header: String) -> [ExtensionOffer]? {
        var offers: [ExtensionOffer] = []
        for member in header.split(separator: ",") {
            let member = member.trimmingSpace()
            if member.isEmpty { continue }
            guard let offer = ExtensionOffer(member) else { return nil }
            offers.append(offer)
        }
        return offers
    }

    init?(_ text: Substring) {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false).map { $0.trimmingSpace() }
        guard let name = parts.first, name.isToken else { return nil }
        self.name = String(name)
        for part in parts.dropFirst() {
            guard let parameter = Parameter(part) else { return nil }
            parameters.append(parameter)
        }
    }
}

extension ExtensionOffer.Parameter {
    init?(_ text: Substring) {
        let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = sides[0].trimmingSpace()
        guard name.isToken else { return nil }
        self.name = String(name)
        guard sides.count == 2 else { return }
        var value = sides[1].trimmingSpace()
        // A quoted value must be a token all the same (RFC 6455 §9.1).
        if value.count > 2, value.hasPrefix("\""), value.hasSuffix("\"") { value = value.dropFirst().dropLast() }
        guard value.isToken else { return nil }
        self.value = String(value)
    }
}
