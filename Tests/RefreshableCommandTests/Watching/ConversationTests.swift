import KeyedLists
import ListProtocol
import Testing

@testable import RefreshableCommand

struct ConversationTests {
    private var conversation = Conversation(list: "fruit")

    @Test mutating func anOpenSocketWatches() {
        #expect(conversation.opened() == [.send(.watch(id: "1", list: "fruit", resume: nil))])
    }

    @Test mutating func aTokenIsShownFirst() {
        conversation = Conversation(list: "fruit", token: "t")
        #expect(conversation.opened().first == .send(.hello(id: "1", session: nil, token: "t")))
    }

    @Test mutating func framesBeforeTheAnswerAreOfAnEarlierWatch() {
        _ = conversation.opened()
        #expect(conversation.receive(state).isEmpty)
        #expect(conversation.receive(.ok(OK(id: "1", list: "fruit", title: "Fruit"))) == [.tell(.watching)])
        #expect(conversation.receive(state) == [.tell(.state)])
        #expect(conversation.replica.title == "Fruit")
    }

    @Test mutating func aListThatChangesIsSaidAndOneThatGoesIsRefused() {
        _ = conversation.opened()
        _ = conversation.receive(.ok(OK(id: "1", list: "fruit", title: "Fruit", refreshable: true)))
        let pull = PullDescription(trigger: "release", threshold: 64, minimum: 10, hold: 56, hysteresis: 8)
        let other = ListDescription(list: "fruit", title: "Fresh", refreshable: false, pull: pull)

        #expect(conversation.receive(.settings(other)) == [.tell(.state)])
        #expect(conversation.replica.title == "Fresh" && !conversation.replica.isRefreshable)
        #expect(
            conversation.receive(.unwatched(list: "fruit", code: .unknownList, message: "Gone.", after: 5000))
                == [.tell(.refused(.unknownList, "Gone."))])
        #expect(conversation.receive(.unwatched(list: "trees", code: .unknownList, message: "Gone.", after: 0)).isEmpty)
    }

    @Test mutating func aRefreshWaitsForTheWatchAndIsAskedAgainAfterALoss() {
        let refresh = ClientMessage.refresh(id: "1", list: "fruit", key: "k", fresh: .join)
        #expect(conversation.refresh(key: "k").isEmpty)
        _ = conversation.opened()
        #expect(conversation.receive(.ok(OK(id: "2"))) == [.tell(.watching), .send(refresh)])
        conversation.closed()
        _ = conversation.opened()
        #expect(conversation.receive(.ok(OK(id: "3"))) == [.tell(.watching), .send(refresh)])
        #expect(
            conversation.receive(.ok(OK(id: "1", run: .run("r1", joined: false))))
                == [.tell(.answered(.run("r1", joined: false)))])
        conversation.closed()
        _ = conversation.opened()
        #expect(conversation.receive(.ok(OK(id: "4"))) == [.tell(.watching)])
    }

    @Test mutating func anErrorIsOfWhatItAnswers() {
        _ = conversation.opened()
        #expect(
            conversation.receive(.error(id: "1", code: .unknownList, message: "No.", after: nil))
                == [.tell(.refused(.unknownList, "No."))])
        _ = conversation.refresh(key: "k")
        #expect(
            conversation.receive(.error(id: "2", code: .notRefreshable, message: "No.", after: nil))
                == [.tell(.denied(.notRefreshable, "No."))])
        #expect(conversation.receive(.error(id: "9", code: .internal, message: "?", after: nil)).isEmpty)
    }

    @Test mutating func onlyARunThatIsUnderWayIsStopped() {
        _ = conversation.opened()
        _ = conversation.receive(.ok(OK(id: "1")))
        #expect(conversation.stop().isEmpty)
        _ = conversation.receive(state)
        #expect(conversation.stop() == [.send(.stop(id: "2", list: "fruit", run: "r1"))])
    }

    @Test mutating func whatDoesNotFitIsWatchedAnew() {
        _ = conversation.opened()
        _ = conversation.receive(.ok(OK(id: "1")))
        let stray = PatchPart(
            list: "fruit", epoch: Epoch(1), from: 3, revision: 4, set: [], remove: [], count: 0, isLast: true)
        #expect(conversation.receive(.patch(stray)) == [.send(.watch(id: "2", list: "fruit", resume: nil))])
    }

    private let state = ServerMessage.state(ListState(list: "fruit", phase: .loading, run: "r1"))
}
