import DequeModule

/// First in, first out. Frees its memory when it is empty: an idle socket holds none.
struct Queue<Element> {
    private var elements: Deque<Element> = []

    var count: Int { elements.count }
    var isEmpty: Bool { elements.isEmpty }
    var first: Element? { elements.first }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
        defer { if elements.isEmpty { removeAll() } }
        return elements.popFirst()
    }

    /// Takes the first one out for which `matches` holds. O(n).
    mutating func remove(where matches: (Element) -> Bool) -> Element? {
        elements.firstIndex(where: matches).map { elements.remove(at: $0) }
    }

    mutating func removeAll() { elements = [] }

    /// Takes all of them out.
    mutating func drain() -> [Element] {
        // An array of an empty deque is a write to the storage that all empty arrays share (swift-collections 1.6): of no
        // consequence, but the Thread Sanitizer reports it.
        guard !isEmpty else { return [] }
        defer { removeAll() }
        return Array(elements)
    }
}
