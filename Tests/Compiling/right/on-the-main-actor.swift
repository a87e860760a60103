// flags: -default-isolation MainActor
import RefreshableLists

nonisolated struct Letter: RowConvertible {
    var id: Int
    var subject: String
    var row: ListRow { ListRow(id, title: subject) }
}

nonisolated struct CameBefore: Error {}

final class Mailbox {
    private var letters: [Letter] = []

    func fetch() -> [Letter] { letters }

    func lists() -> RefreshableServer {
        RefreshableServer {
            RefreshableList("mailbox").refreshable { await self.fetch() }
            RefreshableList("seen").onRefresh { await self.markAsSeen() }
            RefreshableList("all").more { last in [ListRow("after \(last.key)")] }
        }
    }

    func markAsSeen() async {}

    func take(_ letter: Letter, into list: LiveList) async throws {
        letters.append(letter)
        try await list.edit { rows in
            guard rows[letter.id] == nil else { throw CameBefore() }
            rows.insert(letter.row, .before(letter.id - 1))
        }
    }
}
