/// How far a run is.
struct RunProgress: Hashable, Sendable {
    var completed: Int
    var total: Int?
    var note: String?
}
