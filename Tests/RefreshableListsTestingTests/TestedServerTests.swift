import RefreshableLists
import RefreshableListsClient
import RefreshableListsTesting
import Testing

/// What a user of the library writes: their whole server, tested without a socket.
struct TestedServerTests {
    @Test func aPushReachesWhoeverWatches() async throws {
        let server = try TestedServer { RefreshableList("board").acceptsPushes() }
        try await server.client().run { client in
            let board = try await client.watch("board")
            #expect(await server.push(ListRow("k", title: "Tea"), to: "board").status == 200)
            for await change in board.changes where !change.rows.isEmpty { break }
            #expect(board.rows.map(\.title) == ["Tea"])
            let isSame = try await board.verify()
            #expect(isSame)
        }
        try await server.stop()
    }

    @Test func aRefreshIsOverWhenItsRowsAreHere() async throws {
        let server = try TestedServer { RefreshableList("fruit").refreshable { [ListRow("a", title: "Apple")] } }
        try await server.client().run { client in
            let fruit = try await client.watch("fruit")
            let answer = await fruit.refresh(fresh: .after)
            guard case .ended(let last) = answer else {
                Issue.record("The refresh came to \(answer).")
                return
            }
            #expect(last.outcome == .success)
            #expect(fruit.rows.map(\.key) == ["a"])
        }
        try await server.stop()
    }

    @Test func severalListsAreServedOverHTTP() async throws {
        let server = try TestedServer {
            RefreshableList("fruit").rows([ListRow("a", title: "Apple")])
            RefreshableList("board").acceptsPushes()
        }
        #expect(await server.get("/lists").body.contains(#""name":"board""#))
        #expect(await server.get("/lists/fruit").body.contains("Apple"))
        #expect(await server.get("/lists/nuts").status == 404)
        #expect(await server.send("PUT", "/lists/board/rows/a%2Fb", body: #"{"fields":{}}"#).status == 201)
        #expect(await server.get("/lists/board").body.contains(#""key":"a/b""#))
        try await server.stop()
    }

    @Test func whoShowsNoTokenSeesNothing() async throws {
        let server = try TestedServer(configuration: asking()) { RefreshableList("mail").rows([ListRow("a")]) }
        #expect(await server.get("/lists/mail").status == 401)
        #expect(await server.get("/lists/mail", token: Self.token).status == 200)
        try await server.client(token: Self.token).run { client in
            let mail = try await client.watch("mail")
            #expect(mail.rows.count == 1)
        }
        await #expect(throws: ListClientError.self) {
            try await server.client(token: "wrong").run { client in _ = try await client.watch("mail") }
        }
        try await server.stop()
    }

    @Test func theProtocolIsSpokenByHand() async throws {
        let server = try TestedServer { RefreshableList("fruit").rows([ListRow("a")]) }
        let connection = try await server.connect()
        connection.send(#"{"type":"watch","id":"1","list":"fruit"}"#)
        var messages = connection.messages.makeAsyncIterator()
        #expect(await messages.next()?.hasPrefix(#"{"type":"welcome""#) == true)
        #expect(await messages.next()?.hasPrefix(#"{"type":"ok","id":"1","list":"fruit","begin":"snapshot""#) == true)
        #expect(await messages.next()?.hasPrefix(#"{"type":"snapshot""#) == true)
        try await server.stop()
    }

    @Test func timePassesWhenTheTestSaysSo() async throws {
        let clock = ManualClock()
        let server = try TestedServer(clock: clock) {
            RefreshableList("hours").every(.seconds(60)).refreshable { [ListRow("\(clock.now.offset)")] }
        }
        try await server.client().run { client in
            let hours = try await client.watch("hours")
            for await state in hours.states where state.last?.outcome == .success && state.phase != .loading { break }
            await server.advance(by: .seconds(61))
            for await change in hours.changes where change.rows.first?.key != "0.0 seconds" { break }
            #expect(hours.rows.count == 1)
        }
        try await server.stop()
    }

    @Test func aListThatIsNotThereIsRefused() async throws {
        let server = try TestedServer { RefreshableList("fruit").rows([]) }
        await #expect(throws: ListClientError.self) {
            try await server.client().run { client in _ = try await client.watch("nuts") }
        }
        try await server.stop()
    }

    @Test func listsOfOneNameCannotBeServed() async throws {
        #expect(throws: RefreshableServerError.duplicateName("fruit")) {
            try TestedServer {
                RefreshableList("fruit").rows([])
                RefreshableList("fruit").rows([])
            }
        }
    }

    private static let token = "rfl_a-token-of-the-test-with-thirty-two-letters"

    private func asking() -> RefreshableServer.Configuration {
        var configuration = RefreshableServer.Configuration()
        configuration.access = .tokens([AccessToken("test", secret: Self.token, rights: ["*": [.read]])])
        return configuration
    }
}
