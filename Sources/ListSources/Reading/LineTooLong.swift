/// A line went on for longer than is read.
struct LineTooLong: Error, Hashable {
    let limit: Int
}
