import KeyedLists
import Testing

@testable import ListSources

/// What lines become, and what is said of lines that become nothing.
struct RowReaderTests {
    @Test
    func aLineIsItsTitle() throws {
        #expect(try json("  init  --user ", .lines) == [#"{"title":"init  --user"}"#])
    }

    @Test
    func columnsOfLinesAreSetApartByBlanks() throws {
        let fields: FieldMapping = [.title: .rest(3), .subtitle: .number(2), .badge: .number(9)]
        #expect(
            try json("  412 root   /sbin/init  splash", .lines, fields)
                == [#"{"subtitle":"root","title":"/sbin/init  splash"}"#])
    }

    @Test
    func aHeaderNamesColumnsAndItsLastTakesTheRest() throws {
        let fields: FieldMapping = [.title: .name("COMMAND"), .subtitle: .name("PID")]
        #expect(
            try json("PID COMMAND\n 7 sh -c true\n", .lines, fields) == [#"{"subtitle":"7","title":"sh -c true"}"#])
    }

    @Test
    func tabsKeepEmptyColumns() throws {
        let fields: FieldMapping = [.title: .number(3), .subtitle: .number(2)]
        #expect(try json("a\t\tc d", .tsv, fields) == [#"{"subtitle":"","title":"c d"}"#])
    }

    @Test(
        arguments: [
            [.key: .number(1), .title: .number(2), .subtitle: .number(4)],
            [.key: .name("k"), .title: .name("t"), .badge: .name("last")],
            [.key: .name("last"), .title: .number(3), .link: .name("t")],
        ] as [FieldMapping])
    func aRowThatIsMadeOfBytesIsTheOneThatIsMadeOfTexts(fields: FieldMapping) throws {
        let cells = ["", "a", "é b", "\"quoted\\", " \u{1}", "0123456789abcdef", "b  "]
        var lines = ["k\tt\tx\tlast"]
        for number in 0..<400 {
            let some = (0..<number % 6).map { cells[(number * 7 + $0 * 3) % cells.count] }
            lines.append((["\(number)"] + some).joined(separator: "\t") + (number % 4 == 0 ? "\t\(number)" : ""))
        }
        for end in ["\n", "\r\n"] {
            // Each by itself, as a fault ends the reading of all.
            for line in lines.dropFirst() {
                let header = fields.columns[.key] == .number(1) ? "" : lines[0] + end
                let text = Array("\(header)\(line)\(end)".utf8)
                let plain = Result { try RowReader.rows(text, RowLayout(.tsv, fields: fields)) }
                // A condition that all rows meet needs texts.
                let all = RowSelection(filter: [Comparison(.number(1), .unequal, "nobody")])
                let texts = Result { try RowReader.rows(text, RowLayout(.tsv, fields: fields, selection: all)) }
                #expect((try? plain.get()) == (try? texts.get()), "\(line)")
            }
        }
    }

    @Test
    func jsonLinesKeepTheFieldsThatARowHas() throws {
        let line = #"{"title":"é","time":1790000000,"badge":3,"other":[1],"link":null,"subtitle":true}"#
        #expect(try json(line, .jsonl) == [#"{"badge":"3","subtitle":"true","time":1790000000000,"title":"é"}"#])
    }

    @Test
    func jsonColumnsAreMembers() throws {
        let rows = try rows(#"{"id":7,"name":"a"}"#, .jsonl, [.key: .name("id"), .title: .name("name")])
        #expect(rows.map(\.key) == ["7"])
    }

    @Test
    func emptyLinesAreSkipped() throws {
        #expect(try json("a\r\n\r\n \t \nb", .lines).count == 2)
    }

    @Test
    func aDerivedKeyStaysWithItsContent() throws {
        let first = try rows("a\nb", .lines).map(\.key)
        let second = try rows("b\na", .lines).map(\.key)
        #expect(first == second.reversed())
    }

    @Test
    func equalLinesWithoutAKeyColumnAreNumbered() throws {
        let keys = try rows("a\na\na", .lines).map(\.key.string)
        #expect(Set(keys).count == 3)
        #expect(keys[1] == keys[0] + "-2" && keys[2] == keys[0] + "-3")
    }

    @Test(arguments: [
        ("a\tx\nb\ty\na\tz", "Two rows have the key “a”: lines 1 and 3 of the output."),
        ("a\tx\n\ty", "Line 2 of the output has an empty key (column 1)."),
        ("\u{0}", "Line 1 of the output is not text: it has a zero byte."),
    ])
    func aFaultyLineIsNamed(text: String, message: String) {
        #expect(throws: SourceError.self) { try rows(text, .tsv, [.key: .number(1), .title: .number(2)]) }
        #expect(fault(text, .tsv, [.key: .number(1), .title: .number(2)])?.message == message)
    }

    @Test
    func bytesThatAreNoTextAreNamed() {
        var reader = RowReader(RowLayout(.lines), of: "the output")
        let error = #expect(throws: SourceError.self) {
            _ = try ([0x61, 0xff, 0xfe, 0x0a] as [UInt8]).withUnsafeBytes { try reader.append($0) }
        }
        #expect(error?.message == "Line 1 of the output is not UTF-8 text.")
        #expect(error?.detail == "It begins: a·· If it is of another encoding, say so: encoding: windows-1252")
    }

    @Test
    func aBrokenJSONLineIsNamed() {
        let error = fault("{\"title\":\"a\"}\n{\"title\":", .jsonl)
        #expect(error?.message == "Line 2, column 10 of the output is not JSON: there should be a value.")
        #expect(error?.detail == #"It begins: {"title":"#)
    }

    @Test
    func aStructureIsNoText() {
        #expect(
            fault(#"{"title":[1]}"#, .jsonl)?.message
                == "Line 1 of the output has an object or an array for its title. "
                + "A text, a number, true or false is expected.")
    }

    @Test
    func aMissingColumnIsNamedByItsHeader() {
        let error = fault("PID CMD\n1 a", .lines, [.title: .name("COMMAND")])
        #expect(error?.description == "Line 1 of the output names no column “COMMAND”. It names: PID, CMD")
    }

    @Test
    func aTableThatIsReadAsLinesIsToldToBeOne() {
        let error = fault("id,first name,city\n1,Ada,London", .lines, [.title: .name("city")])
        #expect(error?.detail == "It names: id,first, name,city. Its format may be csv")
    }

    @Test
    func aMissingKeyIsAFault() {
        #expect(fault("a", .tsv, [.key: .number(2)])?.message == "Line 1 of the output has no key (column 2).")
    }

    @Test
    func anUnreadableTimeIsAFault() {
        #expect(
            fault("yesterday", .tsv, [.time: .number(1)])?.message
                == "Line 1 of the output has “yesterday” for its time. "
                + "ISO 8601, or seconds or milliseconds since 1970, is expected.")
    }

    @Test
    func rowsAndKeysHaveALimit() {
        #expect(
            fault(String(repeating: "x", count: 16_384), .lines)?.message
                == "Line 1 of the output makes a row of 16396 bytes. A row may have 16384.")
        #expect(
            fault(String(repeating: "k", count: 257), .tsv, [.key: .number(1)])?.message
                == "Line 1 of the output has a key of 257 bytes (column 1). A key may have 256.")
    }

    private func json(_ text: String, _ format: RowFormat, _ fields: FieldMapping = [:]) throws -> [String] {
        try rows(text, format, fields).map { String(decoding: $0.fields.bytes, as: UTF8.self) }
    }

    private func fault(_ text: String, _ format: RowFormat, _ fields: FieldMapping = [:]) -> SourceError? {
        do {
            _ = try rows(text, format, fields)
            return nil
        } catch {
            return error as? SourceError
        }
    }

    private func rows(_ text: String, _ format: RowFormat, _ fields: FieldMapping = [:]) throws -> [ListRow] {
        try RowReader.rows(Array(text.utf8), RowLayout(format, fields: fields))
    }
}
