/// An order of slots in which each one's index is found, and the slot of an index, in O(log n).
///
///     root            [ 190 ]
///                    /       \
///     inner      [ 126 ]    [ 64 ]          how many slots are beneath
///                /     \       |
///     leaves   [ 64 ] [ 62 ] [ 64 ]         each a run of the chain, by its first slot
///                4…     9…     2…
///     chain    4 ⇄ 0 ⇄ … 9 ⇄ 7 ⇄ … 2 ⇄ 5 ⇄ …
///
/// A B-tree of counts (R. Bayer and E. McCreight, "Organization and Maintenance of Large Ordered Indices", 1972) over a chain:
/// to step costs what it costs in the chain, and to insert or remove a look at the counts above. A leaf that is empty goes;
/// leaves are not merged, so a list that has shrunk keeps the height that it had.
struct CountedSlots: Sendable {
    /// The most slots of a leaf, and the most children of a node.
    private static let most = 64

    private struct Node {
        /// −1 of the root.
        var parent: Int32 = -1
        /// How many slots are beneath it.
        var count: Int32 = 0
        /// The first slot of a leaf.
        var first: Int32 = -1
        /// None of a leaf.
        var children: [Int32] = []
    }

    private var chain = LinkedSlots()
    /// The leaf of each slot that is in the chain.
    private var leaves: [Int32] = []
    private var nodes: [Node] = []
    private var freeNodes: [Int32] = []
    /// −1 where there is no slot.
    private var root: Int32 = -1

    /// How many slots there are.
    var count: Int { chain.count }

    /// The first slot; `nil` if there is none.
    var first: Int? { chain.first }

    /// The last slot; `nil` if there is none.
    var last: Int? { chain.last }

    /// The slot after one that is there, or after the end, which lies before the first.
    @inline(__always)
    func slot(after slot: Int?) -> Int? { chain.slot(after: slot) }

    /// The slot before one that is there, or before the end, which lies after the last.
    @inline(__always)
    func slot(before slot: Int?) -> Int? { chain.slot(before: slot) }

    /// Makes room for slots up to a number at once.
    mutating func reserveCapacity(_ slots: Int) {
        chain.reserveCapacity(slots)
        leaves.reserveCapacity(slots)
    }
}

// MARK: Indexes

extension CountedSlots {
    /// How many slots come before one that is there.
    func index(of slot: Int) -> Int {
        var node = leaves[slot]
        var index = 0
        var other = Int(nodes[Int(node)].first)
        while other != slot {
            guard let next = chain.slot(after: other) else { preconditionFailure("A slot is in the run of its leaf.") }
            other = next
            index += 1
        }
        while case let parent = nodes[Int(node)].parent, parent >= 0 {
            for child in nodes[Int(parent)].children.prefix(while: { $0 != node }) {
                index += Int(nodes[Int(child)].count)
            }
            node = parent
        }
        return index
    }

    /// The slot that so many come before; `nil` if there are not so many.
    func slot(at index: Int) -> Int? {
        guard 0..<count ~= index else { return nil }
        var node = Int(root)
        var rest = index
        while let child = nodes[node].children.first(where: { child in
            let count = Int(nodes[Int(child)].count)
            defer { rest -= rest < count ? 0 : count }
            return rest < count
        }) {
            node = Int(child)
        }
        return slot(rest, after: Int(nodes[node].first))
    }

    /// The slot so many steps after another of the same leaf.
    private func slot(_ steps: Int, after slot: Int) -> Int {
        var slot = slot
        for _ in 0..<steps {
            guard let next = chain.slot(after: slot) else {
                preconditionFailure("A leaf has as many slots as it counts.")
            }
            slot = next
        }
        return slot
    }

    /// How many slots a condition holds for, which holds for those up to some place and for none after it.
    func count(where holds: (Int) -> Bool) -> Int {
        guard root >= 0 else { return 0 }
        var (node, count) = (Int(root), 0)
        while !nodes[node].children.isEmpty {
            // The last child that begins before the place, or the first one.
            let children = nodes[node].children
            var (last, end) = (0, children.count)
            while end - last > 1 {
                let middle = (last + end) / 2
                if holds(firstSlot(of: Int(children[middle]))) { last = middle } else { end = middle }
            }
            for child in children[..<last] { count += Int(nodes[Int(child)].count) }
            node = Int(children[last])
        }
        var slot: Int? = Int(nodes[node].first)
        for _ in 0..<nodes[node].count {
            guard let current = slot, holds(current) else { break }
            count += 1
            slot = chain.slot(after: current)
        }
        return count
    }

    private func firstSlot(of node: Int) -> Int {
        var node = node
        while let child = nodes[node].children.first { node = Int(child) }
        return Int(nodes[node].first)
    }
}

