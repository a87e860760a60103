import KeyedLists
import ListSources
import Testing

struct RowQueryTests {
    private let tea = Fields([
        "title": "Grüner Tee", "subtitle": "aus Japan", "badge": "fix", "stars": 12, "link": "https://tea.example/com",
    ])

    @Test(arguments: [
        ("", true), ("tee", true), ("TEE", true), ("gruner", true), ("GRÜN", true), ("gru\u{308}n", true),
        ("jap tee", true),
        ("ner  te", true), ("tea", false), ("example", false), ("tee kaffee", false), ("title", false),
        ("fix aus", true),
        ("12", false),
    ])
    func eachWordIsSomewhereInItsTexts(words: String, isFound: Bool) throws {
        let query = try RowQuery(find: words, filter: [], sort: [])
        #expect((query.sortKey(of: tea) != nil) == isFound)
        #expect(query.isEmpty == words.isEmpty)
    }

    @Test func aWordIsFoundWhereverItIs() throws {
        for length in 0..<60 {
            for word in ["A", "ab", "ba1", "a_b@c[d", "abcdefghijk"] {
                // Letters that begin as the word does stand before it, and behind it.
                let text = String(repeating: "a", count: length) + word + String(repeating: "ab", count: length % 3)
                let query = try RowQuery(find: word, filter: [], sort: [])
                #expect(query.sortKey(of: Fields(["x": .string(text)])) != nil, "\(word) in \(text)")
                let others = String(text.map { $0 == word.last ? "#" : $0 })
                let isThere = others.lowercased().contains(word.lowercased())
                #expect((query.sortKey(of: Fields(["x": .string(others)])) != nil) == isThere, "\(word) in \(others)")
            }
        }
    }

    @Test func whatStandsForALetterIsFoundWhereverItIs() throws {
        for length in 0..<60 {
            for (text, word) in [("É", "e"), ("É", "xe"), ("\"", "\""), ("Ａ", "a")] {
                for rest in ["", "x", "xx"] {
                    let fields = Fields(["x": .string("x" + String(repeating: "x", count: length) + text + rest)])
                    let query = try RowQuery(find: word, filter: [], sort: [])
                    #expect(query.sortKey(of: fields) != nil, "\(word) in \(fields)")
                }
            }
        }
    }

    @Test(arguments: [
        ("Ａｂｃ", "abc"), ("naïve", "naive"), ("ΣΊΣΥΦΟΣ", "σισυφος"), ("Ёлка", "елка"), ("a\"b\\c\n", "\"b\\c"),
        ("Straße", "straße"), ("いちご", "ちご"), ("🍇 grape", "🍇"),
    ])
    func textsOfAllScriptsAreFolded(text: String, word: String) throws {
        #expect(try RowQuery(find: word, filter: [], sort: []).sortKey(of: Fields(["title": .string(text)])) != nil)
        #expect(try RowQuery(find: text, filter: [], sort: []).sortKey(of: Fields(["title": .string(text)])) != nil)
    }

    @Test(arguments: [
        (["badge = fix"], true), (["badge = feat"], false), (["stars > 9"], true), (["stars > 9", "badge !="], true),
        (["stars < 9"], false), (["detail ="], true), (["title contains TEE"], true),
    ])
    func conditionsGoByFields(filter: [String], isMet: Bool) throws {
        #expect((try RowQuery(find: "", filter: filter, sort: []).sortKey(of: tea) != nil) == isMet)
    }

    @Test func ranksAreInTheOrderOfWhatTheyStandFor() throws {
        let up: [JSONValue] = [
            -1e9, -2.5, 0, 1, 1.5, 1e300, "2024-01-01", "2026-11-26T08:00:00Z", "", "a", "A b", "ab", "é",
        ]
        let ranks = try up.map { value in
            try ["a", "-a"].map {
                try RowQuery(find: "", filter: [], sort: [$0]).sortKey(of: Fields(["a": value])) ?? []
            }
        }
        for (left, right) in zip(ranks, ranks.dropFirst()) where left[0] != [255] && right[0] != [255] {
            #expect(left[0].lexicographicallyPrecedes(right[0]) && right[1].lexicographicallyPrecedes(left[1]))
        }
        #expect(ranks[8] == [[255], [255]], "What is not there comes last in any order.")
    }

    @Test(arguments: [
        (["stars"], "c a b d"), (["-stars"], "a b c d"), (["badge", "-stars"], "b a c d"),
        (["-badge", "stars"], "c a b d"),
    ])
    func rowsAreInTheOrderOfTheirFields(sort: [String], keys: String) throws {
        let rows: [(Key, Fields)] = [
            ("a", ["stars": 12, "badge": "z"]), ("b", ["stars": 12, "badge": "A"]), ("c", ["stars": 3, "badge": "z"]),
            ("d", [:]),
        ].map { ($0, Fields($1)) }
        var list = KeyedList()
        _ = list.commit(rows.map { .set(ListRow(key: $0, fields: $1), .last) }, at: 0)
        var derived = DerivedList(try RowQuery(find: "", filter: [], sort: sort))
        derived.scan(list, atMost: 90)
        #expect(derived.isWhole && derived.rows.rows.map(\.key.string).joined(separator: " ") == keys)
    }

    @Test(
        arguments: [
            (["stars"], [], "The filter has \"stars\", which is no condition."),
            (["/a/b = 1"], [], "The filter has \"/a/b = 1\""), ([], ["2"], "The sort has \"2\", which is no field."),
            ([], Array(repeating: "a", count: 9), "The sort has more than 8 fields."),
        ] as [([String], [String], String)])
    func whatIsNoQueryIsSaid(filter: [String], sort: [String], sentence: String) {
        do throws(RowQueryError) {
            _ = try RowQuery(find: "", filter: filter, sort: sort)
            Issue.record("It was read.")
        } catch {
            #expect(error.sentence { "The \($0)" }.hasPrefix(sentence))
        }
    }
}
