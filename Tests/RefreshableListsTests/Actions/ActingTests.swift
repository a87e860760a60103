import KeyedLists
import ListProtocol
import ListStorage
import Locking
import RefreshableListsTesting
import Testing
import WebSockets

@testable import RefreshableLists

/// Acting on the rows of a list, as its clients are told of it.
@Suite(.timeLimit(.minutes(1)))
struct ActingTests {
    private let done = Locked<[String]>([])

    private func list() -> RefreshableList {
        RefreshableList("mail").rows([ListRow("a", title: "A"), ListRow("b", title: "B"), ListRow("c", title: "C")])
            .action("Archive", effect: .remove) { [done] row in
                done.withLock { $0.append("archive \(row.key)") }
            } undo: { [done] row in
                done.withLock { $0.append("unarchive \(row.title ?? "")") }
            }
            .action("Flag", effect: .set(["badge": .string("!"), "title": .null]))
            .action("Fail") { (_: ListRow) in throw RefreshFailure("The mailbox is full.") }
    }

    @Test func anActionIsPerformedOnceForEachKeyAndItsEffectIsInTheRows() async throws {
        let people = try await People(list())

        let first = await people.act(.use("archive", row: "b"), key: "k")
        let state = await people.outcome(of: first)
        let again = await people.act(.use("archive", row: "b"), key: "k", from: "another session")
        let retold = await people.outcome(of: again)

        #expect(state?.phase == .closing(.success, revision: 2, undo: 5000))
        #expect(retold?.phase == .closing(.success, revision: 2, undo: 5000))
        #expect(first.run?.name == again.run?.name)
        #expect(done.withLock(\.self) == ["archive b"])
        #expect(await people.list.keys() == ["a", "c"])
    }

    @Test func undoingBringsTheRowBackToItsPlace() async throws {
        let people = try await People(list())
        let archived = await people.act(.use("archive", row: "b"), key: "1")
        _ = await people.outcome(of: archived)

        let undone = await people.act(.undo(run: archived.run?.name ?? ""), key: "2")
        let state = await people.outcome(of: undone)

        #expect(state?.undoes == archived.run?.name)
        #expect(state?.phase == .closing(.success, revision: 3))
        #expect(done.withLock(\.self) == ["archive b", "unarchive B"])
        #expect(await people.list.keys() == ["a", "b", "c"])
        #expect(await people.act(.undo(run: archived.run?.name ?? ""), key: "3").run == .noRun(.spent))
    }

    @Test func fieldsAreSetAndTakenAwayAndComeBack() async throws {
        let people = try await People(list())
        let flagged = await people.act(.use("flag", row: "a"), key: "1")
        _ = await people.outcome(of: flagged)
        #expect(await people.fields(of: "a") == #"{"badge":"!"}"#)

        _ = await people.outcome(of: await people.act(.undo(run: flagged.run?.name ?? ""), key: "2"))
        #expect(await people.fields(of: "a") == #"{"title":"A"}"#)
    }

    @Test func aFailureIsToldAndChangesNothing() async throws {
        let people = try await People(list())
        let state = await people.outcome(of: await people.act(.use("fail", row: "a"), key: "1"))
        let error = RunError(code: "failed", message: "The mailbox is full.")
        #expect(state?.phase == .closing(.failure, error: error))
        #expect(await people.list.keys() == ["a", "b", "c"])
    }

    @Test func aRowThatIsNotThereIsGoneAndAnUnknownActionIsNamed() async throws {
        let people = try await People(list())
        #expect(await people.act(.use("archive", row: "z"), key: "1").run == .noRun(.gone))
        let error = await people.refusal(.use("archiv", row: "a"), key: "2")
        #expect(error == "The list \"mail\" has no action \"archiv\". Did you mean \"archive\"?")
    }

    @Test func aRefreshUnderWayDoesNotBringTheRowBack() async throws {
        let gate = UncancellableGate()
        let people = try await People(
            list().refreshable {
                await gate.pass()
                return [ListRow("a", title: "A"), ListRow("b", title: "B"), ListRow("c", title: "C")]
            })
        async let refreshed = people.stage.refresh()
        await gate.arrival()

        _ = await people.outcome(of: await people.act(.use("archive", row: "b"), key: "1"))
        gate.open()

        #expect(await refreshed?.outcome == .success)
        #expect(await people.list.keys() == ["a", "c"])
    }

