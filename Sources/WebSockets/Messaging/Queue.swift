/// First in, first out; both in constant time on average.
struct Queue<Element> {
    private var elements: [Element?] = []
    private var head = 0

    var count: Int { elements.count - head }
    var isEmpty: Bool { head == elements.count }
    var first: Element? { head < elements.count ? elements[head] : nil }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        var first: Element?
        swap(&first, &elements[head])
        head += 1
        if head == elements.count {
            removeAll()
        } else if head >= 32, head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return first
    }

    /// Takes the first one out for which `matches` holds. O(n).
    mutating func remove(where matches: (Element) -> Bool) -> Element? {
        guard let index = elements[head...].firstIndex(where: { $0.map(matches) ?? false }) else { return nil }
        return elements.remove(at: index)
    }

    /// Frees the memory, too: an idle socket holds none.
    mutating func removeAll() {
        elements = []
        head = 0
    }

    /// Takes all of them out.
    mutating func drain() -> [Element] {
        defer { removeAll() }
        return elements[head...].compactMap(\.self)
    }
}
