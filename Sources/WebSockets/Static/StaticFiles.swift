import CZlib

/// A set of files served from memory: read once, compressed once.
///
/// Nothing outside the set can be named, whatever a path holds: a request looks a name up in a table. Each file is
/// revalidated by a strong ETag, so that a changed page shows at the next visit.
package struct StaticFiles: Sendable {
    private let files: [String: StaticFile]

    /// Files by name, such as `index.html` or `images/logo.svg`.
    ///
    /// - Parameter policy: header fields of each answer; nil: those that are right for our own page.
    package init(files: [String: [UInt8]], policy: HTTPHeaders? = nil) {
        self.files = Dictionary(
            uniqueKeysWithValues: files.map {
                ($0.key, StaticFile(name: $0.key, bytes: $0.value, policy: policy ?? StaticFile.pagePolicy))
            })
    }

    /// The files of a folder and of the folders in it, as they are now. Names that begin with a dot are left out, and so
    /// is what a symbolic link shows outside of the folder.
    ///
    /// - Parameter others: files by name, which are served where the folder has none of that name.
    package init(
        folder: String, over others: [String: [UInt8]] = [:], policy: HTTPHeaders? = nil
    ) throws(SocketError) {
        self.init(files: others.merging(try FolderReader(folder).read()) { _, ofFolder in ofFolder }, policy: policy)
    }

    /// The names, in order.
    package var names: [String] { files.keys.sorted() }

    /// The answer to GET or HEAD for one of the files; `/` and `…/` are `index.html`. nil: not one of them, or another
    /// method.
    package func response(to request: HTTPRequest) -> HTTPResponse? {
        guard request.method == "GET" || request.method == "HEAD", request.path.hasPrefix("/") else { return nil }
        var name = String(request.path.dropFirst())
        if name.isEmpty || name.hasSuffix("/") { name += "index.html" }
        return files[name]?.response(to: request.headers)
    }
}

/// One file in its representations: as it is, and by gzip where that is smaller.
struct StaticFile: Sendable {
    private struct Representation {
        var bytes: [UInt8]
        /// Strong, so it differs between the two (RFC 9110 §8.8.3).
        var tag: String
    }

    private let contentType: String
    private let plain: Representation
    private let compressed: Representation?

    private let policy: HTTPHeaders

    init(name: String, bytes: [UInt8], policy: HTTPHeaders) {
        self.policy = policy
        contentType = ContentType.of(name)
        let tag = EntityTag.of(bytes)
        plain = Representation(bytes: bytes, tag: "\"\(tag)\"")
        compressed = Gzip.compressed(bytes).map { Representation(bytes: $0, tag: "\"\(tag)-gzip\"") }
    }

    func response(to headers: HTTPHeaders) -> HTTPResponse {
        let isCompressed = compressed != nil && Self.acceptsGzip(headers)
        let chosen = isCompressed ? compressed ?? plain : plain
        var response = HTTPResponse(status: 200, headers: policy)
        response.headers["ETag"] = chosen.tag
        if compressed != nil { response.headers["Vary"] = "Accept-Encoding" }
        guard !EntityTag.matches(chosen.tag, headers["If-None-Match"]) else {
            response.status = 304
            return response
        }
        response.headers["Content-Type"] = contentType
        if isCompressed { response.headers["Content-Encoding"] = "gzip" }
        response.body = chosen.bytes
        response.isShared = true
        return response
    }

    /// Scripts and styles from here alone; pictures from anywhere, as rows name them; no frame on another site.
    static let pagePolicy: HTTPHeaders = [
        "Cache-Control": "no-cache",
        "Content-Security-Policy": "default-src 'self'; script-src 'self'; style-src 'self'; "
            + "img-src 'self' https: http: data:; connect-src 'self' ws: wss:; object-src 'none'; "
            + "base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Resource-Policy": "same-origin",
    ]

    /// RFC 9110 §12.5.3, for `gzip` alone: named, or covered by `*`, and not with a weight of 0.
    private static func acceptsGzip(_ headers: HTTPHeaders) -> Bool {
        var isWildAccepted = false
        for member in headers.list("Accept-Encoding") {
            let parts = member.split(separator: ";").map { $0.trimmingSpace() }
            guard let coding = parts.first else { continue }
            let isRefused = parts.dropFirst().contains {
                $0.hasPrefix("q=0") && !$0.contains { "123456789".contains($0) }
            }
            if coding.equalsIgnoringCase("gzip") { return !isRefused }
            if coding == "*" { isWildAccepted = !isRefused }
        }
        return isWildAccepted
    }
}

/// Tags that name a content: two that differ have, for all practical purposes, different tags.
enum EntityTag {
    /// CRC-32, length and FNV-1a of the bytes: the same in every process.
    static func of(_ bytes: [UInt8]) -> String {
        let sum = bytes.withUnsafeBufferPointer { crc32(0, $0.baseAddress, UInt32($0.count)) }
        // http://www.isthe.com/chongo/tech/comp/fnv: offset basis and prime for 64 bits.
        let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return String(hash, radix: 36) + String(UInt64(sum), radix: 36) + String(bytes.count, radix: 36)
    }

    /// Whether an If-None-Match names the tag: a list, weak or strong, or `*` (RFC 9110 §13.1.2).
    static func matches(_ tag: String, _ header: String?) -> Bool {
        guard let header else { return false }
        return header.split(separator: ",").map { $0.trimmingSpace() }.contains { candidate in
            candidate == "*" || candidate == tag || candidate == "W/" + tag
        }
    }
}

/// The media type of a file, by the end of its name.
enum ContentType {
    static func of(_ name: String) -> String {
        if name.hasSuffix(".d.ts") { return "text/plain; charset=utf-8" }
        let ending = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
        return types[ending] ?? "application/octet-stream"
    }

    private static let types = [
        "html": "text/html; charset=utf-8",
        "js": "text/javascript; charset=utf-8",
        "mjs": "text/javascript; charset=utf-8",
        "css": "text/css; charset=utf-8",
        "json": "application/json",
        "map": "application/json",
        "webmanifest": "application/manifest+json",
        "txt": "text/plain; charset=utf-8",
        "md": "text/markdown; charset=utf-8",
        "svg": "image/svg+xml",
        "png": "image/png",
        "jpg": "image/jpeg",
        "jpeg": "image/jpeg",
        "webp": "image/webp",
        "gif": "image/gif",
        "ico": "image/x-icon",
        "woff2": "font/woff2",
    ]
}

/// One gzip member (RFC 1952), by zlib.
enum Gzip {
    /// The bytes compressed as well as zlib can; nil if that saves less than a twentieth.
    static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        guard shim_gzip_init(&stream) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        var input = bytes
        let output = [UInt8](unsafeUninitializedCapacity: Int(deflateBound(&stream, UInt(bytes.count)))) {
            output, count in
            input.withUnsafeMutableBufferPointer { input in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                count = deflate(&stream, Z_FINISH) == Z_STREAM_END ? Int(stream.total_out) : 0
            }
        }
        return !output.isEmpty && output.count < bytes.count - bytes.count / 20 ? output : nil
    }
}
