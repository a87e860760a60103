import Foundation
import RefreshableLists

struct Ticket { let id: UUID, number: Int, name: String, opened: Date, page: URL }

func rows(of tickets: [Ticket]) -> [ListRow] {
    tickets.map { ListRow($0.id, title: $0.name, time: $0.opened, link: $0.page) }
        + tickets.map { ListRow($0.number, title: $0.name) }
        + tickets.map { ListRow($0.name.prefix(3)) }
}

func edit(_ list: LiveList, _ ticket: Ticket) async throws(EditError) {
    try await list.remove(ticket.name)
    try await list.move(ticket.number, .after(ticket.name))
    try await list.move(Key(ticket.id), .before("a"))
    try await list.edit { rows in
        if rows[ticket.number] == nil { rows.insert(ListRow(ticket.number)) }
    }
}
