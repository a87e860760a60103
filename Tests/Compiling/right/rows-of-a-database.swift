// `Row`, `Column` and `SortOrder` are what GRDB and Foundation call so.
import Foundation
import GRDB
import RefreshableLists

func mailbox(_ database: DatabaseQueue) -> RefreshableList {
    RefreshableList("mailbox").refreshable {
        try await database.read { db in
            try Row.fetchAll(db, sql: "SELECT id, subject FROM letters").map { (row: Row) in
                ListRow(row["id"], title: row["subject"], badge: row[Column("badge")])
            }
        }
    }
}

let newestFirst: SortOrder = .reverse
