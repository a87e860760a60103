import Testing

@testable import RefreshableCommand

/// Every fault, word by word as a person reads it.
struct SettingsFaultTests {
    /// A list named `a` on line 2; what is under test begins on line 3, column 5.
    @Test(arguments: [
        (
            "demo: fruits",
            #"3:11: demo: expected hours, names, fruit, classic or mailbox, came "fruits"; did you mean "fruit"?"#
        ),
        ("demo: [fruit]", "3:11: demo: expected hours, names, fruit, classic or mailbox, came a list"),
        ("dmeo: fruit", #"3:5: dmeo: expected a key of a list, came "dmeo"; did you mean "demo"?"#),
        (
            "demo: fruit\n    command: ls",
            "3:5: demo: expected one of command, file, web and demo, came command and demo"
        ),
        ("title: A", "2:5: command: expected one of command, file, web, demo and push: true, came none"),
        ("push: false", "2:5: command: expected one of command, file, web, demo and push: true, came none"),
        ("push: yes", #"3:11: push: expected true or false, came "yes"; did you mean "true"?"#),
        ("psuh: true", #"3:5: psuh: expected a key of a list, came "psuh"; did you mean "push"?"#),
        (
            "push: true\n    every: 5m",
            "4:5: every: expected every only beside command, file, web or demo, came it beside push alone"
        ),
        (
            "push: true\n    format: tsv",
            "4:5: format: expected format only beside command, file, web or demo, came it beside push alone"
        ),
        ("demo: fruit\n    title:", "4:11: title: expected a text, came nothing"),
        ("demo: fruit\n    title: \"\"", #"4:12: title: expected 1 to 256 bytes of text, came """#),
        (
            "demo: fruit\n    mode: steam",
            #"4:11: mode: expected replace or stream, came "steam"; did you mean "stream"?"#
        ),
        ("demo: fruit\n    deadline: 30", #"4:15: deadline: expected \#(duration), came 30; did you mean "30s"?"#),
        ("demo: fruit\n    every: 5 min", #"4:12: every: expected \#(duration), came "5 min"; did you mean "5m"?"#),
        ("demo: fruit\n    every: 0s", #"4:12: every: expected \#(duration), came "0s""#),
        ("demo: fruit\n    every: soon", #"4:12: every: expected \#(duration), came "soon""#),
        ("demo: fruit\n    evry: 5m", #"4:5: evry: expected a key of a list, came "evry"; did you mean "every"?"#),
        (
            "demo: fruit\n    format: tsv",
            "4:5: format: expected format only beside command, file or web, came it beside demo"
        ),
        ("command: []", "3:14: command: expected a list of arguments or a shell line, came an empty list"),
        ("command:", "3:13: command: expected a list of arguments or a shell line, came nothing"),
        ("command: [ls, [a]]", "3:19: command: expected a text as argument, came a list"),
        ("command: ['']", #"3:15: command: expected the name of a program, came """#),
        ("command: {rnu: ls}", #"3:15: command.rnu: expected a key of command, came "rnu"; did you mean "run"?"#),
        ("command: {folder: a}", "3:14: command.run: expected a list of arguments or a shell line, came none"),
        (
            "command: {run: ls, environment: [A]}",
            "3:37: command.environment: expected a mapping of names and values, came a list"
        ),
        (
            "command: ls\n    format: jsn",
            #"4:13: format: expected lines, json, jsonl, csv or tsv, came "jsn"; did you mean "json"?"#
        ),
        ("command: ls\n    rows: /a", "4:5: rows: expected rows only with format json, came it with lines"),
        (
            "command: ls\n    format: json\n    rows: data/items",
            #"5:11: rows: expected a JSON pointer such as /data/items, came "data/items"; did you mean "/data/items"?"#
        ),
        ("command: ls\n    limit: 0", "4:12: limit: expected a whole number above zero, came 0"),
        ("command: ls\n    limit: ten", #"4:12: limit: expected a whole number above zero, came "ten""#),
        (
            "command: ls\n    sort: [1, []]",
            "4:15: sort: expected a column such as stars, or -stars for the greatest first, or a list of some, "
                + "came an empty list"
        ),
        (
            "command: ls\n    sort: \"-\"",
            #"4:11: sort: expected a column such as stars, or -stars for the greatest first, came "-""#
        ),
        (
            "command: ls\n    filter: stars",
            "4:13: filter: expected a comparison such as stars >= 100, state = open, title contains swift, "
                + #"came "stars""#
        ),
        (
            "command: ls\n    filter: [state == open]",
            "4:14: filter: expected a comparison such as stars >= 100, state = open, title contains swift, "
                + #"came "state == open"; did you mean "state = open"?"#
        ),
        ("web:", "3:9: web: expected an http or https URL, came nothing"),
        (
            "web: api.example.org/people",
            #"3:10: web: expected an http or https URL, came "api.example.org/people"; "#
                + #"did you mean "https://api.example.org/people"?"#
        ),
        (
            "web: https://me:secret@example.org/",
            "3:10: web: expected a URL without a password, which belongs into the header Authorization, came one"
        ),
        ("web: {method: GET}", "3:10: web.url: expected an http or https URL, came none"),
        (
            "web: {ulr: https://a.example/}",
            #"3:11: web.ulr: expected a key of web, came "ulr"; did you mean "url"?"#
        ),
        (
            "web: {url: https://a.example/, method: get}",
            #"3:44: web.method: expected GET, POST or PUT, came "get"; did you mean "GET"?"#
        ),
        (
            "web: {url: https://a.example/, body: x}",
            "3:36: web.body: expected body only with method POST or PUT, came it with GET"
        ),
        (
            "web: {url: https://a.example/, headers: {A: \"${NOT_SET}\"}}",
            "3:49: web.headers: expected the environment to have the variable NOT_SET, came none of that name"
        ),
        (
            "web: {url: https://a.example/, headers: {A b: c}}",
            #"3:46: web.headers: expected the name of a header, and a text of one line, came "A b" and "c""#
        ),
        (
            "web: {url: https://a.example/, next: lnk}",
            "3:42: web.next: expected \(next), came \"lnk\"; did you mean \"link\"?"
        ),
        ("web: {url: https://a.example/, next: {cursor: /a}}", "3:42: web.next: expected \(next), came a mapping"),
        (
            "web: {url: https://a.example/, size: 5MB}",
            #"3:42: web.size: expected a size such as 500KiB or 16MiB, 1GiB at most, came "5MB""#
        ),
        (
            "web: {url: https://a.example/, next: link}\n    limit: 5",
            "4:5: limit: expected limit only without next, as pages follow each other, came both"
        ),
        ("file:", "3:10: file: expected the path of a file, came nothing"),
        ("file: [a]", "3:11: file: expected the path of a file, came a list"),
        ("file: {grows: true}", "3:11: file.path: expected the path of a file, came none"),
        ("file: {pth: a}", #"3:12: file.pth: expected a key of file, came "pth"; did you mean "path"?"#),
        (
            "file: {path: a.json, grows: true}",
            "3:11: file.grows: expected grows only with lines, jsonl, csv or tsv, "
                + "came it with json, which is whole or nothing"
        ),
        ("file: a.csv\n    rows: /a", "4:5: rows: expected rows only with format json, came it with csv"),
        ("demo: fruit\n    sort: a", "4:5: sort: expected sort only beside command, file or web, came it beside demo"),
        (
            "command: ls\n    fields: {titel: 1}",
            #"4:14: fields.titel: expected a key of fields, came "titel"; did you mean "title"?"#
        ),
        (
            "command: ls\n    fields: {colour: 1}",
            #"4:14: fields.colour: expected a key of fields, came "colour"; "#
                + "there are key, title, subtitle, detail, time, link, image, badge"
        ),
        (
            "command: ls\n    fields: {key: 0}",
            "4:19: fields.key: expected \(column), came 0"
        ),
        (
            "command: ls\n    fields: {title: \"{a\"}",
            #"4:21: fields.title: expected \#(column), came "{a""#
        ),
        (
            "command: ls\n    format: jsonl\n    fields: {key: 1}",
            "5:19: fields.key: expected the name of a member, a JSON pointer, or a text with {name}s in it, "
                + "as the format is jsonl, came 1"
        ),
        (
            "command: ls\n    fields: title",
            "4:13: fields: expected a mapping with key, title, subtitle, detail, time, link, image, badge, came \"title\""
        ),
        (
            "demo: fruit\n    pull: {treshold: 64}",
            #"4:12: pull.treshold: expected a key of pull, came "treshold"; did you mean "threshold"?"#
        ),
        (
            "demo: fruit\n    pull: {threshold: 64px}",
            #"4:23: pull.threshold: expected a number, came "64px"; did you mean "64"?"#
        ),
        ("demo: fruit\n    pull: {threshold: 5}", "4:23: pull.threshold: expected greater than minimum (10), came 5"),
        ("demo: fruit\n    pull: {hysteresis: -1}", "4:24: pull.hysteresis: expected greater than 0, came -1"),
        ("demo: fruit\n    pull: {minimum: 70}", "4:21: pull.threshold: expected greater than minimum (70), came 64"),
        (
            "demo: fruit\n    pull: {trigger: relase}",
            #"4:21: pull.trigger: expected release, return or crossing, came "relase"; did you mean "release"?"#
        ),
        (
            "demo: fruit\n    pull: {preset: clasic}",
            #"4:20: pull.preset: expected standard, recipe, progress or classic, came "clasic"; did you mean "classic"?"#
        ),
        (
            "demo: fruit\n    pull: classic",
            #"4:11: pull: expected a mapping, came "classic"; did you mean "{preset: classic}"?"#
        ),
        (
            "demo: fruit\n    pull: {haptics: yes}",
            #"4:21: pull.haptics: expected true or false, came "yes"; did you mean "true"?"#
        ),
        (
            "demo: fruit\n    pull: {indicator: My own}",
            #"4:23: pull.indicator: expected \#(ListName.rule), came "My own"; did you mean "my-own"?"#
        ),
        (
            "demo: fruit\n    pull: {texts: {loadin: x}}",
            #"4:20: pull.texts.loadin: expected a key of texts, came "loadin"; did you mean "loading"?"#
        ),
    ])
    func aFaultyListIsExplained(lines: String, message: String) {
        #expect(faults("lists:\n  - name: a\n    \(lines)\n") == ["lists.yaml:\(message)"])
    }

    @Test(arguments: [
        ("", "1:1: lists: expected a list of lists, came an empty file"),
        ("# nothing\n", "1:1: lists: expected a list of lists, came an empty file"),
        ("lists:\n", "1:7: lists: expected a list of lists, came nothing"),
        ("lists: []\n", "1:8: lists: expected a list of lists, came an empty list"),
        ("list:\n  - name: a\n", #"1:1: list: expected a key of the file, came "list"; did you mean "lists"?"#),
        ("- name: a\n", "1:1: lists: expected a mapping with lists, came a list"),
        (
            "lists:\n  - fruit\n",
            #"2:5: lists: expected a mapping with \#(ListReader.keys.joined(separator: ", ")), came "fruit""#
        ),
        ("lists:\n  - demo: fruit\n", "2:5: name: expected a name, came none"),
        (
            "lists:\n  - nmae: a\n    demo: fruit\n",
            #"2:5: nmae: expected a key of a list, came "nmae"; did you mean "name"?"#
        ),
        (
            "lists:\n  - name: My List\n    demo: fruit\n",
            #"2:11: name: expected \#(ListName.rule), came "My List"; did you mean "my-list"?"#
        ),
        (
            "lists:\n  - name: ../etc\n    demo: fruit\n",
            #"2:11: name: expected \#(ListName.rule), came "../etc"; did you mean "etc"?"#
        ),
        (
            "lists:\n  - {name: a, demo: fruit}\n  - {name: a, demo: fruit}\n",
            #"3:12: name: expected another name than the list on line 2 has, came "a""#
        ),
        ("lists: [\n", "2:1: YAML: expected YAML, came did not find expected node content (while parsing a flow node)"),
        ("lists:\n  - name: a\n    name: b\n", #"2:5: YAML: expected YAML, came the key "name" twice"#),
        (
            "lists:\n\t- name: a\n",
            "2:1: YAML: expected YAML, came found character that cannot start any token (while scanning for the next token)"
        ),
    ])
    func aFaultyFileIsExplained(text: String, message: String) {
        #expect(faults(text) == ["lists.yaml:\(message)"])
    }

    @Test
    func allFaultsAreToldAtOnceInTheOrderOfTheirLines() {
        let text = """
            lists:
              - name: A B
                demo: fruit
                mode: steam
              - name: c
                comand: ls
            """
        let error = #expect(throws: SettingsFaults.self) { try Settings(reading: text, file: "x.yaml") }
        #expect(
            error?.description == """
                x.yaml:2:11: name: expected \(ListName.rule), came "A B"; did you mean "a-b"?
                x.yaml:4:11: mode: expected replace or stream, came "steam"; did you mean "stream"?
                x.yaml:6:5: comand: expected a key of a list, came "comand"; did you mean "command"?
                3 faults in x.yaml. Nothing is served.
                """)
    }

    private func faults(_ text: String) -> [String] {
        do {
            _ = try Settings(reading: text, file: "lists.yaml")
            return []
        } catch {
            return error.faults.map(\.description)
        }
    }

    private static let next =
        "link, a JSON pointer such as /paging/next, {cursor: POINTER, as: PARAMETER} or {page: PARAMETER}"
    private static let column = "a column number from 1 (2- for the rest), a name, or a text with {name}s in it"
    private static let duration = "a duration above zero such as 250ms, 30s, 5m or 1h, or none"
}
