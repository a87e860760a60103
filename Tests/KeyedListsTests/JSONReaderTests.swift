import KeyedLists
import Testing

struct JSONReaderTests {
    @Test(arguments: [
        "0", "-0", "10", "1.5", "-1.25e-2", "1E+2", "1e400", "1e-400", "123456789012345678901234567890",
        "\"\"", "\"a\"", #""\"\\\/\b\f\n\r\t\u0000\uD83D\uDE00""#, "\"\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}\u{10FFFF}\"",
        "true", "false", "null", "[]", "[ ]", "[1]", "[1,2,[3]]", "[[],{}]", "{}", "{ }", #"{"a":1}"#,
        #" { "a" : [ 1 , { "b" : null } ] , "" : "x" } "#, "\t\n\r 1", #"{"a":1,"a":2}"#,
        #"["\uDBFF\uDFFF\ud800\udc00"]"#,
    ])
    func takesWhatRFC8259Takes(_ json: String) throws {
        try skip(json.bytes)
    }

    @Test(arguments: [
        "", " ", "nul", "nulll", "True", "NaN", "Infinity", "-Infinity", "+1", "01", "-", "-a", "-01", "1.", ".5",
        "1.e1",
        "1e", "1e+", "0x1", "1_0", "1 2", "'a'", "\"", "\"a", #""\"#, #""\x""#, #""\u12""#, #""\u12G4""#, #""\uD800""#,
        #""\uD800x""#, #""\uD800\n""#, #""\uD800\uD800""#, #""\uDC00""#, #""\uD800\u0041""#, "\"\n\"", "\"\t\"",
        "\"\u{0}\"",
        "\"\u{1F}\"", "[", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "[1}", "]", "{", "{\"a\"", "{\"a\":", "{\"a\":1",
        "{\"a\":1,", "{\"a\":1,}", "{,}", "{a:1}", "{1:1}", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "{\"a\":1]", "}", "/**/1",
        "1//", "\u{FEFF}1", "\u{A0}1", "[1,,2]", "{\"a\":,}", "\u{0}", "1\u{0}", "[]]", "{}}",
    ])
    func rejectsWhatItDoesNot(_ json: String) {
        #expect(throws: JSONError.self) { try skip(json.bytes) }
        #expect(throws: JSONError.self) { try JSONValue(json: json.bytes) }
    }

