import ListStorage
import WebPush

#if SQLite && Web
    import SQLiteStorage
    import WebSources
#endif

/// What a notifier takes besides lists: a store of who asked, and a way to push services. They come by the traits SQLite and
/// Web of the package.
struct NotifierDependencies: Sendable {
    /// Where the key is that identifies the server to push services.
    let keyFile: String
    let transport: any PushTransport
    /// Opens the store, or makes it.
    let openStore: @Sendable () throws(ListStoreError) -> any SubscriptionStore

    #if SQLite && Web
        /// - Parameter folder: the data folder.
        init?(folder: String) {
            keyFile = "\(folder)/notifications.pem"
            transport = WebPostTransport()
            openStore = { () throws(ListStoreError) in try SQLiteSubscriptionStore(folder: folder) }
        }
    #else
        /// Nil: without the traits SQLite and Web nobody is notified.
        init?(folder: String) { return nil }
    #endif
}

#if SQLite && Web
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
