import Glibc
import Logging
import Synchronization
import Testing

@testable import WebSockets

/// Who comes in over real sockets, and who stays.
@Suite(.onThreadOfItsOwn, .timeLimit(.minutes(1))) struct AcceptanceTests {
    @Test func oneAddressThatHasItsShareIsToldSo() async throws {
        try await withServer(configure: {
            $0.maximumConnectionsPerAddress = 2
            $0.unlimitedAddresses = []
        }) { server, _ in
            let port = server.listeningPort
            let peers = try (0..<2).map { _ in try RawPeer(port: port) }
            for peer in peers { try peer.shakeHands() }
            let answer = try RawPeer(port: port).readToEnd()
            #expect(answer.hasPrefix("HTTP/1.1 429") && answer.contains("Retry-After: 5"))
            peers[0].hangUp()
            try await eventually { server.connectionCount <= 1 }
            try RawPeer(port: port).shakeHands()
        }
    }

    @Test(arguments: ["", "GET / HT", "GET / HTTP/1.1\r\nHost: localhost\r\n", String(RawPeer.handshake().dropLast(2))])
    func whoDoesNotSayWhatTheyWantIsCut(_ beginning: String) async throws {
        try await withServer(configure: { $0.handshakeLimit = .milliseconds(100) }) { server, _ in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.send(beginning)
            let clock = ContinuousClock()
            var rest = "?"
            #expect(try clock.measure { rest = try peer.readToEnd() } < .seconds(5))
            #expect(rest.isEmpty)
        }
    }

    @Test func aBodyThatTricklesIsCut() async throws {
        try await withServer(configure: { $0.requestLimit = .milliseconds(100) }) { server, _ in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.send("POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc")
            let clock = ContinuousClock()
            var rest = "?"
            #expect(try clock.measure { rest = try peer.readToEnd() } < .seconds(5))
            #expect(rest.isEmpty)
        }
    }

    @Test func aConnectionWithoutAFurtherRequestIsLetGo() async throws {
        try await withServer(configure: { $0.idleLimit = .milliseconds(100) }) { server, _ in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            _ = try peer.readResponse()
            let clock = ContinuousClock()
            var rest = "?"
            #expect(try clock.measure { rest = try peer.readToEnd() } < .seconds(5))
            #expect(rest.isEmpty)
        }
    }

    /// In a process of its own, whose descriptors run out.
    @Test func withoutDescriptorsAcceptingRestsAndGoesOn() async {
        await #expect(processExitsWith: .success) {
            let log = RecordedLog()
            let server = try WebSocketServer(
                handler: { _ in RecordingHandler() }, logger: Logger(label: "test") { _ in log })
            try server.start()
            try RawPeer(port: server.listeningPort).shakeHands()
            Usage.limitDescriptors(to: 300)
            var fillers: [Int32] = []
            while case let filler = dup(0), filler >= 0 { fillers.append(filler) }
            close(fillers.removeLast())
            // The system accepts for the server, which has no descriptor to take it up with.
            let peer = try RawPeer(port: server.listeningPort)
            try peer.send(RawPeer.handshake())
            let end = ContinuousClock.now + .seconds(30)
            while !log.contains("No file descriptor is left"), ContinuousClock.now < end { sched_yield() }
            #expect(log.contains("No file descriptor is left"))
            for filler in fillers { close(filler) }
            #expect(try peer.readHead().hasPrefix("HTTP/1.1 101"))
            await server.stop(grace: .milliseconds(1))
        }
    }

    @Test func noMoreConnectionsComeInThanThereAreDescriptors() async {
        await #expect(processExitsWith: .success) {
            Usage.limitDescriptors(to: 200, hard: true)
            #expect(DescriptorLimit.room(for: 100) == 100)
            #expect(DescriptorLimit.room(for: 15_000) == 150)
        }
    }

    @Test func theSoftLimitOfDescriptorsIsRaised() async {
        await #expect(processExitsWith: .success) {
            Usage.limitDescriptors(to: 100)
            #expect(DescriptorLimit.room(for: 1000) == 1000)
            #expect(Usage.descriptorLimit() == 1256)
        }
    }

    /// In a process of its own, with more descriptors open than a server leaves to others.
    @Test func aDescriptorBeyondTheTableIsNoConnections() async {
        await #expect(processExitsWith: .success) {
            Usage.limitDescriptors(to: 12_000)
            let log = RecordedLog()
            var configuration = WebSocketServer.Configuration()
            configuration.maximumConnections = 100
            let server = try WebSocketServer(
                configuration: configuration, handler: { _ in RecordingHandler() },
                logger: Logger(label: "test") { _ in log })
            #expect(server.loops[0].network.places == DescriptorLimit.ceiling(for: 100))
            #expect(Usage.descriptorLimit() == 12_000, "the program may have as many as before")
            try server.start()
            let fillers = (0..<DescriptorLimit.ceiling(for: 100)).map { _ in dup(0) }
            #expect(fillers.last ?? -1 > 0)
            let turnedAway = try RawPeer(port: server.listeningPort)
            let end = ContinuousClock.now + .seconds(30)
            while !log.contains("No file descriptor is left"), ContinuousClock.now < end { sched_yield() }
            #expect(log.contains("No file descriptor is left"))
            for filler in fillers { close(filler) }
            #expect(try turnedAway.readToEnd().isEmpty)
            try RawPeer(port: server.listeningPort).shakeHands()
            await server.stop(grace: .milliseconds(1))
        }
    }

    @Test func aLoopIsMadeWhereFewerDescriptorsAreAllowed() async {
        await #expect(processExitsWith: .success) {
            Usage.limitDescriptors(to: 1000)
            #expect(DescriptorLimit.limited(to: 500) { Usage.descriptorLimit() } == 500)
            #expect(DescriptorLimit.limited(to: 2000) { Usage.descriptorLimit() } == 1000)
            #expect(Usage.descriptorLimit() == 1000)
        }
    }
}
