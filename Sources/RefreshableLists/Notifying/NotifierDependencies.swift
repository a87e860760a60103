import ListStorage
import WebPush

#if PostgreSQL && Web
    import PostgresStorage
#endif
#if SQLite && Web
    import SQLiteStorage
#endif
#if Web
    import WebSources
#endif

/// What a notifier takes besides lists: a store of who asked, the key that identifies the server to push services, and a way to
/// these. They come by the traits of the package: Web, and SQLite or PostgreSQL.
struct NotifierDependencies: Sendable {
    let transport: any PushTransport
    /// Opens the store, or makes it.
    let openStore: @Sendable () throws(ListStoreError) -> any SubscriptionStore
    /// Reads the key that belongs to the store, or makes it.
    let key: @Sendable () throws -> ApplicationServerKey

    #if Web
        /// Nil where nobody is notified, as who asked would be forgotten.
        ///
        /// - Parameter lists: the server's store of lists, which is opened before this.
        init?(_ data: RefreshableServer.Configuration.Data, lists: ServerStore) {
            transport = WebPostTransport()
            switch data {
            case .ephemeral: return nil
            #if SQLite
                case .folder(let folder):
                    openStore = { () throws(ListStoreError) in try SQLiteSubscriptionStore(folder: folder) }
                    key = { try ApplicationServerKey(file: "\(folder)/notifications.pem") }
            #endif
            #if PostgreSQL
                case .postgres:
                    openStore = { () throws(ListStoreError) in PostgresSubscriptionStore(try lists.postgres()) }
                    key = {
                        let kept = PostgresSubscriptionStore(try lists.postgres())
                        return try ApplicationServerKey(pem: kept.key { ApplicationServerKey().pem }, of: "\(data)")
                    }
            #endif
            }
        }
    #else
        /// Nil: without the trait Web nobody is notified.
        init?(_ data: RefreshableServer.Configuration.Data, lists: ServerStore) { return nil }
    #endif
}

#if Web
    /// Brings messages to push services on the thread that web lists are asked on.
    struct WebPostTransport: PushTransport {
        /// For a whole answer.
        static let patience = Duration.seconds(15)

        func post(_ request: EncryptedMessage) async throws -> PushAnswer {
            let (status, wait) = try await WebPost(
                request.endpoint, headers: request.headers, body: request.body, timeout: Self.patience
            ).send()
            return PushAnswer(status: status, retryAfter: wait)
        }
    }
#endif
