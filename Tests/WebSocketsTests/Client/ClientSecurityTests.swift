import Foundation
import HTTPTypes
import Testing
import WebSockets

/// TLS between our client and our server, with certificates that openssl(1) makes.
@Suite(.onThreadOfItsOwn, .timeLimit(.minutes(1))) struct ClientSecurityTests {
    /// A certificate for localhost and 127.0.0.1, signed by itself.
    private struct Files {
        let certificate: String
        let key: String

        init() throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "certificate-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            certificate = folder.appending(path: "certificate.pem").path
            key = folder.appending(path: "key.pem").path
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = [
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-days",
                "30", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key,
                "-out", certificate,
            ]
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0)
        }
    }

    private func withSecureServer(_ body: (WebSocketServer, Int, ServerTrust) async throws -> Void) async throws {
        let files = try Files()
        let certificate = try Certificate(file: files.certificate, keyFile: files.key)
        var trust = ServerTrust()
        trust.authorities = files.certificate
        try await withSocketServer(
            configure: { ($0.certificate, $0.host) = (certificate, "0.0.0.0") },
            serve: { socket in for await message in socket { try await socket.send(message) } }
        ) { server, port in try await body(server, port, trust) }
    }

    @Test(arguments: ["localhost", "127.0.0.1"]) func messagesOfEverySizeGoBothWays(host: String) async throws {
        try await withSecureServer { _, port, trust in
            var configuration = WebSocketClient.Configuration()
            configuration.trust = trust
            let socket = try await WebSocketClient.connect(to: "wss://\(host):\(port)/", configuration: configuration)
            var generator = SeededGenerator(seed: 1)
            for size in [0, 1, 125, 126, 16_384, 65_536, 1_000_000] {
                let bytes = (0..<size).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
                try await socket.send(bytes)
                #expect(await socket.receive() == .binary(bytes))
            }
            let status = try await socket.close()
            #expect(status.wasClean)
        }
    }

    @Test func aCertificateThatNobodyTrustsIsRefusedAndTheErrorSaysWhy() async throws {
        try await withSecureServer { _, port, _ in
            let error = await #expect(throws: SocketError.self) {
                try await WebSocketClient.connect(to: "wss://localhost:\(port)/")
            }
            #expect(error?.description.contains("certificate is not trusted") == true)
        }
    }

    @Test func aCertificateForAnotherHostIsRefused() async throws {
        try await withSecureServer { _, port, trust in
            var configuration = WebSocketClient.Configuration()
            configuration.trust = trust
            let settings = configuration
            // Of this machine, too, but not in the certificate.
            let error = await #expect(throws: SocketError.self) {
                try await WebSocketClient.connect(to: "wss://127.0.0.2:\(port)/", configuration: settings)
            }
            #expect(error?.description.contains("certificate is not trusted") == true)
        }
    }

    @Test func whoDoesNotCheckConnectsAllTheSame() async throws {
        try await withSecureServer { _, port, _ in
            var configuration = WebSocketClient.Configuration()
            configuration.trust.isChecked = false
            let socket = try await WebSocketClient.connect(to: "wss://localhost:\(port)/", configuration: configuration)
            try await socket.send("a")
            #expect(await socket.receive() == .text("a"))
            try await socket.close()
        }
    }

    @Test func aRenewedCertificateLeavesOpenSocketsAlone() async throws {
        try await withSecureServer { server, port, trust in
            var configuration = WebSocketClient.Configuration()
            configuration.trust = trust
            let old = try await WebSocketClient.connect(to: "wss://localhost:\(port)/", configuration: configuration)
            let files = try Files()
            server.renew(try Certificate(file: files.certificate, keyFile: files.key))
            configuration.trust.authorities = files.certificate
            let new = try await WebSocketClient.connect(to: "wss://localhost:\(port)/", configuration: configuration)
            for socket in [old, new] {
                try await socket.send("a")
                #expect(await socket.receive() == .text("a"))
                try await socket.close()
            }
        }
    }

    @Test func anHTTPClientSpeaksTLS() async throws {
        try await withSecureServer { _, port, trust in
            var client = HTTPClient()
            client.trust = trust
            let (head, body) = try await client.get("https://localhost:\(port)/")
            #expect(head.status.code == 426 && !body.isEmpty)
        }
    }
}
