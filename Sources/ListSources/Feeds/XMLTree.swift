/// An element of XML, with what is in it.
struct XMLTree {
    enum Node {
        case element(XMLTree)
        case text(String)
    }

    /// In small letters, as `XMLNames` has it.
    let name: String
    /// By names as they are written, in small letters.
    let attributes: [String: String]
    fileprivate(set) var nodes: [Node] = []

    init(_ name: String, _ attributes: [String: String]) {
        self.name = name
        self.attributes = attributes
    }

    /// All text in it, of elements within it too, in order.
    var text: String {
        nodes.reduce(into: "") { text, node in
            switch node {
            case .element(let child): text += child.text
            case .text(let piece): text += piece
            }
        }
    }

    /// The same with its tags, which is HTML where the elements are.
    var markup: String {
        nodes.reduce(into: "") { markup, node in
            switch node {
            case .element(let child): markup += child.tag
            case .text(let piece): markup += HTMLText.escaped(piece)
            }
        }
    }

    func all(_ name: String) -> [XMLTree] {
        nodes.compactMap { if case .element(let child) = $0, child.name == name { child } else { nil } }
    }

    /// The first element of these names; an earlier name goes before a later one.
    func first(_ names: String...) -> XMLTree? {
        for name in names {
            if let child = all(name).first { return child }
        }
        return nil
    }

    /// The text of the first element of these names that has some.
    func text(_ names: String...) -> String? { text(of: names, \.text) }

    /// The same as HTML. Elements amid a text that should be escaped are HTML too.
    func html(_ names: String...) -> String? {
        text(of: names) { $0.hasElements ? $0.markup : $0.text }
    }

    mutating func append(_ child: XMLTree) { nodes.append(.element(child)) }

    mutating func append(_ text: String) {
        guard case .text(var whole)? = nodes.last else { return nodes.append(.text(text)) }
        // Taken out first, so that a text of many pieces is not copied for each of them.
        nodes.removeLast()
        whole += text
        nodes.append(.text(whole))
    }

    private var hasElements: Bool { nodes.contains { if case .element = $0 { true } else { false } } }

    private var tag: String {
        let local = XMLNames.local(name)
        let kept = ["src", "width", "height"].compactMap { name in
            attributes[name].map { " \(name)=\"\(HTMLText.escaped($0))\"" }
        }
        return "<\(local)\(kept.joined())>\(markup)</\(local)>"
    }

    private func text(of names: [String], _ content: (XMLTree) -> String) -> String? {
        for name in names {
            for child in all(name) {
                let text = content(child)
                if text.contains(where: { !$0.isWhitespace }) { return text }
            }
        }
        return nil
    }
}
