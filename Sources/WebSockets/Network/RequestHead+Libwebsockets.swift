import CLibuv
import CLibwebsockets

extension RequestHead {
    /// What libwebsockets parsed of a request; it is gone once the callback returns.
    init(_ lws: OpaquePointer, extraHeaders: [String]) {
        self.init()
        var start: UnsafeMutablePointer<CChar>?
        var length: Int32 = 0
        let index = Int(lws_http_get_uri_and_method(lws, &start, &length))
        method = Self.methods.indices.contains(index) ? Self.methods[index] : ""
        if let start {
            path = String(decoding: UnsafeRawBufferPointer(start: start, count: Int(length)), as: UTF8.self)
        }
        // libwebsockets takes %0D for the end of the line: then no version follows.
        let isWhole = lws_hdr_total_length(lws, WSI_TOKEN_HTTP) > 0
        query = Self.query(lws)
        isMalformed = !isWhole || path.utf8.contains { $0 < 0x20 || $0 == 0x7F } || hidesZero(start, Int(length))
        for (token, name) in Self.tokens where lws_hdr_total_length(lws, token) > 0 {
            add(name, Self.value(lws, token))
        }
        for name in extraHeaders { addExtra(name, lws) }
    }

    /// Whether the path ended in %00, which libwebsockets keeps but does not count. Behind a path without a query stand a
    /// zero and the version.
    private func hidesZero(_ start: UnsafeMutablePointer<CChar>?, _ length: Int) -> Bool {
        guard let start, query.isEmpty else { return false }
        return start[length] == 0 && start[length + 1] == 0
    }

    private mutating func add(_ name: String, _ value: String?) {
        guard let value else {
            isMalformed = true
            return
        }
        headers.add(name, String(value.trimmingSpace()))
    }

    private mutating func addExtra(_ name: String, _ lws: OpaquePointer) {
        let field = name + ":"
        let length = lws_hdr_custom_length(lws, field, Int32(field.utf8.count))
        guard length > 0 else { return }
        add(
            name,
            Self.text(capacity: Int(length) + 1) { buffer, capacity in
                lws_hdr_custom_copy(lws, buffer, capacity, field, Int32(field.utf8.count))
            })
    }

    /// In the order of LWSHUMETH_GET and so on.
    private static let methods = ["GET", "POST", "OPTIONS", "PUT", "PATCH", "DELETE", "CONNECT", "HEAD"]

    /// Each header that libwebsockets knows: its strings are `host:`, and `get ` or `:path` for what is no header.
    private static let tokens: [(lws_token_indexes, String)] = (0..<UInt32(WSI_TOKEN_COUNT.rawValue)).compactMap {
        raw in
        let token = lws_token_indexes(raw)
        guard let text = lws_token_to_string(token) else { return nil }
        let name = String(cString: UnsafeRawPointer(text).assumingMemoryBound(to: CChar.self))
        guard name.hasSuffix(":"), !name.hasPrefix(":"), name.count > 1 else { return nil }
        return (token, String(name.dropLast()))
    }

    /// Repeated fields come joined by commas.
    static func value(_ lws: OpaquePointer, _ token: lws_token_indexes) -> String? {
        text(capacity: Int(lws_hdr_total_length(lws, token)) + 64) { lws_hdr_copy(lws, $0, $1, token) }
    }

    /// libwebsockets cuts a query at its ampersands and decodes the parts.
    private static func query(_ lws: OpaquePointer) -> String {
        var parts: [String] = []
        var index: Int32 = 0
        while case let length = lws_hdr_fragment_length(lws, WSI_TOKEN_HTTP_URI_ARGS, index), length > 0 {
            let part = text(capacity: Int(length) + 2) {
                lws_hdr_copy_fragment(lws, $0, $1, WSI_TOKEN_HTTP_URI_ARGS, index)
            }
            if let part { parts.append(PercentEncoding.queryPart(part)) }
            index += 1
        }
        return parts.joined(separator: "&")
    }

    private static func text(capacity: Int, _ copy: (UnsafeMutablePointer<CChar>, Int32) -> Int32) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { buffer in
            guard let start = buffer.baseAddress, copy(start, Int32(capacity)) >= 0 else { return nil }
            return String(decoding: UnsafeRawBufferPointer(start: start, count: strlen(start)), as: UTF8.self)
        }
    }
}
