import Testing

@testable import WebSockets

@Suite struct DeflateNegotiationTests {
    private static let answer = "permessage-deflate; server_no_context_takeover; client_no_context_takeover"

    @Test(arguments: [
        "permessage-deflate",
        "permessage-deflate; client_max_window_bits",
        "permessage-deflate; client_max_window_bits=8",
        "permessage-deflate; client_max_window_bits=\"15\"",
        "permessage-deflate;server_no_context_takeover;client_no_context_takeover",
        "permessage-deflate ; client_no_context_takeover ; client_max_window_bits = 10",
        "other, permessage-deflate", "permessage-deflate;\tclient_max_window_bits",
        "permessage-deflate, permessage-deflate; unknown",
        "x-webkit-deflate-frame; no_context_takeover, permessage-deflate; client_max_window_bits, third",
    ])
    func anOfferThatWeCanKeepIsTaken(_ header: String) {
        #expect(DeflateNegotiation(header).answer == Self.answer)
    }

    @Test func aWindowThatTheServerIsAskedForIsAnswered() {
        let negotiation = DeflateNegotiation("permessage-deflate; server_max_window_bits=15")
        #expect(negotiation.answer == Self.answer + "; server_max_window_bits=15")
    }

    @Test(arguments: [
        nil, "", "other", "permessage-deflate2", "Permessage-Deflate",
        "permessage-deflate; server_max_window_bits=10",
        "permessage-deflate; server_max_window_bits",
        "permessage-deflate; server_max_window_bits=16",
        "permessage-deflate; client_max_window_bits=7",
        "permessage-deflate; client_max_window_bits=08",
        "permessage-deflate; client_max_window_bits=-9",
        "permessage-deflate; client_max_window_bits=",
        "permessage-deflate; server_no_context_takeover=1",
        "permessage-deflate; client_no_context_takeover=true",
        "permessage-deflate; unknown",
        "permessage-deflate; client_max_window_bits; client_max_window_bits",
        "permessage-deflate; client_max_window_bits=9; client_max_window_bits=10",
        "permessage-deflate; server_no_context_takeover; server_no_context_takeover",
        "permessage-deflate;", "permessage-deflate;;client_max_window_bits", "permessage deflate",
        "permessage-deflate; a=\"b, permessage-deflate\"",
        "permessage-deflate, =",
    ])
    func anyOtherIsDeclined(_ header: String?) {
        #expect(!DeflateNegotiation(header).isAgreed)
    }

    @Test func theFirstThatWeCanKeepIsTakenAndNoOther() {
        let header =
            "permessage-deflate; server_max_window_bits=10, permessage-deflate; client_max_window_bits, "
            + "permessage-deflate; server_max_window_bits=15"
        #expect(DeflateNegotiation(header).answer == Self.answer)
    }
}
