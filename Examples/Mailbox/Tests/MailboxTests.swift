import RefreshableLists
import RefreshableListsTesting
import Testing

@testable import Mailbox

/// The mailbox with a post of the test's own.
struct MailboxTests {
    @Test func lettersAppearWhileTheMailboxIsChecked() async {
        let clock = ManualClock()
        let list = TestedList(Mailbox.list(of: DemoPost(clock: clock)), clock: clock)
        let ann = await list.person()

        await list.advance(by: .seconds(1))

        #expect(await list.titles == ["Alan Turing", "Grace Hopper"])
        #expect(ann.runProgress?.note == "2 of 3 letters")
        await list.advance(by: .milliseconds(500))
        #expect(list.outcomes.map(\.outcome) == [.success])
    }

    @Test func letterThatIsGoneLeavesOnlyWhenAllWentWell() async {
        let post = TestPost(["b", "a"])
        let list = TestedList(Mailbox.list(of: post))
        await list.refresh()

        await post.change(to: ["c", "a"], isBroken: true)
        await list.refresh()
        #expect(await Set(list.keys) == ["a", "b", "c"])
        await post.change(to: ["c", "a"])
        await list.refresh()

        #expect(await list.keys == ["c", "a"])
        #expect(list.errors.count == 1)
    }

    @Test func closedPostOfficeIsToldInWordsForPeople() async {
        let list = TestedList(Mailbox.list(of: TestPost([])))

        let run = await list.refresh()

        #expect(
            run?.outcome == .failure(RefreshFailure("The post office is closed.", retryAfter: .seconds(60))))
    }

    @Test func closingThePageCancelsTheCheck() async {
        let post = TestPost(["a"], gate: HandlerGate())
        let list = TestedList(Mailbox.list(of: post))
        let ann = await list.person()
        await ann.pressRefresh()
        await list.settle()

        await ann.leave()
        await list.advance(by: .seconds(10))

        #expect(list.outcomes.map(\.outcome) == [.cancelled])
    }
}

/// A post whose letters the test decides on. A broken one has an error in place of its last letter.
private actor TestPost: Post {
    struct Lost: Error {}

    private var ids: [String]
    private var isBroken = false
    private let gate: HandlerGate

    init(_ ids: [String], gate: HandlerGate = HandlerGate(isOpen: true)) {
        self.ids = ids
        self.gate = gate
    }

    func change(to ids: [String], isBroken: Bool = false) {
        self.ids = ids
        self.isBroken = isBroken
    }

    func count() async throws -> Int { ids.count }

    func letter(_ number: Int) async throws -> Letter {
        try await gate.pass()
        if isBroken, number == ids.count { throw Lost() }
        return Letter(id: ids[number - 1], sender: "Somebody", subject: "Letter \(ids[number - 1])")
    }
}
