/// A line went on for longer than is read.
package struct LineTooLong: Error, Hashable {
    let limit: Int
}
