import Foundation
import KeyedLists
import Testing

@testable import ListSources

/// Feeds as they are found in the wild, written anew.
struct FeedTests {
    @Test(arguments: FeedVariant.all)
    func aVariantIsReadAsItIsMeant(variant: FeedVariant) throws {
        #expect(try Self.entries(Array(variant.text.utf8)) == variant.entries)
    }

    @Test(arguments: [1, 7, 4096])
    func aFeedMayComeInPieces(size: Int) throws {
        let bytes = Array(FeedVariant.rss[0].text.utf8)
        #expect(try RowReader.rows(bytes, RowLayout(.feed), pieces: size).count == FeedVariant.rss[0].entries.count)
    }

    @Test(arguments: [
        ("<html><body>no</body></html>", "The answer is a page of HTML."),
        ("<!DOCTYPE html><html><p>a<p>b", "The answer is a page of HTML."),
        ("<svg/>", "The answer is XML, but no feed: it begins with <svg>."),
        (
            "<rss><channel>\n<item>",
            "Line 2, column 1 of the answer: <item> begins that nothing closes; perhaps the feed is not whole."
        ),
        (
            "<rss><channel><item><title><![CDATA[a]]",
            "Line 1, column 28 of the answer: \(cut)"
        ),
        ("<rss", "Line 1, column 1 of the answer: \(cut)"),
        ("", "The answer is no feed: there is neither XML nor JSON in it."),
        ("not a feed < & >", "The answer is no feed: there is neither XML nor JSON in it."),
        ("{\"version\": \"1\"}", "The answer is JSON, but no JSON Feed: it has no items."),
        ("{\"items\": [", "Line 1, column 12 of the answer: is not JSON: there should be a value."),
    ])
    func whatIsNoFeedIsTold(text: String, message: String) {
        #expect(Self.fault(text)?.message == message)
    }

    @Test
    func aPageNamesItsFeeds() {
        let page = """
            <!doctype html><html><head><meta charset=utf-8><link rel="icon" href="/i.png">
            <link rel="alternate" type="application/rss+xml" href="/rss"><LINK REL=alternate TYPE=application/atom+xml HREF=/atom>
            <script>if (a < b) c()</script></head><body>
            """
        #expect(Self.fault(page)?.detail == "It names these feeds: /rss, /atom")
        #expect(Self.fault("<html></html>")?.detail == "Its feed has a URL of its own.")
    }

    /// "Billion laughs": ten levels of ten would be ten thousand million letters.
    @Test
    func entitiesOfADocumentAreNotExpanded() throws {
        let levels = (1..<10).map { level in
            "<!ENTITY a\(level) \"\(String(repeating: "&a\(level - 1);", count: 10))\">"
        }
        let text =
            "<?xml version=\"1.0\"?><!DOCTYPE rss [<!ENTITY a0 \"ha\">\(levels.joined())]>"
            + "<rss><channel><item><guid>1</guid><title>&a9;</title></item></channel></rss>"
        #expect(try Self.entries(Array(text.utf8)) == ["1 | &a9; | - | - | - | - | -"])
    }

    @Test
    func filesOfThisMachineAreNotRead() throws {
        let text =
            "<?xml version=\"1.0\"?><!DOCTYPE rss SYSTEM \"file:///etc/passwd\" [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>"
            + "<rss><channel><item><guid>1</guid><title>a&x;b</title></item></channel></rss>"
        #expect(try Self.entries(Array(text.utf8)) == ["1 | a&x;b | - | - | - | - | -"])
    }

    /// Were it another name for `xmlns`, chance would say which of the two counts.
    @Test
    func aVocabularyOfNoPrefixIsNone() throws {
        let atom = "xmlns='http://www.w3.org/2005/Atom'"
        for others in 0..<50 {
            let more = (0..<others).map { " a\($0)=''" }.joined()
            let text = "<feed \(atom) xmlns:=''\(more)><entry \(atom)><id>1</id><title>T</title></entry></feed>"
            #expect(try Self.entries(Array(text.utf8)) == ["1 | T | - | - | - | - | -"])
        }
    }

    @Test
    func whatIsNestedWithoutEndIsText() throws {
        let nest = String(repeating: "<p>", count: 100_000) + "deep" + String(repeating: "</p>", count: 100_000)
        let text = "<rss><channel><item><guid>1</guid><title>\(nest)</title></item></channel></rss>"
        #expect(try Self.entries(Array(text.utf8)).first?.hasPrefix("1 | deep |") == true)
    }

