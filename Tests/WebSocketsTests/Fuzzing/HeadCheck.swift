@testable import WebSockets

/// What must hold of whatever `HeadReader` is given.
enum HeadCheck {
    private static let limits = HeadLimits(address: 200, fields: 800)
    /// For what was read: an escape is three bytes where one may have stood.
    private static let wide = HeadLimits(address: 1000, fields: 4000)

    static func fault(of bytes: [UInt8]) -> String? {
        let whole = HeadTranscript(bytes, limits)
        if HeadTranscript(bytes, limits, pieces: { 1 }) != whole { return "A byte at a time is read otherwise." }
        var generator = SeededGenerator(seed: bytes.reduce(UInt64(bytes.count)) { $0 &* 31 &+ UInt64($1) })
        let cut = HeadTranscript(bytes, limits) { Int.random(in: 1...20, using: &generator) }
        if cut != whole { return "It is read otherwise in other pieces." }
        for case .head(let head) in whole.steps {
            if let fault = fault(of: head) { return fault }
        }
        return nil
    }

    private static func fault(of head: RequestHead) -> String? {
        let path = head.path.utf8
        guard RequestLine.methods.contains(head.method), path.first == UInt8(ascii: "/"), !path.contains(0) else {
            return "A head has a method or a path that is none."
        }
        if path.split(separator: UInt8(ascii: "/")).contains(where: { $0.elementsEqual("..".utf8) }) {
            return "A path leads upwards."
        }
        if head.headers.fields.count > HeadLimits.fieldCount { return "A head has too many fields." }
        if head.headers.fields.contains(where: { !$0.isSafe }) { return "A field could break a message apart." }
        guard case .head(let again)? = HeadTranscript(wire(head), wide).steps.first else {
            return "It does not read back."
        }
        let isSame =
            again.method == head.method && again.path == head.path && again.query == head.query
            && again.headers == head.headers
        return isSame ? nil : "It reads back otherwise."
    }

    private static func wire(_ head: RequestHead) -> [UInt8] {
        let fields = head.headers.fields.map { "\($0.name):\($0.value)\r\n" }.joined()
        return Array("\(head.method) \(PercentEncoding.path(head.path))?\(head.query) HTTP/1.1\r\n\(fields)\r\n".utf8)
    }
}