    @Test func anotherProcessKnowsWhatWasDoneAndWhatWasInterrupted() async throws {
        let store = MemoryStore()
        let gate = UncancellableGate()
        let slow = list().action("Slow") { (_: ListRow) in await gate.pass() }
        let before = try await People(slow, store: store)
        let archived = await before.act(.use("archive", row: "b"), key: "done")
        _ = await before.outcome(of: archived)
        _ = await before.act(.use("slow", row: "a"), key: "interrupted")
        await gate.arrival()

        let after = try await People(slow, store: store)
        let known = await after.outcome(of: await after.act(.use("archive", row: "b"), key: "done"))
        let lost = await after.outcome(of: await after.act(.use("slow", row: "a"), key: "interrupted"))

        #expect(known?.run == archived.run?.name)
        #expect(known?.phase == .closing(.success, revision: 2))
        #expect(done.withLock(\.self) == ["archive b"])
        guard case .closing(.failure, nil, nil, let error?)? = lost?.phase else {
            Issue.record("It was told \(String(describing: lost)).")
            return
        }
        #expect(error.code == "interrupted")
        #expect(gate.begun == 1)
        gate.open()
    }

    @Test func whoeverIsToldOfProgressIsWhoAsked() async throws {
        let gate = UncancellableGate()
        let people = try await People(
            list().action(
                "Send",
                perform: { _, run in
                    run.progress(1, of: 3, "one")
                    await gate.pass()
                }))
        let sent = await people.act(.use("send", row: "a"), key: "1")
        await gate.arrival()
        let states = await people.states(of: sent)
        #expect(states.map(\.phase) == [.loading(completed: 1, total: 3, note: "one")])
        gate.open()
        #expect(await people.outcome(of: sent)?.phase == .closing(.success, revision: 1))
    }

    @Test func twoActionsOfOneNameAreAFaultOfTheDescription() {
        let twice = list().action("Archive", effect: .remove)
        #expect(
            twice.fault == "Two actions are named \"archive\". Give one of them another name with `name:`.")
        #expect(
            RefreshableList("a").action("既読", effect: .remove).fault
                == "The action \"既読\" needs a name of 1 to 64 of a-z, A-Z, 0-9, \".\", \"_\" and \"-\". Give it one with `name:`."
        )
    }
}

/// Those who act on a list, and what they are told.
private final class People: Sendable {
    let stage: Stage
    private let feed: LoopFeed
    private let heard = Locked<[ServerMessage]>([])
    private let serial = Locked(0)

    init(_ description: RefreshableList, store: any ListStore = MemoryStore()) async throws {
        stage = Stage(description, store: store)
        await stage.watch()
        feed = LoopFeed { _ in }
    }

    var list: LiveList { stage.list }

    func act(_ request: ClientMessage.ActionRequest, key: String, from session: String = "s") async -> OK {
        for message in await ask(request, key: key, from: session) {
            if case .ok(let ok) = message { return ok }
        }
        return OK()
    }

    func refusal(_ request: ClientMessage.ActionRequest, key: String) async -> String? {
        for message in await ask(request, key: key, from: "s") {
            if case .error(_, .badField, let text, _) = message { return text }
        }
        return nil
    }

    private func ask(
        _ request: ClientMessage.ActionRequest, key: String, from session: String
    ) async -> [ServerMessage] {
        let id = serial.withLock { serial -> String in
            serial += 1
            return "\(serial)"
        }
        let listener = ActionListener(socket: 1, feed: feed)
        await list.act(request, key: IdempotencyKey(action: key), by: session, messageID: id, to: listener)
        take()
        return heard.withLock { heard in
            heard.filter { message in
                switch message {
                case .ok(let ok): ok.id == id
                case .error(let answered, _, _, _): answered == id
                default: false
                }
            }
        }
    }

    /// The last thing that is told of a run.
    func outcome(of ok: OK) async -> ActionState? {
        guard let run = ok.run?.name else { return nil }
        while true {
            take()
            let over = heard.withLock { heard in
                heard.compactMap { message -> ActionState? in
                    if case .act(let state) = message, state.run == run, state.isOver { state } else { nil }
                }
            }
            if let last = over.last { return last }
            await Task.yield()
        }
    }

    func states(of ok: OK) async -> [ActionState] {
        await list.settle()
        take()
        return heard.withLock { heard in
            heard.compactMap { if case .act(let state) = $0, state.run == ok.run?.name { state } else { nil } }
        }
    }

    func fields(of key: Key) async -> String? { await list.text(of: key) }

    private func take() {
        for case .replied(_, let bytes) in feed.take().deliveries {
            if let message = try? ServerMessage(decoding: bytes) { heard.withLock { $0.append(message) } }
        }
    }
}

extension LiveList {
    fileprivate func text(of key: Key) -> String? { kept?.rows[key]?.row.fields.description }
}

extension RunReference {
    fileprivate var name: String? {
        if case .run(let name, _) = self { name } else { nil }
    }
}
