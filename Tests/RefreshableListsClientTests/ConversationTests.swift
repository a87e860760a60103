import KeyedLists
import ListProtocol
import Testing

@testable import RefreshableListsClient

struct ConversationTests {
    private var client = DrivenClient()

    @Test mutating func aClientThatRunsConnectsAndThenWatchesItsLists() {
        #expect(client.handle(.watch("fruit")).isEmpty)
        #expect(client.handle(.begin) == ["connect"])
        #expect(client.handle(.opened) == ["online", #"{"type":"watch","id":"1","list":"fruit"}"#])
    }

    @Test mutating func framesBeforeTheAnswerAreOfAnEarlierWatch() {
        client.connect(watching: "fruit")
        #expect(client.receive(.snapshot(.of([row("a", 10)], at: 3))).isEmpty)
        #expect(client.answerWatch("1") == ["settings Fruit"])
        #expect(client.receive(.snapshot(.of([row("a", 10)], at: 3))) == ["rows a"])
    }

    @Test mutating func aLostConnectionGoesOnFromWhereItWas() {
        client.connect(watching: "fruit")
        client.answerWatch("1")
        _ = client.receive(.snapshot(.of([row("a", 10)], at: 3)))

        #expect(client.handle(.closed(SocketEnd())) == ["offline: the connection was lost (1006), 1.0 seconds"])
        #expect(client.pass(.milliseconds(999)).isEmpty)
        #expect(client.pass(.milliseconds(1)) == ["connect"])
        #expect(
            client.handle(.opened) == [
                "online", #"{"type":"hello","id":"2","session":"s1"}"#,
                #"{"type":"watch","id":"3","list":"fruit","epoch":"7","revision":3}"#,
            ])
    }

    @Test mutating func aServerThatIsSilentIsAskedAndThenGivenUp() {
        client.connect(watching: "fruit")
        #expect(client.pass(.seconds(24)).isEmpty)
        #expect(client.pass(.seconds(1)) == [#"{"type":"ping","id":"2"}"#])
        #expect(client.pass(.seconds(7)).isEmpty)
        #expect(client.pass(.seconds(1)) == ["cut", "offline: it fell silent, 1.0 seconds"])
    }

    @Test mutating func anythingThatComesIsASignOfLife() {
        client.connect(watching: "fruit")
        _ = client.pass(.seconds(25))
        _ = client.receive(.ok(OK(id: "2")))
        #expect(client.pass(.seconds(24)).isEmpty)
        #expect(client.pass(.seconds(1)) == [#"{"type":"ping","id":"3"}"#])
    }

    @Test mutating func aServerThatDoesNotAnswerIsTriedAgain() {
        _ = client.handle(.begin)
        #expect(client.pass(.seconds(9)).isEmpty)
        #expect(client.pass(.seconds(1)) == ["cut", "offline: it did not answer, 0.5 seconds"])
    }

    @Test mutating func aGoodbyeSaysWhenToComeBack() {
        client.connect(watching: "fruit")
        _ = client.receive(
            .goodbye(code: .draining, message: "Restarting.", reconnect: true, after: 1000...3000))
        #expect(client.handle(.closed(SocketEnd(code: 4200))) == ["offline: Restarting., 2.0 seconds"])
    }

    @Test(arguments: [4000, 4001, 4003, 4004] as [UInt16])
    mutating func whoIsSentAwayIsOverAndItsRequestsFail(code: UInt16) {
        client.connect(watching: "fruit")
        _ = client.handle(.ask(5, list: "fruit", .refresh(key: "k", fresh: .join)))
        let actions = client.handle(.closed(SocketEnd(code: code, reason: "No.")))
        #expect(actions.contains("5: failed"))
        #expect(actions.last == "finish")
        #expect(client.pass(.seconds(1000)).isEmpty)
    }

    @Test mutating func rowsThatAreNotOursAnyMoreGo() {
        client.connect(watching: "fruit")
        client.answerWatch("1")
        _ = client.receive(.snapshot(.of([row("a", 10)], at: 3)))
        _ = client.handle(.closed(SocketEnd(code: 4001)))
        #expect(client.rows("fruit").isEmpty)
    }

    @Test mutating func aRefusedTokenIsRenewedOnce() {
        client = DrivenClient(renewsTokens: true)
        client.connect(watching: "fruit")
        #expect(
            client.handle(.closed(SocketEnd(code: 4001, reason: "Expired."))) == [
                "rows ", "offline: Expired., 0.0 seconds",
            ])
        #expect(client.pass(.zero) == ["connect with another token"])
        // Another one is another person: their session is not taken up.
        #expect(client.handle(.opened) == ["online", #"{"type":"watch","id":"2","list":"fruit"}"#])
    }

    @Test mutating func whatIsNoJSONEndsTheConnection() {
        client.connect(watching: "fruit")
        let error = MessageError(code: .badJSON, message: "?")
        #expect(client.handle(.unreadable(error)).first == "cut")
    }

    @Test mutating func whatCannotBeReadIsWatchedAgainButNotAtOnce() {
        client.connect(watching: "fruit")
        client.answerWatch("1")
        #expect(client.handle(.unreadable(MessageError(code: .badField, message: "?"))).isEmpty)
        #expect(client.pass(.milliseconds(4999)).isEmpty)
        #expect(client.pass(.milliseconds(1)) == [#"{"type":"watch","id":"2","list":"fruit"}"#])
    }

    @Test mutating func aListThatIsLeftIsUnwatched() {
        client.connect(watching: "fruit")
        #expect(client.handle(.leave("fruit")) == [#"{"type":"unwatch","list":"fruit"}"#])
        #expect(client.receive(.ok(OK(id: "1", list: "fruit"))).isEmpty)
    }

    @Test mutating func aNewTokenIsShownOverTheOpenConnection() {
        client.connect(watching: "fruit")
        #expect(client.handle(.token("t")) == [#"{"type":"hello","id":"2","token":"t"}"#])
    }

    @Test mutating func messagesOfUnknownTypesChangeNothing() {
        client.connect(watching: "fruit")
        #expect(client.receive(.unknown(type: "weather", members: .null)).isEmpty)
    }
}
