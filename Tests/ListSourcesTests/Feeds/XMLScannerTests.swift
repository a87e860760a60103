import Testing

@testable import ListSources

struct XMLScannerTests {
    @Test(arguments: [
        ("<a>b</a>", "<a> b </a>"), ("<A B=1 c='2' d=\"3\" e />", "<a b=1 c=2 d=3 e= />"),
        ("<a b=4/>", "<a b=4 />"), ("<a:b-c.d_1>", "<a:b-c.d_1>"), ("<a b = 'c'>", "<a b=c>"),
        ("<a b='<&gt;>'>", "<a b=<>>>"),
        ("<a <b>", "<a> <b>"), ("<a / b>", "<a b=>"), ("<a='x'>", "<a x=>"), ("</a b>", "</a>"),
        ("a < b", "a  < b"), ("<>", "<>"), ("</>", "</>"), ("< a>", "< a>"), ("<1>", "<1>"),
        ("<?a <b> ?>c", "c"), ("<!-- <b> -- > -->c", "c"), ("<![CDATA[<a>&amp;]]>]]>", "<a>&amp; ]]>"),
        ("<!DOCTYPE a [<!ENTITY b \"]>\"> <!-- ]> ' -->]>c", "c"), ("<!ELEMENT don't>c", "c"),
        ("&amp;&quot;&#65;&#x42;&no;&", "&\"AB&no;&"), ("a\u{0}\u{8}b\u{7F}\n", "ab\n"),
        ("<a", "cut"), ("<a b", "cut"), ("<a b='c", "cut"), ("</a", "cut"), ("<!--", "cut"), ("<!-->", "cut"),
        ("<![CDATA[]]", "cut"), ("<!DOCTYPE [>", "cut"), ("<!DOCTYPE '>", "cut"), ("<?a >", "cut"), ("", ""),
    ])
    func bytesBecomeTokens(xml: String, tokens: String) {
        var scanner = XMLScanner(Array(xml.utf8))
        var shown: [String] = []
        while let token = scanner.next() { shown.append(Self.show(token)) }
        #expect(shown.joined(separator: " ") == tokens)
    }

    /// Noise of the marks that mean something: it ends, and every token leads on.
    @Test(arguments: 1...300)
    func everyNoiseEnds(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let marks = [
            "<", ">", "/", "!", "?", "&", ";", "#", "'", "\"", "=", "[", "]", "-", "a", ":", " ", "é", "<![CDATA[",
        ]
        let noise = (0..<200).map { _ in marks.randomElement(using: &random) ?? "" }.joined()
        var scanner = XMLScanner(Array(noise.utf8))
        var last = -1
        while scanner.next() != nil {
            #expect(scanner.start > last, "seed \(seed)")
            last = scanner.start
        }
    }

    private static func show(_ token: XMLToken) -> String {
        switch token {
        case .start(let name, let attributes, let isEmpty):
            let pairs = attributes.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
            return "<\(name)\(pairs)\(isEmpty ? " /" : "")>"
        case .end(let name): return "</\(name)>"
        case .text(let text): return text
        case .cut: return "cut"
        }
    }
}
