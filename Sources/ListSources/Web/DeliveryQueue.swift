#if canImport(FoundationNetworking)
    import Dispatch
    import Foundation

    /// Calls the delegate of a session, and holds the session up while the delegate is behind.
    ///
    /// FoundationNetworking adds a block for each piece that libcurl has read, and never waits: a fast sender fills the
    /// memory with pieces that nobody has counted yet. Here the thread that reads waits for a place instead, so that at most
    /// these pieces are under way, and the network holds up the sender.
    ///
    /// Whoever is called here must not wait for the session: `cancel` does, so it is called from elsewhere.
    final class DeliveryQueue: OperationQueue, @unchecked Sendable {
        /// Of 16 KiB each: what libcurl reads at once (CURL_MAX_WRITE_SIZE).
        private static let mostPieces = 16

        private let places = DispatchSemaphore(value: mostPieces)
        private let queue = DispatchQueue(label: "refreshable.web")

        override func addOperation(_ block: @escaping @Sendable () -> Void) {
            places.wait()
            queue.async { [places] in
                block()
                places.signal()
            }
        }
    }
#endif
