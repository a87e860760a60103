import KeyedLists
import Testing

@testable import RefreshableLists

/// The closures that people write, each without an annotation: that this compiles is most of the test.
struct HandlerShapeTests {
    @Test func closureThatReturnsRowsLoadsThem() {
        let mailbox = Mailbox()
        let more = Bool.random()
        let lists = [
            RefreshableList("a").refreshable { [ListRow("a")] },
            RefreshableList("a").refreshable { [] },
            RefreshableList("a").refreshable { try await mailbox.fetch().map { ListRow($0.id, title: $0.subject) } },
            RefreshableList("a").refreshable {
                let letters = try await mailbox.fetch()
                return letters.map { ListRow($0.id, title: $0.subject) }
            },
            RefreshableList("a").refreshable {
                var rows: [ListRow] = []
                for letter in try await mailbox.fetch() { rows.append(ListRow(letter.id)) }
                if more { rows.append(ListRow("z")) }
                return rows
            },
            RefreshableList("a").refreshable {
                guard more else { return [] }
                return [ListRow("a"), ListRow("b")]
            },
            RefreshableList("a").refreshable { if more { [ListRow("a")] } else { [] } },
            RefreshableList("a").refreshable {
                switch more {
                case true: try await mailbox.rows()
                case false: []
                }
            },
            RefreshableList("a").refreshable(mailbox.rows),
            RefreshableList("a").task { [ListRow("a")] },
        ]

        #expect(lists.allSatisfy { $0.handler(for: .initial)?.isYielding == true })
    }

    @Test func closureThatReturnsTextsOrOwnTypesLoadsThemAsRows() {
        let mailbox = Mailbox()
        let names = ["Jarl", "Medeia"]
        let lists = [
            RefreshableList("a").refreshable { ["Apple", "Orange"] },
            RefreshableList("a").refreshable { names.shuffled() },
            RefreshableList("a").refreshable { names },
            RefreshableList("a").refreshable {
                let count = try await mailbox.fetch().count
                return ["\(count) letters"]
            },
            RefreshableList("a").refreshable { try await mailbox.fetch() },
            RefreshableList("a").refreshable { try await mailbox.fetch().filter { $0.subject.isEmpty } },
            RefreshableList("a").refreshable { try await mailbox.fetch().lazy.map(\.row) },
            RefreshableList("a").refreshable { Set(names) },
            RefreshableList("a").refreshable { if names.isEmpty { ["Apple"] } else { names } },
            RefreshableList("a").refreshable(mailbox.fetch),
            RefreshableList("a").task { ["Apple"] },
        ]

        #expect(lists.allSatisfy { $0.handler(for: .initial)?.isYielding == true })
    }

    @Test func closureWithARunYieldsToIt() {
        let mailbox = Mailbox()
        let lists = [
            RefreshableList("a").refreshable { run in run.yield(ListRow("a")) },
            RefreshableList("a").refreshable { $0.yield([ListRow("a"), ListRow("b")]) },
            RefreshableList("a").refreshable { run in run.yield("Apple") },
            RefreshableList("a").refreshable { run in run.yield(try await mailbox.fetch()) },
            RefreshableList("a").refreshable { run in
                for letter in try await mailbox.fetch() { run.yield(letter) }
                run.progress(3, of: 10, "page 3")
            },
            RefreshableList("a").refreshable { run in
                for letter in try await mailbox.fetch() {
                    run.yield(ListRow(letter.id))
                    run.progress(1, of: 2)
                }
            },
            RefreshableList("a").refreshable { run in
                guard run.cause == .pull else { return }
                run.yield(ListRow("a"))
            },
            RefreshableList("a").task { run in run.yield(ListRow("a")) },
        ]

        #expect(lists.allSatisfy { $0.handler(for: .initial)?.isYielding == true })
    }

    @Test func closureThatReturnsNothingEditsByItself() {
        let mailbox = Mailbox()
        let lists = [
            RefreshableList("a").onRefresh { await mailbox.synchronise() },
            RefreshableList("a").onRefresh { try await mailbox.check() },
            RefreshableList("a").onRefresh {
                let letters = try await mailbox.fetch()
                await mailbox.keep(letters)
            },
            RefreshableList("a").onRefresh {
                for letter in try await mailbox.fetch() { await mailbox.keep([letter]) }
            },
            RefreshableList("a").onRefresh {},
            RefreshableList("a").onRefresh(mailbox.check),
            RefreshableList("a").onFirstLoad { await mailbox.synchronise() },
        ]

        #expect(lists.allSatisfy { $0.handler(for: .initial)?.isEditing == true })
    }

    @Test func closureWithADoneCallsBack() {
        let legacy = LegacyMailbox()
        let lists = [
            RefreshableList("a").onRefresh { done in done() },
            RefreshableList("a").onRefresh { done in legacy.check { done() } },
            RefreshableList("a").onRefresh { done in legacy.check(done: done.callAsFunction) },
            RefreshableList("a").onRefresh { $0([ListRow("a")]) },
            RefreshableList("a").onRefresh { done in
                legacy.load { names in
                    guard let names else { return done.fail(RefreshFailure("No.")) }
                    done(names)
                }
            },
            RefreshableList("a").onRefresh { done in
                Task {
                    done.yield("Apple")
                    done()
                }
            },
        ]

        #expect(lists.allSatisfy { $0.handler(for: .pull)?.isCallingBack == true })
    }

    @Test func closureThatOnlyThrowsFailsWhicheverItIs() async {
        let stage = Stage(RefreshableList("a").refreshable { throw RefreshFailure("No.") })

        #expect(await stage.refresh()?.outcome == .failure(RefreshFailure("No.")))
    }
}

extension RefreshHandler {
    var isYielding: Bool { if case .yields = self { true } else { false } }
    var isCallingBack: Bool { if case .callsBack = self { true } else { false } }
    var isEditing: Bool { if case .edits = self { true } else { false } }
}

private actor Mailbox {
    struct Letter: RowConvertible {
        var id = "1"
        var subject = ""
        var row: ListRow { ListRow(id, title: subject) }
    }

    func fetch() async throws -> [Letter] { [] }
    func rows() async throws -> [ListRow] { [] }
    func synchronise() {}
    func check() async throws {}
    func keep(_ letters: [Letter]) {}
}

private struct LegacyMailbox {
    func check(done: @escaping @Sendable () -> Void) { done() }
    func load(_ done: @escaping @Sendable ([String]?) -> Void) { done(nil) }
}
