import CommandSources
import KeyedLists
import ListProtocol
import ListSources
import Pulling
import SQLiteSources
import Testing
import WebSources

@testable import RefreshableCommand

/// What settings mean.
struct SettingsTests {
    @Test
    func theContractIsRead() throws {
        let lists = try Settings(reading: Self.contract, file: "lists.yaml").lists
        #expect(lists.map(\.name) == ["commits", "names"])
        #expect(lists[0].title == "Commits" && lists[1].title == nil)
        #expect(
            lists[0].source
                == .command(
                    CommandSettings(
                        command: .arguments(["git", "log", "-n", "50", "--format=%H%x09%s%x09%an%x09%cI"]),
                        layout: RowLayout(
                            .tsv,
                            fields: [.key: .number(1), .title: .number(2), .subtitle: .number(3), .time: .number(4)]))))
        #expect(lists[0].pull.configuration == .standard)
        #expect(
            lists[0].mode == .replace && lists[0].deadline == .of(.seconds(30)) && lists[0].every == .of(.seconds(300)))
        #expect(lists[1].source == .demo("names") && lists[1].deadline == .unset)
    }

    @Test
    func aShellLineStaysOneLine() throws {
        let list = try list("command: df -h | tail -n +2")
        #expect(list.source == .command(CommandSettings(command: .shell("df -h | tail -n +2"))))
    }

    @Test
    func aNounMayHaveLanguages() throws {
        let plain = try list("command: ls\n    noun: {one: commit, other: commits}").noun
        #expect(plain?.forms == [.one: "commit", .other: "commits"])
        let german = try list("command: ls\n    noun: {de: {one: Brief, other: Briefe}}").noun
        #expect(german?.forms == [:] && german?.languages == ["de": [.one: "Brief", .other: "Briefe"]])
    }

    @Test
    func rowsAreDividedByAColumnADayOrAField() throws {
        let column = try list("command: ls\n    section: 3")
        #expect(column.section == .field("section"))
        #expect(column.source?.fields.columns == [.section: .number(3)])
        #expect(try list("command: ls\n    section: {day: time}").section == .day("time"))
        let field = try list("command: ls\n    section: {field: badge}")
        #expect(field.section == .field("badge") && field.source?.fields.columns == [:])
        #expect(try list("push: true\n    section: {field: team}").section == .field("team"))
        #expect(try list("command: ls").section == nil)
    }

    @Test
    func aListMayNotify() throws {
        #expect(try list("command: ls\n    notify: rows").notify == .rows)
        #expect(try list("command: ls").notify == nil)
    }

    @Test
    func aCommandMayHaveAFolderAndVariables() throws {
        let list = try list("command: {run: [./rows, 3], folder: ../tools, environment: {LANG: C, N: 5}}")
        #expect(
            list.source
                == .command(
                    CommandSettings(
                        command: .arguments(["./rows", "3"]), folder: "../tools", environment: ["LANG": "C", "N": "5"]))
        )
    }

    @Test
    func aCommandSaysHowFarItIs() throws {
        let list = try list(
            "command: {run: ls, progress: {total: 400}, size: 16MiB, patience: 500ms}")
        var command = CommandSettings(command: .shell("ls"), progress: .rows(of: 400))
        command.size = 16 << 20
        command.patience = .milliseconds(500)
        #expect(list.source == .command(command))
        let counted = CommandSettings(command: .shell("ls"), progress: .rows(of: nil))
        #expect(try self.list("command: {run: ls, progress: rows}").source == .command(counted))
    }

    @Test
    func aFilesNameTellsItsFormat() throws {
        let plain = try list("file: people.csv").source
        let full = try list("file: {path: /var/log/door, grows: true, size: 1GiB}\n    format: jsonl\n    limit: 5")
            .source
        #expect(plain == .file(FileSettings(path: "people.csv", layout: RowLayout(.csv))))
        #expect(
            full
                == .file(
                    FileSettings(
                        path: "/var/log/door", layout: RowLayout(.jsonl, selection: RowSelection(limit: 5)),
                        grows: true, size: 1 << 30)))
    }

    @Test
    func aWebSourceIsAURLOrSaysMore() throws {
        let plain = try list("web: https://api.example.org/people.csv?a=b").source
        #expect(
            plain
                == .web(
                    WebSettings(
                        request: WebRequest("https://api.example.org/people.csv?a=b"), layout: RowLayout(.csv))))
        let full = try list(
            """
            web:
                  url: https://api.example.org/${PLACE}
                  method: POST
                  headers: {Authorization: "Bearer ${TOKEN}", X: "$ {a} ${"}
                  body: "{}"
                  next: {cursor: /meta/next, as: after}
                  timeout: 5s
                  size: 500KiB
                  private: false
                rows: /data
            """, environment: ["PLACE": "here", "TOKEN": "s3cret"]
        ).source
        #expect(
            full
                == .web(
                    WebSettings(
                        request: WebRequest(
                            "https://api.example.org/here", method: "POST",
                            headers: ["Authorization": "Bearer s3cret", "X": "$ {a} ${"], body: "{}"),
                        layout: RowLayout(.json, rows: JSONPointer(["data"])),
                        next: .cursor(JSONPointer(["meta", "next"]), parameter: "after"),
                        limits: WebLimits(timeout: .seconds(5), size: 512_000, allowsPrivateAddresses: false))))
    }

    @Test
    func aFeedIsAURLSaysMoreOrIsAFile() throws {
        let request = WebRequest("https://a.example/news.json")
        let web = ListSettings.Source.web(WebSettings(request: request, layout: RowLayout(.feed)))
        #expect(try list("feed: https://a.example/news.json").source == web)
        #expect(try list("feed: {url: https://a.example/news.json}").source == web)
        for path in ["./news.xml", "../news", "/srv/news.atom"] {
            let file = FileSettings(path: path, layout: RowLayout(.feed, encoding: .latin1))
            #expect(try list("feed: \(path)\n    encoding: iso-8859-1").source == .file(file))
        }
    }

    @Test(
        arguments: [
            ("link", .link), ("/a/b", .url(JSONPointer(["a", "b"]))), ("{page: p}", .page(parameter: "p")),
        ] as [(String, WebPaging)])
    func pagesAreFoundInOneOfFourWays(text: String, next: WebPaging) throws {
        guard case .web(let web)? = try list("web: {url: http://a.example/, next: \(text)}").source else {
            Issue.record("It is no web source.")
            return
        }
        #expect(web.next == next)
    }

    @Test
    func aDatabaseIsAPathWithItsQueryBesideOrWithin() throws {
        let beside = try list("sqlite: shop.db\n    query: SELECT 1 AS title\n    parameters: [1, a]\n    limit: 5")
            .source
        let within = try list(
            "sqlite: {file: \"${PLACE}/shop.db\", query: SELECT 1 AS title, size: 1MiB, wait: 1s}\n    fields: {title: 1}",
            environment: ["PLACE": "here"]
        ).source
        #expect(
            beside
                == .sqlite(
                    SQLiteSettings(
                        file: "shop.db", query: "SELECT 1 AS title", parameters: [1, "a"],
                        selection: RowSelection(limit: 5))))
        #expect(
            within
                == .sqlite(
                    SQLiteSettings(
                        file: "here/shop.db", query: "SELECT 1 AS title", fields: [.title: .number(1)], size: 1 << 20,
                        wait: .seconds(1))))
    }

    @Test(
        arguments: [
            ("{a: 5, \":b\": -1.5, $c: true, d: null}", ["a": 5, "b": -1.5, "c": 1, "d": nil]),
            ("{a: open, b: \"5\", c: 007, d: 2026-11-21}", ["a": "open", "b": "5", "c": "007", "d": "2026-11-21"]),
            ("[9007199254740993, 1e3, 99999999999999999999]", [9_007_199_254_740_993, 1000.0, 1e20]),
            ("[\"${NUMBER}\", \"x${NUMBER}\", +, 1-2, 0, 0.5]", ["12", "x12", "+", "1-2", 0, 0.5]), ("{}", [:]),
        ] as [(String, SQLiteParameters)])
    func aParameterIsWhatYAMLMeans(text: String, parameters: SQLiteParameters) throws {
        let source = try list(
            "sqlite: a.db\n    query: SELECT 1\n    parameters: \(text)", environment: ["NUMBER": "12"]
        ).source
        #expect(source == .sqlite(SQLiteSettings(file: "a.db", query: "SELECT 1", parameters: parameters)))
    }

    @Test
    func aServerIsAURLWithItsQueryBesideOrWithin() throws {
        let beside = try list(
            "postgres: postgres://a@b/c\n    query: SELECT 1 AS title\n    parameters: [1, a, \"007\", null, true]")
        let within = try list(
            "postgres: {url: \"postgres://a:${WORD}@b/c\", query: SELECT 1, listen: news, size: 1MiB, wait: 1s}",
            environment: ["WORD": "secret"])
        #expect(
            beside.source
                == .postgres(
                    PostgresSettings(
                        url: "postgres://a@b/c", query: "SELECT 1 AS title", parameters: ["1", "a", "007", nil, "true"])
                ))
        #expect(
            within.source
                == .postgres(
                    PostgresSettings(
                        url: "postgres://a:secret@b/c", query: "SELECT 1", listen: "news", size: 1 << 20,
                        wait: .seconds(1))))
    }

    @Test
    func aListMayBePushedBesideItsSourceOrWithoutOne() throws {
        let alone = try list("push: true")
        let beside = try list("demo: fruit\n    push: true")

        #expect(alone.push && alone.source == nil)
        #expect(beside.push && beside.source == .demo("fruit"))
        #expect(try !list("demo: fruit").push)
    }

    @Test
    func columnsAreNumbersRestsOrNames() throws {
        let list = try list("command: ps\n    fields: {key: 1, title: 2-, badge: \"%CPU\"}")
        #expect(
            list.source
                == .command(
                    CommandSettings(
                        command: .shell("ps"),
                        layout: RowLayout(
                            .lines, fields: [.key: .number(1), .title: .rest(2), .badge: .name("%CPU")]))))
    }

    @Test
    func fieldsMayBePointersAndTextsWithColumnsInThem() throws {
        let layout = try layout(
            "{key: id, title: \"{first} {last}\", subtitle: /company/name, link: \"https://example.org/{id}\"}",
            "rows: /data/items")
        #expect(
            layout
                == RowLayout(
                    .json, rows: JSONPointer(["data", "items"]),
                    fields: [
                        .key: .name("id"), .title: .template(try #require(TextTemplate("{first} {last}"))),
                        .subtitle: .pointer(JSONPointer(["company", "name"])),
                        .link: .template(try #require(TextTemplate("https://example.org/{id}"))),
                    ]))
    }

    @Test
    func rowsAreFilteredSortedAndLimited() throws {
        let one = try layout("{title: name}", "filter: stars >= 100", "sort: -stars", "limit: 50").selection
        let some = try layout("{title: name}", "filter: [a = b, \"c !=\"]", "sort: [-stars, name]").selection
        #expect(
            one
                == RowSelection(
                    filter: [Comparison(.name("stars"), .atLeast, "100")],
                    sort: [RowOrder(.name("stars"), isDescending: true)], limit: 50))
        #expect(
            some
                == RowSelection(
                    filter: [Comparison(.name("a"), .equal, "b"), Comparison(.name("c"), .unequal, "")],
                    sort: [RowOrder(.name("stars"), isDescending: true), RowOrder(.name("name"))]))
    }

    private func layout(_ fields: String, _ lines: String...) throws -> RowLayout {
        let lines = ["command: ls", "format: json", "fields: \(fields)"] + lines
        guard case .command(let command)? = try list(lines.joined(separator: "\n    ")).source else {
            throw SettingsFaults(file: "", faults: [])
        }
        return command.layout
    }

    @Test
    func aDemoBringsItsFeelAndSettingsChangeIt() throws {
        let plain = try list("demo: classic").pull
        let changed = try list("demo: classic\n    pull: {indicator: simple, hold: 80, texts: {loading: Wait}}").pull
        #expect(plain.configuration == .classic && plain.texts["primed"] == "Release to refresh")
        #expect(changed.configuration == (try PullConfiguration.classic.changing(hold: 80)))
        #expect(changed.indicator == "simple")
        #expect(changed.texts == plain.texts.merging(["loading": "Wait"]) { $1 })
    }

    @Test
    func distancesBuildOnThePreset() throws {
        let pull = try list("demo: fruit\n    pull: {preset: recipe, threshold: 68, haptics: true}").pull
        #expect(pull.configuration == (try PullConfiguration.recipe.changing(threshold: 68)) && pull.haptics)
    }

    @Test
    func periodsMayBeSwitchedOff() throws {
        let list = try list("demo: fruit\n    deadline: none\n    maximumAge: 1.5m\n    minimumInterval: 250ms")
        #expect(list.deadline == .none && list.every == .unset)
        #expect(list.maximumAge == .of(.seconds(90)) && list.minimumInterval == .of(.milliseconds(250)))
    }

    private func list(_ lines: String, environment: [String: String] = [:]) throws -> ListSettings {
        let text = "lists:\n  - name: a\n    \(lines)\n"
        return try #require(
            try Settings(reading: text, file: "lists.yaml", environment: environment).lists.first)
    }

    private static let contract = """
        lists:
          - name: commits            # in URLs and messages
            title: Commits           # default: the name, capitalised
            command: ["git", "log", "-n", "50", "--format=%H%x09%s%x09%an%x09%cI"]   # or one shell line
            format: tsv              # lines | jsonl | tsv, more later
            fields: {key: 1, title: 2, subtitle: 3, time: 4}      # column numbers, or names
            pull: {preset: standard, threshold: 64}
            mode: replace            # or stream
            deadline: 30s
            every: 5m
          - name: names
            demo: names
        """
}
