import CLibwebsockets

/// Adding fields to a request of ours: LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER passes a `char **` and the room left.
enum ClientHeaders {
    static func append(_ headers: HTTPHeaders, _ input: UnsafeRawBufferPointer) -> Int32 {
        guard let base = UnsafeMutableRawPointer(mutating: input.baseAddress) else { return 0 }
        let place = base.assumingMemoryBound(to: UnsafeMutablePointer<CChar>?.self)
        for field in headers.fields where field.isSafe {
            let line = Array("\(field.name): \(field.value)\r\n".utf8)
            guard let target = place.pointee, line.count < input.count else { return -1 }
            UnsafeMutableRawPointer(target).copyMemory(from: line, byteCount: line.count)
            place.pointee = target + line.count
        }
        return 0
    }
}
