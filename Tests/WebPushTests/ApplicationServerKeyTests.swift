import Foundation
import Testing

@testable import WebPush

@Suite struct ApplicationServerKeyTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "key-\(UUID().uuidString)").path()
    private var file: String { folder + "/notifications.pem" }

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    @Test func aKeyIsMadeOnceAndForItsUserAlone() throws {
        let made = try ApplicationServerKey(file: file).publicKey
        #expect(try ApplicationServerKey(file: file).publicKey == made)
        #expect(Base64URL.bytes(made)?.count == 65)
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["notifications.pem"])
    }

    @Test(arguments: [
        "", "-----BEGIN PRIVATE KEY-----\nMIG\n",
        // On another curve: secp384r1.
        """
        -----BEGIN PRIVATE KEY-----
        MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDAzg1Ot1TVkVJ0Cl6Un
        -----END PRIVATE KEY-----
        """,
    ])
    func aFileWithoutAKeyIsAnErrorAndStaysAsItIs(text: String) throws {
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        #expect(throws: WebPushError.noKey(path: file)) { try ApplicationServerKey(file: file) }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
    }

    @Test func aFolderThatIsNotThereIsSaid() {
        let error = #expect(throws: WebPushError.self) { try ApplicationServerKey(file: "/nowhere/key.pem") }
        #expect(error?.description.contains("/nowhere/key.pem") == true)
    }

    @Test func aSignatureSaysForWhomAndForHowLong() throws {
        let key = ApplicationServerKey()
        let header = key.authorization(
            for: "https://push.example.net", contact: "https://a.example", now: 1_800_000_000)
        let parts = try #require(header.firstMatch(of: /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/))
        let claims = String(decoding: Base64URL.bytes(parts.2) ?? [], as: UTF8.self)
        #expect(claims == #"{"aud":"https://push.example.net","exp":1800043200,"sub":"https://a.example"}"#)
        #expect(parts.4 == key.publicKey)
        #expect(Base64URL.bytes(parts.3)?.count == 64)
    }
}
