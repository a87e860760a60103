import Synchronization

/// Gives the token of now, and remembers the one that was shown last.
final class TokenProvider: Sendable {
    /// No token could be had.
    struct Failure: Error {
        let reason: String
    }

    private let provide: (@Sendable () async throws -> String?)?
    private let shown: Mutex<String?>

    /// One that stays the same until it is replaced.
    init(_ token: String?) {
        provide = nil
        shown = Mutex(token)
    }

    init(_ provide: @escaping @Sendable () async throws -> String?) {
        self.provide = provide
        shown = Mutex(nil)
    }

    /// Whether it may give another one when one is refused.
    var isRenewed: Bool { provide != nil }

    /// The one that was shown last.
    var current: String? { shown.withLock { $0 } }

    func replace(_ token: String) { shown.withLock { $0 = token } }

    /// - Throws: `Failure`; `CancellationError`.
    func next() async throws -> String? {
        guard let provide else { return current }
        do {
            let token = try await provide()
            shown.withLock { $0 = token }
            return token
        } catch let error as CancellationError {
            throw error
        } catch {
            throw Failure(reason: "\(error)")
        }
    }
}
