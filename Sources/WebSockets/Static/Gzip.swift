import CZlib

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
