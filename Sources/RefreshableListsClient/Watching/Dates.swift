#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension WatchedList {
    /// When the rows were last refreshed with success, by the server's clock; nil before the first time.
    public var updatedAt: Date? { state?.updatedAt.map(Date.init(milliseconds:)) }

    /// Since when the rows could not be refreshed, by the server's clock; nil while they can.
    public var staleSince: Date? { state?.staleSince.map(Date.init(milliseconds:)) }
}

extension ListClient.Loss {
    /// Since when there is no connection.
    public var date: Date { Date(milliseconds: since) }
}

extension Date {
    fileprivate init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
