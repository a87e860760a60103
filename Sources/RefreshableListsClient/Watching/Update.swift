public import KeyedLists
public import ListProtocol

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension WatchedList {
    /// Something that happened to a watched list.
    public enum Update: Sendable {
        /// It is watched, at first or again, or its settings have changed.
        case settings(ListDescription)
        /// Its rows have changed.
        case rows(Change)
        /// Its state: complete, so that a later one replaces it.
        case state(ListState)
        /// How far the run under way has come.
        case progress(Progress)
        /// The keys of its rows that are unread, of a list that tells them to whoever has signed in.
        case unread([Key])
        /// The connection to its server was made or lost.
        case connection(ListClient.ConnectionState)
        /// The server does not show it, or not now. Where that is for good (`ErrorCode.retry` is `never`), its rows are gone.
        case refused(ErrorCode, String)
    }

    /// How far a run has come, by what its handler has reported.
    public struct Progress: Hashable, Sendable {
        /// How much is done.
        public var completed: Int
        /// How much there is to do; nil where that is not known.
        public var total: Int?
        /// A text for people.
        public var note: String?

        package init(completed: Int, total: Int? = nil, note: String? = nil) {
            self.completed = completed
            self.total = total
            self.note = note
        }
    }
}

extension ListClient {
    /// How a client stands with its server.
    public enum ConnectionState: Hashable, Sendable {
        /// It has not been there yet.
        case connecting
        /// The connection is open.
        case online
        /// The connection was lost, or can't be made. It is tried again.
        case offline(Loss)
        /// The server does not want it back unchanged. `run()` throws the same.
        case refused(ListClientError)
        /// The client's `run()` has ended.
        case ended
    }

    /// A connection that was lost, or can't be made.
    public struct Loss: Hashable, Sendable {
        /// Why, as a text for people.
        public var reason: String
        /// Since when there is none, in milliseconds since 1970 by this machine's clock.
        public var since: Int64
        /// How long the client waits before it tries again.
        public var retryAfter: Duration

        /// Since when there is none, as a date.
        public var date: Date { Date(milliseconds: since) }

        package init(reason: String, since: Int64, retryAfter: Duration) {
            self.reason = reason
            self.since = since
            self.retryAfter = retryAfter
        }
    }
}
