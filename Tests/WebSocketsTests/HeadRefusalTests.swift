import Testing

@testable import WebSockets

/// Heads that are not read, and the word they get.
struct HeadRefusalTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var status: Int
        var says: String
        var bytes: [UInt8]

        init(_ name: String, _ status: Int, says: String, _ text: String) {
            testDescription = name
            self.status = status
            self.says = says
            bytes = Array(text.utf8)
        }
    }

    private static func get(_ target: String) -> String { "GET \(target) HTTP/1.1\r\n" }
    private static func field(_ line: String) -> String { "GET / HTTP/1.1\r\n\(line)\r\n" }
    private static func long(_ count: Int) -> String { String(repeating: "a", count: count) }

    static let lines = [
        Case("no version", 400, says: "GET / HTTP/1.1", "GET /\r\n"),
        Case("one word", 400, says: "GET / HTTP/1.1", "hello\r\n"),
        Case("two spaces", 400, says: "one space", "GET  / HTTP/1.1\r\n"),
        Case("a space in front", 400, says: "one space", " GET / HTTP/1.1\r\n"),
        Case("a space behind", 400, says: "one space", "GET / HTTP/1.1 \r\n"),
        Case("a space in the address", 400, says: "%20", get("/a b")),
        Case("a tab for a space", 400, says: "0x09", "GET\t/ HTTP/1.1\r\n"),
        Case("a method that is no token", 400, says: "a method", "G(T / HTTP/1.1\r\n"),
        Case("another protocol", 400, says: "GET / HTTP/1.1", "GET / RTSP/1.0\r\n"),
        Case("a version in small letters", 400, says: "HTTP/1.1", "GET / http/1.1\r\n"),
        Case("no number", 400, says: "HTTP/1.1", "GET / HTTP/\r\n"),
        Case("a number of its own", 505, says: "HTTP/1.1", "GET / HTTP/115\r\n"),
        Case("two digits", 505, says: "HTTP/1.1", "GET / HTTP/1.10\r\n"),
        Case("HTTP/2 with prior knowledge", 505, says: "HTTP/1.1", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        Case("HTTP/3", 505, says: "HTTP/1.1", "GET / HTTP/3\r\n"),
        Case("an unknown method", 501, says: "BREW is not served here. Send GET, HEAD", "BREW / HTTP/1.1\r\n"),
        Case("a method in small letters", 501, says: "capitals", "get / HTTP/1.1\r\n"),
        Case("CONNECT", 501, says: "CONNECT", "CONNECT localhost:80 HTTP/1.1\r\n"),
        Case("TRACE", 501, says: "TRACE", "TRACE / HTTP/1.1\r\n"),
        Case("three empty lines", 400, says: "empty lines", "\r\n\r\n\r\n"),
        Case("TLS", 400, says: "plain HTTP", "\u{16}\u{3}\u{1}"),
        Case("a zero", 400, says: "0x00", "GET /\u{0}"),
        Case("an escape sequence", 400, says: "0x1B", "\u{1B}[A"),
        Case("a lone line feed", 400, says: "nc -C", "GET / HTTP/1.1\n"),
        Case("a lone line feed behind a field", 400, says: "nc -C", field("A: b\nC: d")),
        Case("a lone carriage return", 400, says: "carriage return", "GET /\rHost"),
        Case("two carriage returns", 400, says: "carriage return", "GET / HTTP/1.1\r\r\n"),
    ]

    static let targets = [
        Case("a path without a slash", 400, says: "slash", get("x")),
        Case("an empty one", 400, says: "slash", get("")),
        Case("a host alone", 400, says: "slash", get("localhost:80")),
        Case("a star", 400, says: "slash", get("*")),
        Case("another scheme", 400, says: "slash", get("ftp://localhost/")),
        Case("a fragment", 400, says: "#", get("/x#y")),
        Case("a percent sign alone", 400, says: "%25", get("/100%")),
        Case("half an escape", 400, says: "%25", get("/%2")),
        Case("an escape of other letters", 400, says: "%25", get("/%zz")),
        Case("a bad escape in the query", 400, says: "%25", get("/?a=%g0")),
        Case("a zero in the path", 400, says: "%00", get("/x%00/y")),
        Case("a zero in the query", 400, says: "%00", get("/?x=%00")),
        Case("a line break in the path", 400, says: "control character", get("/x%0D%0AX:%20y")),
        Case("a path that is no text", 400, says: "UTF-8", get("/%FF")),
        Case("half a letter", 400, says: "UTF-8", get("/%C3")),
        Case("one byte too many", 414, says: "200", get("/" + long(200))),
        Case("far too many", 414, says: "200", "GET /" + long(1000)),
        Case("far too many, and no address", 400, says: "GET / HTTP/1.1", long(1000)),
    ]

    static let fields = [
        Case("folded", 400, says: "one line", field("A: b\r\n c")),
        Case("folded with a tab", 400, says: "one line", field("A: b\r\n\tc")),
        Case("folded from the first line", 400, says: "one line", field(" A: b")),
        Case("no colon", 400, says: "colon", field("Host localhost")),
        Case("a space before the colon", 400, says: "space before", field("Host : localhost")),
        Case("a tab before the colon", 400, says: "space before", field("Host\t: localhost")),
        Case("no name", 400, says: "name of a header", field(": b")),
        Case("a space in the name", 400, says: "name of a header", field("Ho st: b")),
        Case("a name beyond ASCII", 400, says: "name of a header", field("Größe: b")),
        Case("a zero", 400, says: "0x00", field("A: \u{0}")),
        Case("a delete", 400, says: "0x7F", field("A: \u{7F}")),
        Case("two hosts", 400, says: "two Host", field("Host: a\r\nhost: a")),
        Case("two lengths", 400, says: "two Content-Length", field("Content-Length: 1\r\nContent-LENGTH: 1")),
        Case("two codings", 400, says: "two Transfer-Encoding", field("Transfer-Encoding: a\r\ntransfer-encoding: b")),
        Case("one byte too many", 431, says: "800", field("A: \(long(796))")),
        Case("one that does not end", 431, says: "800", field("A: \(long(2000))")),
        Case("a name that does not end", 431, says: "800", "GET / HTTP/1.1\r\n" + long(2000)),
        Case(
            "too much together", 431, says: "800",
            field((0..<10).map { "A\($0): \(long(100))" }.joined(separator: "\r\n"))),
        Case("too many", 431, says: "100 headers", field((0..<101).map { _ in "A:" }.joined(separator: "\r\n"))),
    ]

    @Test(arguments: lines + targets + fields) func itGetsAStatusAndAHint(_ example: Case) {
        for transcript in [HeadTranscript(example.bytes), HeadTranscript(example.bytes) { 1 }] {
            guard case .refused(let answer)? = transcript.steps.last else {
                Issue.record("\(transcript.steps)")
                continue
            }
            let text = String(decoding: answer.body, as: UTF8.self)
            #expect(
                transcript.steps.count == 1 && answer.status == example.status && text.contains(example.says), "\(text)"
            )
        }
    }

    @Test(arguments: ["GET /", "GET / HTTP/1.1\r\nA: ", "GET / HTTP/1.1\r\nA: b\r\nC"])
    func noMoreThanTheLimitsIsTaken(_ start: String) {
        let bytes = Array(start.utf8) + [UInt8](repeating: 0x61, count: 100_000)
        let taken = HeadTranscript(bytes) { 1 }.taken
        #expect(taken <= HeadLimits.samples.address + HeadLimits.samples.fields)
    }
}
