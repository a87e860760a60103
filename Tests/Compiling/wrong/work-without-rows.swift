// error: contextual type for closure argument list expects 1 argument
import RefreshableLists

func mailbox(_ synchronise: @escaping @Sendable () async throws -> Void) -> RefreshableList {
    RefreshableList("mailbox").refreshable { try await synchronise() }
}
