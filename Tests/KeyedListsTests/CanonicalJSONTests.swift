import KeyedLists
import Testing

/// RFC 8785, JSON Canonicalization Scheme.
struct CanonicalJSONTests {
    @Test(
        arguments: [
            (0x0000_0000_0000_0000, "0"), (0x8000_0000_0000_0000, "0"), (0x0000_0000_0000_0001, "5e-324"),
            (0x8000_0000_0000_0001, "-5e-324"), (0x7FEF_FFFF_FFFF_FFFF, "1.7976931348623157e+308"),
            (0xFFEF_FFFF_FFFF_FFFF, "-1.7976931348623157e+308"), (0x4340_0000_0000_0000, "9007199254740992"),
            (0xC340_0000_0000_0000, "-9007199254740992"), (0x4430_0000_0000_0000, "295147905179352830000"),
            (0x44B5_2D02_C7E1_4AF5, "9.999999999999997e+22"), (0x44B5_2D02_C7E1_4AF6, "1e+23"),
            (0x44B5_2D02_C7E1_4AF7, "1.0000000000000001e+23"), (0x444B_1AE4_D6E2_EF4E, "999999999999999700000"),
            (0x444B_1AE4_D6E2_EF4F, "999999999999999900000"), (0x444B_1AE4_D6E2_EF50, "1e+21"),
            (0x3EB0_C6F7_A0B5_ED8C, "9.999999999999997e-7"), (0x3EB0_C6F7_A0B5_ED8D, "0.000001"),
            (0x41B3_DE43_5555_5553, "333333333.3333332"), (0x41B3_DE43_5555_5554, "333333333.33333325"),
            (0x41B3_DE43_5555_5555, "333333333.3333333"), (0x41B3_DE43_5555_5556, "333333333.3333334"),
            (0x41B3_DE43_5555_5557, "333333333.33333343"), (0xBECB_F647_612F_3696, "-0.0000033333333333333333"),
            (0x4314_3FF3_C1CB_0959, "1424953923781206.2"),
        ] as [(UInt64, String)])
    func numbersOfAppendixB(bits: UInt64, text: String) throws {
        let number = Double(bitPattern: bits)
        #expect(JSONValue.number(number).canonical.text == text)
        #expect(try JSONValue(json: text.bytes) == .number(number))
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func aNumberThatIsNoneIsNull(_ number: Double) {
        #expect(JSONValue.number(number).canonical.text == "null")
    }

    @Test func theExampleOfSection322() throws {
        let json = #"""
            {
              "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
              "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
              "literals": [null, true, false]
            }
            """#
        let canonical =
            #"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"#
            + #""string":"€$\u000f\nA'B\"\\\\\"/"}"#
        try expect(json, is: canonical)
    }

    @Test func theOrderOfSection323() throws {
        let json = #"""
            {
              "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
              "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis"
            }
            """#
        let canonical =
            #"{"\r":"Carriage Return","1":"One","\#u{80}":"Control","ö":"Latin Small Letter O With Diaeresis","#
            + #""€":"Euro Sign","😀":"Emoji: Grinning Face","\#u{FB33}":"Hebrew Letter Dalet With Dagesh"}"#
        try expect(json, is: canonical)
    }

    @Test func everyByteOfASCIIIsEscapedInOneWay() throws {
        let named: [UInt8: String] = [
            8: #"\b"#, 9: #"\t"#, 10: #"\n"#, 12: #"\f"#, 13: #"\r"#, 0x22: #"\""#, 0x5C: #"\\"#,
        ]
        for byte in UInt8.min..<0x80 {
            let hexadecimal = String(byte, radix: 16)
            let control = #"\u00"# + (byte < 16 ? "0" : "") + hexadecimal
            let text = named[byte] ?? (byte < 0x20 ? control : String(Unicode.Scalar(byte)))
            for padding in ["", "12345678", "1234567890123"] {
                let value = JSONValue.string(padding + String(Unicode.Scalar(byte)) + padding)
                #expect(value.canonical.text == "\"" + padding + text + padding + "\"")
            }
        }
    }

    @Test func objectsWithinObjectsAreOrderedToo() throws {
        try expect(
            #"{"b":{"z":[{"y":1,"x":2}],"a":{}},"a":1,"":[]}"#, is: #"{"":[],"a":1,"b":{"a":{},"z":[{"x":2,"y":1}]}}"#)
    }

    @Test func namesAreOrderedByWhatTheirEscapesMean() throws {
        try expect(
            #"{"Z":1,"\"":2,"\n":3,"\u0001":4,"a\\":5,"a":6,"aa":7}"#,
            is: #"{"\u0001":4,"\n":3,"\"":2,"Z":1,"a":6,"a\\":5,"aa":7}"#)
    }

    @Test(arguments: [
        #"{"a":1,"a":2}"#, #"{"a":1,"b":2,"a":3}"#, #"{"b":1,"a":1,"b":2}"#, #"{"a":1,"\u0061":2}"#,
        #"{"x":{"a":1,"a":1}}"#, #"{"x":[{"b":1,"a":1,"a":1}]}"#,
    ])
    func aNameThatComesTwiceIsAnError(_ json: String) {
        #expect(throws: JSONError.self) { try Fields(canonicalising: json.bytes) }
        #expect(throws: JSONError.self) { try JSONValue(json: json.bytes) }
    }

    @Test func namesThatUnicodeCallsEqualAreTwo() throws {
        let json = "{\"e\u{301}\":1,\"\u{E9}\":2}"
        let fields = try Fields(canonicalising: json.bytes)
        #expect(fields.bytes == json.bytes)
        #expect(fields.members.count == 2)
        #expect(fields["e\u{301}"] == 1)
        #expect(fields["\u{E9}"] == 2)
    }

    @Test func stringsThatUnicodeCallsEqualAreTwoValues() {
        #expect(JSONValue.string("\u{E9}") != .string("e\u{301}"))
        #expect(Set<JSONValue>([.string("\u{E9}"), .string("e\u{301}")]).count == 2)
    }

    @Test func wholeNumbersBeyondTheDoublesAreRounded() throws {
        try expect(
            #"{"n":9007199254740993,"m":-9007199254740991,"z":-0,"o":1.0,"e":1E2,"u":1e-400}"#,
            is: #"{"e":100,"m":-9007199254740991,"n":9007199254740992,"o":1,"u":0,"z":0}"#)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func randomValuesHaveOneForm(seed: UInt64) throws {
        print("randomValuesHaveOneForm: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let members = RandomJSON.members(depth: 3, using: &random)
            let canonical = Fields(members)
            let untidy = RandomJSON.untidy(.object(members), using: &random)
            #expect(try Fields(canonicalising: untidy.bytes) == canonical, "\(untidy)")
            #expect(try Fields(canonicalising: canonical.bytes).bytes == canonical.bytes)
            #expect(canonical.members == members)
            for (name, value) in members { #expect(canonical[name] == value) }
        }
    }

    private func expect(_ json: String, is canonical: String) throws {
        #expect(try Fields(canonicalising: json.bytes).bytes.text == canonical)
        #expect(try JSONValue(json: json.bytes).canonical.text == canonical)
        #expect(try Fields(canonicalising: canonical.bytes).bytes.text == canonical)
    }
}
