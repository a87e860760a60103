import Testing

@testable import WebPush

/// The example of RFC 8291, Appendix A.
@Suite struct MessageEncryptionTests {
    private let browserSecret = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
    private let browserPoint =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    private let serverSecret = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
    private let serverPoint =
        "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
    private let authentication = "BTBZMqHH6r4Tts7J_aSIgg"
    private let salt = "DGv6ra1nlYgDCS1FRnbzlw"
    private let message = "When I grow up, I want to be a watermelon"

    @Test func theExampleOfTheStandardIsEncryptedAsItSays() throws {
        let body = MessageEncryption.encrypt(
            Array(message.utf8), for: try browserKeys(),
            with: try #require(P256Key(publicKey: bytes(serverPoint), secret: bytes(serverSecret))), salt: bytes(salt))
        #expect(
            Base64URL.text(body) == """
                DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBr\
                u3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN
                """)
    }

    @Test func noTwoBodiesOfOneMessageAreAlike() throws {
        let keys = try browserKeys()
        let bodies = (0..<50).map { _ in MessageEncryption.encrypt(Array(message.utf8), for: keys) }
        #expect(Set(bodies).count == 50)
        #expect(Set(bodies.map { $0[21..<86] }).count == 50, "each has a key of its own")
    }

    @Test func theLargestMessageMakesABodyOf4096Bytes() throws {
        let body = MessageEncryption.encrypt([UInt8](repeating: 7, count: PushMessage.limit), for: try browserKeys())
        #expect(body.count == 4096)
    }

    @Test(arguments: [
        "", "BCVxsr7N",
        // As long as a point, and on no curve.
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAjw4",
        // The point at infinity, and one that is compressed.
        "AA", "AiVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcx",
    ])
    func whatIsNoPointOfTheCurveIsNoKey(text: String) {
        #expect(P256Key(publicKey: Base64URL.bytes(text) ?? []) == nil)
    }

    private func browserKeys() throws -> PushSubscription.Keys {
        try PushSubscription(
            endpoint: "https://fcm.googleapis.com/fcm/send/a", publicKey: browserPoint, secret: authentication,
            at: PushServices()
        ).keys
    }

    private func bytes(_ text: String) -> [UInt8] { Base64URL.bytes(text) ?? [] }
}

@Suite struct Base64URLTests {
    @Test(
        arguments: zip(
            ["", "f", "fo", "foo", "foob", "fooba", "foobar"],
            ["", "Zg", "Zm8", "Zm9v", "Zm9vYg", "Zm9vYmE", "Zm9vYmFy"]))
    func bytesAndTextLeadToEachOther(plain: String, text: String) {
        #expect(Base64URL.text(plain.utf8) == text)
        #expect(Base64URL.bytes(text) == Array(plain.utf8))
    }

    @Test(arguments: ["a", "a+b/", "Zm9vYg=!", "é"])
    func whatIsNoneIsNil(text: String) { #expect(Base64URL.bytes(text) == nil) }
}
