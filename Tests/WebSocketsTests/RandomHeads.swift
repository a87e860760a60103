/// Heads of requests, most of them sound, put together from pieces that mean something to a reader.
enum RandomHeads {
    static func bytes(_ generator: inout SeededGenerator) -> [UInt8] {
        (0..<Int.random(in: 1...3, using: &generator)).flatMap { _ in head(&generator) }
    }

    private static func head(_ generator: inout SeededGenerator) -> [UInt8] {
        var text = pick(["", "", "", "\r\n"], &generator)
        text += pick(["GET", "POST", "OPTIONS", "HEAD"], &generator) + " "
        text += pick(["/", "/x?", "http://localhost/", "/%2e%2e/"], &generator)
        for _ in 0..<Int.random(in: 0...6, using: &generator) {
            text += pick(["a", "%41", "/..", "ü", "?b", "%"], &generator)
        }
        text += " HTTP/1." + pick(["0", "1"], &generator) + "\r\n"
        for _ in 0..<Int.random(in: 0...5, using: &generator) { text += pick(fields, &generator) + "\r\n" }
        var bytes = Array((text + "\r\n").utf8)
        // One head in three has a byte that is another, or is gone.
        guard Int.random(in: 0..<3, using: &generator) == 0 else { return bytes }
        let place = Int.random(in: bytes.indices, using: &generator)
        if Bool.random(using: &generator) {
            bytes[place] = UInt8.random(in: 0...255, using: &generator)
        } else {
            bytes.remove(at: place)
        }
        return bytes
    }

    private static let fields = [
        "Host: localhost", "Host: localhost", "Connection: close", "Connection: keep-alive", "Cookie: a=1",
        "Content-Length: 5", "Expect: 100-continue", "X-Long: " + String(repeating: "x", count: 300), "X:\t ü \t", "Y:",
    ]

    private static func pick(_ choices: [String], _ generator: inout SeededGenerator) -> String {
        choices[Int.random(in: choices.indices, using: &generator)]
    }
}
