import Testing

/// A feed, and its entries as `key | title | subtitle | detail | time | link | image`, what is missing as `-`.
struct FeedVariant: Sendable, CustomTestStringConvertible {
    static let all = rss + programs + atom + others

    let testDescription: String
    let text: String
    let entries: [String]

    init(_ name: String, _ text: String, _ entries: String...) {
        testDescription = name
        self.text = text
        self.entries = entries
    }
}
