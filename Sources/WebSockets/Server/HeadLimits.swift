/// How long the parts of a request's head may be. Pure.
struct HeadLimits: Hashable {
    /// Bytes of path and query together.
    var address: Int
    /// Bytes of all fields together, names included.
    var fields: Int

    /// Fields that a head may have, so that looking each up stays cheap; Apache's `LimitRequestFields` is 100, too.
    static let fieldCount = 100
}