    /// What is long is neither read again for each of its pieces nor by a function that calls itself for each.
    @Test(.timeLimit(.minutes(1)))
    func noLengthIsTooMuch() throws {
        let (pieces, date) = (String(repeating: "< ", count: 300_000), String(repeating: "1T", count: 300_000))
        let text = "<rss><item><guid>1</guid><title>\(pieces)</title><pubDate>\(date)</pubDate></item></rss>"
        let row = try #require(try RowReader.rows(Array(text.utf8), RowLayout(.feed)).first)
        #expect(row.text("title")?.hasPrefix("< < <") == true)
        #expect(row.fields["time"] == nil)
    }

    @Test
    func whatAnEntryHasTooMuchOfIsLeftOut() throws {
        let many = String(repeating: "<x a='1'/>", count: 100_000)
        let title = String(repeating: "word ", count: 100_000)
        let text =
            "<rss><channel><item><guid>1</guid><title>\(title)</title>\(many)<link>/late</link></item><item><guid>2</guid></item></channel></rss>"
        let rows = try RowReader.rows(Array(text.utf8), RowLayout(.feed))
        #expect(rows.map(\.key.string) == ["1", "2"])
        #expect(rows[0].text("title")?.count == 120)
        #expect(rows[0].text("link") == nil)
    }

    @Test
    func aKeyThatIsTooLongIsCutAndToldApart() throws {
        let long = "https://n.example/" + String(repeating: "a", count: 300)
        let items = ["1", "2"].map { "<item><guid>\(long)\($0)</guid></item>" }.joined()
        let keys = try RowReader.rows(Array("<rss>\(items)</rss>".utf8), RowLayout(.feed)).map(\.key.string)
        #expect(
            Set(keys).count == 2 && keys.allSatisfy { $0.hasPrefix("https://n.example/aaa") && $0.utf8.count < 256 })
    }

    @Test
    func fieldsThatAreSaidStandInThePlaceOfThoseAlone() throws {
        let text = """
            <rss><channel><item><guid>1</guid><title>T</title><author>Ada</author><category>a</category><category>b</category>
            <link>/1</link><enclosure url="https://p.example/1.mp3" type="audio/mpeg"/></item>
            <item><guid>2</guid><title>U</title></item></channel></rss>
            """
        let layout = RowLayout(
            .feed, fields: [.link: .name("enclosure"), .badge: .name("categories")],
            selection: RowSelection(filter: [try #require(Comparison("author = Ada"))]))
        let row = try #require(try RowReader.rows(Array(text.utf8), layout).first)
        #expect(row.key == "1")
        let fields = ["title", "link", "badge"].map { row.text(Key($0)) }
        #expect(fields == ["T", "https://p.example/1.mp3", "a, b"])
    }

    /// Whatever comes, it is rows or a fault, and never a crash.
    @Test(arguments: 1...200)
    func noiseIsRowsOrAFault(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var bytes = Array(try #require(FeedVariant.all.randomElement(using: &random)).text.utf8)
        for _ in 0..<Int.random(in: 1...20, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: bytes.indices, using: &random)
            if Bool.random(using: &random) {
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            } else {
                bytes.remove(at: place)
            }
        }
        do {
            _ = try RowReader.rows(bytes, RowLayout(.feed))
        } catch {
            #expect(error is SourceError, "seed \(seed): \(error)")
        }
    }

    private static let cut =
        "a tag, a comment or a CDATA section begins that nothing closes; perhaps the feed is not whole."

    static func entries(_ bytes: [UInt8]) throws -> [String] {
        try RowReader.rows(bytes, RowLayout(.feed)).map { row in
            let time = row.fields["time"].map { String(decoding: $0.canonical, as: UTF8.self) }
            let texts = ["title", "subtitle", "detail"].map { row.text(Key($0)) }
            let all = [row.key.string] + texts + [time, row.text("link"), row.text("image")]
            return all.map { $0 ?? "-" }.joined(separator: " | ")
        }
    }

    private static func fault(_ text: String) -> SourceError? {
        do {
            _ = try RowReader.rows(Array(text.utf8), RowLayout(.feed), of: "the answer")
            return nil
        } catch {
            return error as? SourceError
        }
    }
}
