import CommandSources
import ListSources
import Testing

@testable import RefreshableCommand

/// `${NAME}` wherever a text may stand.
struct VariablesTests {
    private let environment = ["TOKEN": "correct-horse", "EMPTY": "", "FOLDER": "/tools", "SECONDS": "20s"]

    @Test(arguments: [
        ("${TOKEN}", "correct-horse"), ("a${FOLDER}b${TOKEN}c", "a/toolsbcorrect-horsec"), ("$${TOKEN}", "${TOKEN}"),
        ("${NONE:-else}", "else"), ("${EMPTY:-else}", "else"), ("${TOKEN:-else}", "correct-horse"), ("${NONE:-}", ""),
        ("$TOKEN $1 $$ ${", "$TOKEN $1 $$ ${"), ("${a b} ${1} ${}", "${a b} ${1} ${}"), ("${TOKEN", "${TOKEN"),
    ])
    func aTextIsFilled(text: String, filled: String) throws {
        #expect(try list("demo: fruit\n    pull: {texts: {loading: 'x\(text)'}}").pull.texts["loading"] == "x" + filled)
    }

    @Test
    func anyTextMayHaveThem() throws {
        let command = try list("command: {run: [\"${FOLDER}/rows\", \"${TOKEN}\"], environment: {KEY: \"${TOKEN}\"}}")
        #expect(
            command.source
                == .command(
                    CommandSettings(
                        command: .arguments(["/tools/rows", "correct-horse"]), environment: ["KEY": "correct-horse"])))
        #expect(try list("demo: fruit\n    deadline: ${SECONDS}").deadline == .of(.seconds(20)))
        guard case .file(let file)? = try list("file: \"${FOLDER}/rows.csv\"").source else {
            Issue.record("It is no file.")
            return
        }
        #expect(file.path == "/tools/rows.csv" && file.layout.format == .csv)
    }

    @Test
    func aShellHasTheSameVariablesAndReadsItsOwnLine() throws {
        #expect(
            try list("command: echo ${TOKEN} ${NONE} $$").source
                == .command(CommandSettings(command: .shell("echo ${TOKEN} ${NONE} $$"))))
        #expect(
            try list("command: {run: 'echo ${x%.*}'}").source
                == .command(CommandSettings(command: .shell("echo ${x%.*}"))))
    }

    @Test
    func aFaultNamesTheVariableAndNotItsValue() {
        let text = "lists:\n  - name: a\n    demo: \"${TOKEN}\"\n"
        let faults = #expect(throws: SettingsFaults.self) {
            try Settings(reading: text, file: "x.yaml", environment: environment)
        }
        #expect(faults?.lines.first?.hasSuffix("got \"${TOKEN}\"") == true)
    }

    @Test
    func aFewLinesOfAliasesAreNotBillions() {
        var text = "x: &x0 [\"${TOKEN}\"]\n"
        for level in 1...40 { text += "x\(level): &x\(level) [*x\(level - 1), *x\(level - 1)]\n" }
        let faults = #expect(throws: SettingsFaults.self) {
            try Settings(reading: text, file: "x.yaml", environment: environment)
        }
        #expect(faults?.lines.contains { $0.contains("at most 100000 values") } == true)
    }

    private func list(_ lines: String) throws -> ListSettings {
        let text = "lists:\n  - name: a\n    \(lines)\n"
        return try #require(try Settings(reading: text, file: "x.yaml", environment: environment).lists.first)
    }
}
