import Foundation
import Testing
import WebSockets

/// What `Scripts/fuzz frames` and `Scripts/fuzz http` have found, and what they begin with, over real sockets.
@Suite(.onThreadOfItsOwn, .timeLimit(.minutes(1))) struct SocketCorpusTests {
    private static func files(_ name: String) throws -> [URL] {
        let folder = URL(filePath: #filePath).appending(path: "../../../Fuzz/Corpus/\(name)").standardized
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    }

    @Test func noiseOnAWebSocketHurtsNobodyElse() async throws {
        for file in try Self.files("frames") {
            try await withServer { server, _ in
                let peer = try RawPeer(port: server.listeningPort)
                try peer.shakeHands()
                try peer.send(Array(try Data(contentsOf: file)))
                peer.hangUp()
                try RawPeer(port: server.listeningPort).shakeHands()
            }
        }
    }

    @Test func noiseInPlaceOfARequestHurtsNobodyElse() async throws {
        for file in try Self.files("http") {
            try await withServer { server, _ in
                let peer = try RawPeer(port: server.listeningPort)
                try peer.send(Array(try Data(contentsOf: file)))
                peer.hangUp()
                let other = try RawPeer(port: server.listeningPort)
                try other.send("GET /after HTTP/1.1\r\nHost: localhost\r\n\r\n")
                #expect(try other.readResponse().body == "GET /after 0\n", "\(file.lastPathComponent)")
            }
        }
    }
}
