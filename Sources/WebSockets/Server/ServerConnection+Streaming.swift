/// An answer whose body is made while it is sent.
extension ServerConnection: StreamedConnection {
    /// Sends the head, and then what the stream has.
    func begin(_ stream: ResponseStream, _ response: HTTPResponse, _ question: Question) {
        let length: BodyLength = question.isOld ? .untilEnd : .chunked
        if question.isOld { isLast = true }
        let head = response.head(closing: isLast, length: length)
        phase = .streaming(stream, length)
        guard write(head[...]) else { return }
        guard question.method != "HEAD" else {
            stream.end()
            return streamEnded(with: [])
        }
        stream.begin(on: self)
    }

    /// Everything written was taken.
    func proceed(_ stream: ResponseStream) {
        if stream.isOver { finish() } else { stream.proceed() }
    }

    func sendChunk(_ bytes: [UInt8]) {
        guard case .streaming(_, let length) = phase else { return }
        hold(bytes.count)
        guard case .chunked = length else { return _ = write(bytes[...]) }
        // RFC 9112 §7.1.
        _ = write((Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [0x0D, 0x0A])[...])
    }

    /// Meanwhile it is looked whether whoever asked is still there.
    func streamRests() {
        hold(0)
        watch(for: .answer)
    }

    func streamWaits() { watch(for: .taking(taken: bytesAcknowledged)) }

    func streamEnded() {
        guard case .streaming(_, .chunked) = phase else { return streamEnded(with: []) }
        streamEnded(with: Array("0\r\n\r\n".utf8))
    }

    private func streamEnded(with last: [UInt8]) {
        guard last.isEmpty || write(last[...]) else { return }
        if isDrained { finish() } else { streamWaits() }
    }
}
