// error: instance method 'refreshable' requires that 'User' conform to 'RowConvertible'
import RefreshableLists

struct User: Sendable { var name = "" }

func users(of fetch: @escaping @Sendable () async throws -> [User]) -> RefreshableList {
    RefreshableList("users").refreshable { try await fetch() }
}