// MARK: Changing

extension CountedSlots {
    /// Takes in a slot that is not there, after another or, by default, at the beginning.
    mutating func insert(_ slot: Int, after other: Int? = nil) {
        chain.insert(slot, after: other)
        while slot >= leaves.count { leaves.append(-1) }
        let next = chain.slot(after: slot)
        guard let neighbour = other ?? next else {
            root = makeNode(first: slot, count: 1)
            leaves[slot] = root
            return
        }
        let leaf = leaves[neighbour]
        guard nodes[Int(leaf)].count == Self.most, other == nil || next == nil else {
            if other == nil { nodes[Int(leaf)].first = Int32(slot) }
            leaves[slot] = leaf
            add(1, from: leaf)
            if nodes[Int(leaf)].count > Self.most { splitLeaf(leaf) }
            return
        }
        // At an end a full leaf stays full: a list that grows there, as most do, takes half the memory.
        let new = makeNode(first: slot, count: 0)
        leaves[slot] = new
        insert(new, beside: leaf, isAfter: other != nil)
        add(1, from: new)
    }

    /// Takes in a slot that is not there, at the end.
    mutating func append(_ slot: Int) { insert(slot, after: last) }

    /// Lets go of a slot that is there.
    mutating func remove(_ slot: Int) {
        let leaf = leaves[slot]
        if nodes[Int(leaf)].first == slot { nodes[Int(leaf)].first = Int32(chain.slot(after: slot) ?? -1) }
        chain.remove(slot)
        add(-1, from: leaf)
        if nodes[Int(leaf)].count == 0 { release(leaf) }
    }

    private mutating func add(_ difference: Int32, from leaf: Int32) {
        var node = leaf
        while node >= 0 {
            nodes[Int(node)].count += difference
            node = nodes[Int(node)].parent
        }
    }

    private mutating func makeNode(first: Int = -1, count: Int32) -> Int32 {
        let node = Node(count: count, first: Int32(first))
        guard let free = freeNodes.popLast() else {
            nodes.append(node)
            return Int32(nodes.count - 1)
        }
        nodes[Int(free)] = node
        return free
    }

    /// Gives the second half of a leaf's run to a new one.
    private mutating func splitLeaf(_ leaf: Int32) {
        let (count, half) = (nodes[Int(leaf)].count, nodes[Int(leaf)].count / 2)
        let first = slot(Int(half), after: Int(nodes[Int(leaf)].first))
        let new = makeNode(first: first, count: count - half)
        nodes[Int(leaf)].count = half
        var moved: Int? = first
        for _ in half..<count {
            guard let slot = moved else { preconditionFailure("A leaf has as many slots as it counts.") }
            leaves[slot] = new
            moved = chain.slot(after: slot)
        }
        insert(new, beside: leaf, isAfter: true)
    }

    /// Puts a node beside another. What is counted above them stays as it is.
    private mutating func insert(_ node: Int32, beside sibling: Int32, isAfter: Bool) {
        if sibling == root {
            root = makeNode(count: nodes[Int(sibling)].count + nodes[Int(node)].count)
            nodes[Int(root)].children = [sibling]
            nodes[Int(sibling)].parent = root
        }
        let parent = nodes[Int(sibling)].parent
        nodes[Int(node)].parent = parent
        guard let index = nodes[Int(parent)].children.firstIndex(of: sibling) else {
            preconditionFailure("A node is among the children of its parent.")
        }
        nodes[Int(parent)].children.insert(node, at: isAfter ? index + 1 : index)
        if nodes[Int(parent)].children.count > Self.most { split(parent) }
    }

    /// Gives the second half of a node's children to a new one.
    private mutating func split(_ node: Int32) {
        let children = nodes[Int(node)].children
        let moved = Array(children[(children.count / 2)...])
        let new = makeNode(count: moved.reduce(0) { $0 + nodes[Int($1)].count })
        nodes[Int(node)].children.removeLast(moved.count)
        nodes[Int(node)].count -= nodes[Int(new)].count
        nodes[Int(new)].children = moved
        for child in moved { nodes[Int(child)].parent = new }
        insert(new, beside: node, isAfter: true)
    }

    /// Frees a node that has nothing beneath it, and those above it that have nothing else.
    private mutating func release(_ node: Int32) {
        freeNodes.append(node)
        let parent = nodes[Int(node)].parent
        guard parent >= 0 else { return root = -1 }
        nodes[Int(parent)].children.removeAll { $0 == node }
        guard !nodes[Int(parent)].children.isEmpty else { return release(parent) }
        while nodes[Int(root)].children.count == 1 {
            freeNodes.append(root)
            root = nodes[Int(root)].children[0]
            nodes[Int(root)].parent = -1
        }
    }
}
