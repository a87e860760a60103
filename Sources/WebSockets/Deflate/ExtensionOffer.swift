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
