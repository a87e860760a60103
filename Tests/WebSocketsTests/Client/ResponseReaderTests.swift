import Testing

@testable import WebSockets

@Suite struct ResponseReaderTests {
    private struct Answer: Equatable {
        var status = 0
        var body: [UInt8] = []
        var isWhole = false
        var fault: String?
    }

    /// Reads an answer that comes in pieces of `size` bytes, and then the stream's end.
    private static func read(_ text: String, method: String = "GET", size: Int) -> Answer {
        var reader = ResponseReader(method: method)
        var answer = Answer()
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty, !answer.isWhole, answer.fault == nil {
            var piece = bytes.prefix(size)
            bytes = bytes.dropFirst(size)
            read: while let event = reader.next(&piece) {
                switch event {
                case .head(let head): answer.status = head.status
                case .piece(let piece): answer.body += piece
                case .end:
                    answer.isWhole = true
                    break read
                case .fault(let fault):
                    answer.fault = fault
                    break read
                }
            }
        }
        if !answer.isWhole, answer.fault == nil {
            answer.fault = reader.streamEnded()
            answer.isWhole = answer.fault == nil
        }
        return answer
    }

    private static let answers: [(String, String, Answer)] = [
        (
            "GET", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
            Answer(status: 200, body: Array("hello".utf8), isWhole: true)
        ),
        ("GET", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", Answer(status: 200, isWhole: true)),
        ("HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", Answer(status: 200, isWhole: true)),
        ("GET", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", Answer(status: 304, isWhole: true)),
        (
            "GET", "HTTP/1.0 200 OK\r\n\r\nuntil the end",
            Answer(status: 200, body: Array("until the end".utf8), isWhole: true)
        ),
        (
            "GET", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 1\r\n\r\na",
            Answer(status: 201, body: [0x61], isWhole: true)
        ),
        (
            "GET",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n1\r\n \r\n0\r\nTrailer: a\r\n\r\n",
            Answer(status: 200, body: Array("hello ".utf8), isWhole: true)
        ),
    ]

    @Test(arguments: answers.indices, [1, 2, 3, 7, 1000]) func aWholeAnswerIsReadHoweverItIsCut(index: Int, size: Int) {
        let (method, text, answer) = Self.answers[index]
        #expect(Self.read(text, method: method, size: size) == answer)
    }

    @Test(arguments: [
        "SSH-2.0-OpenSSH_9.2\r\n\r\n", "HTTP/1.1 2x0 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n", "HTTP/1.1 200 O", "",
    ]) func whatIsNoWholeAnswerIsAFault(text: String) {
        for size in [1, 1000] { #expect(Self.read(text, size: size).fault != nil, "\(text)") }
    }

    @Test func aHeadHasALimit() {
        let text = "HTTP/1.1 200 OK\r\nX: " + String(repeating: "a", count: ResponseReader.headLimit)
        #expect(Self.read(text, size: 1000).fault != nil)
    }
}
