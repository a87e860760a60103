import KeyedLists
import ListSources
import WebSockets

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Batches from a file or pipe: of the lines that are there when the next batch is wanted, so that a line that comes alone
/// is pushed at once, and a million are pushed by the thousand.
struct PushInput {
    private let descriptor: Int32
    private var splitter = LineSplitter(limit: PushBatch.limit)
    private var lines: ArraySlice<[UInt8]> = []
    /// Of the first of `lines`.
    private var number = 1
    private var isAtEnd = false

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// The next batch; nil at the end. Blocks its thread until there is a line. Empty lines are passed over.
    ///
    /// - Throws: `PushBatch.Fault` for a line that is no row, once those before it were given.
    mutating func next() throws -> PushBatch? {
        var batch = PushBatch()
        while batch.count == 0 {
            if lines.isEmpty {
                guard !isAtEnd else { return nil }
                try readMore()
            }
            try fill(&batch)
        }
        return batch
    }

    private mutating func fill(_ batch: inout PushBatch) throws {
        while let line = lines.first {
            if !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
                do {
                    guard try batch.add(line, number: number) else { return }
                } catch  where batch.count > 0 {
                    return
                }
            }
            lines.removeFirst()
            number += 1
        }
    }

    private mutating func readMore() throws {
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        var count = read(descriptor, &piece, piece.count)
        while count < 0, errno == EINTR { count = read(descriptor, &piece, piece.count) }
        guard count >= 0 else {
            throw PushBatch.Fault(line: number, problem: "cannot be read: \(String(cString: strerror(errno))).")
        }
        var more: [[UInt8]] = []
        do {
            try piece[..<count].withUnsafeBytes { bytes in try splitter.append(bytes) { more.append(Array($0)) } }
            if count == 0 { try splitter.finish { more.append(Array($0)) } }
        } catch is LineTooLong {
            throw PushBatch.Fault(line: number + more.count, problem: "is longer than \(PushBatch.limit >> 10) KiB.")
        }
        isAtEnd = count == 0
        lines += more
    }
}

/// Delivers pushes to one list, in order, each under an `Idempotency-Key`, so that trying again does nothing twice.
struct PushDelivery {
    /// What can't be put right by trying again.
    struct Refusal: Error, CustomStringConvertible {
        var description: String
    }

    /// Of the list, such as `http://localhost:8080/lists/board`.
    let url: String
    let token: String?
    /// Which servers are believed.
    var trust = ServerTrust()
    /// How long a push is retried while the server can't be reached, or asks to retry later.
    let patience: Duration

    /// - Throws: `Refusal` where the server refuses, or `patience` is at its end.
    func deliver(_ body: [UInt8]) async throws {
        var headers: HTTPHeaders = [
            "Content-Type": "application/json", "Idempotency-Key": String(UInt64.random(in: .min ... .max), radix: 36),
        ]
        if let token { headers["Authorization"] = "Bearer \(token)" }
        let deadline = ContinuousClock.now + patience
        var pause = Duration.milliseconds(100)
        while let failure = try await attempt(headers, body) {
            guard .now + pause < deadline else { throw Refusal(description: failure) }
            try await Task.sleep(for: pause)
            pause = min(pause * 2, .seconds(2))
        }
    }

    /// - Returns: Why it should be tried again; nil: it is done.
    private func attempt(_ headers: HTTPHeaders, _ body: [UInt8]) async throws -> String? {
        let answer: HTTPResponse
        do {
            answer = try await HTTPClient.send(
                "PATCH", url, headers: headers, body: body, trust: trust, timeout: .seconds(30))
        } catch .connectionFailed(let url, let reason) {
            return "Cannot push to \(url): \(reason)."
        }
        switch answer.status {
        case 200..<300: return nil
        case 429, 502, 503, 504: return answer.detail
        default: throw Refusal(description: answer.detail)
        }
    }
}

extension HTTPResponse {
    /// The sentence that the server's problem (RFC 9457) has for a person; what stands before it need not have one.
    var detail: String {
        do {
            guard case .object(let members) = try JSONValue(json: body), case .string(let detail)? = members["detail"]
            else { return "The server answered \(status)." }
            return detail
        } catch {
            return "The server answered \(status)."
        }
    }
}
