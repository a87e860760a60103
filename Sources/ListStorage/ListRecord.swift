import Foundation
import GRDB
import KeyedLists

/// One line of the table `lists`.
struct ListRecord {
    let id: Int64
    let name: Key
    let epoch: Epoch
    let revision: Revision
    let floor: Revision
    let facts: StoredFacts

    init(_ row: GRDB.Row, name: Key) {
        id = row["id"]
        self.name = name
        epoch = Epoch(UInt64(bitPattern: row["epoch"] as Int64))
        revision = row["revision"]
        floor = row["floor"]
        let lastRun: Data? = row["lastRun"]
        facts = StoredFacts(
            runs: row["runs"], updatedAt: row["updatedAt"], staleSince: row["staleSince"],
            lastRun: lastRun.map { [UInt8]($0) })
    }
}