    @Test(
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x9F, 0xBF], [0xE2, 0x82],
            [0xE2, 0x28, 0xA1], [0xE2, 0x82, 0x28], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x8F, 0xBF, 0xBF],
            [0xF0, 0x9F, 0x98], [0xF0, 0x28, 0x8C, 0xBC], [0xF0, 0x90, 0x28, 0xBC], [0xF0, 0x90, 0x8C, 0x28],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF],
        ] as [[UInt8]])
    func rejectsWhatIsNotUTF8(_ text: [UInt8]) {
        for padding in 0..<9 {
            let quoted = "\"".bytes + repeatElement(0x61, count: padding) + text + "\"".bytes
            #expect(throws: JSONError(offset: padding + 1, expected: "valid UTF-8")) { try skip(quoted) }
        }
    }

    @Test func aControlCharacterIsFoundWhereverItIs() {
        for byte in UInt8.min..<0x20 {
            for offset in 1..<20 {
                var json = "\"aaaaaaaaaaaaaaaaaaaaaaaa\"".bytes
                json[offset] = byte
                #expect(throws: JSONError(offset: offset, expected: "no bare control character")) { try skip(json) }
            }
        }
    }

    @Test(arguments: [
        (#"{"a":1,}"#, 7, "the name of a member, in quotation marks"), ("[1,]", 3, "a value"),
        (#"{"a" 1}"#, 5, "a colon"),
        ("[1 2]", 3, "a comma or the end of the array"),
        (#"{"a":01}"#, 6, "a comma or the end of the object"), ("[1,", 3, "a value"),
        ("\"abc", 4, "the end of the string"),
        (#"["\uD800"]"#, 2, "both halves of a surrogate pair"), ("nulx", 0, "null"), ("{} {}", 3, "the end"),
        (#"{a":1}"#, 1, "the name of a member, in quotation marks"), ("-x", 1, "a digit"),
    ])
    func errorsSayWhereAndWhat(json: String, offset: Int, expected: String) {
        #expect(throws: JSONError(offset: offset, expected: expected)) { try skip(json.bytes) }
    }

    @Test func depthIsCapped() throws {
        let deep = { (depth: Int) in String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
        try skip(deep(64).bytes)
        #expect(throws: JSONError(offset: 64, expected: "no deeper array or object")) { try skip(deep(65).bytes) }
        #expect(throws: JSONError.self) { try skip([UInt8](repeating: UInt8(ascii: "["), count: 100_000)) }
        try skip("[[],[],[[]],{\"a\":[]}]".bytes, depth: 3)
    }

    @Test func membersAreReadOneByOne() throws {
        let json =
            #" {"type":"pull", "skipped":[{"type":"x"}], "n\u0061me":"names", "offset":61.5, "on":true, "off":null}"#
        var seen: [String] = []
        try JSONReader.read(json.bytes) { reader throws(JSONError) in
            try reader.beginObject()
            while let name = try reader.nextMember() {
                switch name {
                case "type": seen.append("type \(try reader.readString())")
                case "name": seen.append("name \(try reader.readText() == "names")")
                case "offset": seen.append("offset \(try reader.readNumber())")
                case "on": seen.append("on \(try reader.readBool())")
                case "off": try reader.readNull()
                default: try reader.skipValue()
                }
            }
            try reader.finish()
        }
        #expect(seen == ["type pull", "name true", "offset 61.5", "on true"])
    }

    @Test func aValueThatIsNotReadIsAnErrorAndNotGarbage() throws {
        try JSONReader.read(#"{"a":1,"b":2}"#.bytes) { reader throws(JSONError) in
            try reader.beginObject()
            _ = try reader.nextMember()
            #expect(throws: JSONError(offset: 5, expected: "a comma or the end of the object")) {
                try reader.nextMember()
            }
        }
    }

    @Test func escapesAreResolved() throws {
        let json = #""\"\\\/\b\f\n\r\t\u20ac\ud83d\ude00\u0041""#
        let text = try JSONReader.read(json.bytes) { reader throws(JSONError) in
            let text = try reader.readText()
            return (text.string, text.utf8Count, text == "no", text == #""\/"#)
        }
        #expect(text.0 == "\"\\/\u{8}\u{C}\n\r\t\u{20AC}\u{1F600}A")
        #expect(text.1 == text.0.utf8.count)
        #expect(!text.2 && !text.3)
    }

    @Test func aTooLargeNumberIsInfiniteHere() throws {
        let number = try JSONReader.read("1e999".bytes) { reader throws(JSONError) in try reader.readNumber() }
        #expect(number == .infinity)
        #expect(throws: JSONError(offset: 1, expected: "a number that a double can hold")) {
            try JSONValue(json: "[1e999]".bytes)
        }
    }

    @Test func numbersAreReadToTheNearestDouble() throws {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<2000 {
            let number = Double(bitPattern: .random(in: .min ... .max, using: &random))
            guard number.isFinite else { continue }
            let texts = [
                number.description, "\(Int64(truncatingIfNeeded: number.bitPattern) >> 8)", "0.\(number.bitPattern)",
            ]
            for text in texts {
                let read = try JSONReader.read(text.bytes) { reader throws(JSONError) in try reader.readNumber() }
                #expect(read == Double(text), "\(text)")
            }
        }
    }

    private func skip(_ json: [UInt8], depth: Int = JSONReader.usualDepth) throws(JSONError) {
        try JSONReader.read(json, depth: depth) { reader throws(JSONError) in
            try reader.skipValue()
            try reader.finish()
        }
    }
}
