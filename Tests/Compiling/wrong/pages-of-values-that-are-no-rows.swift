// error: requires that 'User' conform to 'RowConvertible'
import RefreshableLists

struct User: Sendable {}

func older(than key: String) async throws -> [User] { [] }

let list = RefreshableList("users").refreshable { ["a"] }.more { last in try await older(than: last.key.string) }
