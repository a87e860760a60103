import Logging
import Testing

@testable import RefreshableCommand

/// One event is one line, whatever strangers wrote into it.
struct LogLineTests {
    private let line = LogLine(
        date: 1_795_275_322_007, level: .warning, message: "A refresh failed.",
        metadata: ["run": "r7", "list": "fruit", "cause": "pull"])

    @Test func textBeginsWithTheTimeInUTCAndEndsWithWhatItIsAbout() {
        #expect(line.text(.text) == "2026-11-21T15:35:22.007Z warning A refresh failed. list=fruit run=r7 cause=pull")
    }

    @Test func jsonHasAMemberForEach() {
        #expect(
            line.text(.json)
                == #"{"time":"2026-11-21T15:35:22.007Z","level":"warning","message":"A refresh failed.","#
                + #""list":"fruit","run":"r7","cause":"pull"}"#)
    }

    @Test(arguments: [
        "a\nb", "a\r\n2026-11-21T15:35:22.007Z critical forged", "\u{1B}[2J", "\u{9B}2J", "\u{0}", "\u{2028}",
        "\u{202E}",
        "\u{7F}",
    ])
    func whatAStrangerWroteIsNoOtherLineAndSteersNoTerminal(_ text: String) {
        let line = LogLine(date: 0, level: .info, message: text, metadata: ["list": text, text: "x"])
        for scalar in line.text(.text).unicodeScalars {
            #expect(scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value))
            #expect(scalar != "\u{2028}" && scalar != "\u{202E}")
        }
        #expect(!line.text(.json).unicodeScalars.contains { $0.value < 0x20 })
    }

    @Test func valuesThatWouldBeTwoWordsAreQuoted() {
        let line = LogLine(date: 0, level: .info, message: "Refused.", metadata: ["path": "/a b=\"c\"", "host": ""])
        #expect(line.text(.text).hasSuffix(#"Refused. host="" path="/a b=\"c\"""#))
    }

    @Test func metadataTakesNoMemberOfTheLine() {
        let line = LogLine(date: 0, level: .info, message: "Refused.", metadata: ["level": "critical"])
        #expect(line.text(.json).hasSuffix(#""level":"info","message":"Refused.","level_":"critical"}"#))
    }

    @Test func secretsOfErrorsAreHiddenToo() {
        let lines = Lines()
        var log = LineLog(.text)
        log.write = { lines.add($0) }
        var secrets = Secrets()
        secrets.note("hunter22", of: "TOKEN")
        let hiding = RedactingLog(log, hiding: SecretRedactor(secrets))
        let logger = Logger(label: "test") { _ in hiding }
        logger.error("hunter22 was refused", error: Failure(), metadata: ["token": "hunter22"])
        #expect(lines.all.count == 1 && !lines.all[0].contains("hunter22"))
        #expect(lines.all[0].contains("${TOKEN}"))
    }

    private struct Failure: Error, CustomStringConvertible {
        let description = "no door opens to hunter22"
    }
}

/// Lines that were logged, in order.
private final class Lines: @unchecked Sendable {
    private(set) var all: [String] = []
    func add(_ line: String) { all.append(line) }
}
