import CLibuv
import CLibwebsockets

/// The eventfd that libwebsockets makes for each context and, in 4.3.5 on a foreign loop, never closes.
///
/// It is known by the kernel's own number for it (`eventfd-id`, Linux 5.2, proc(5)), so that a descriptor which has been
/// closed by a version without that leak, and taken again by somebody else, is left alone.
struct EventDescriptor {
    private let descriptor: Int32
    private let identity: String

    /// Finds it among the poll handles of a loop on which nothing else polls yet.
    init?(on loop: UnsafeMutablePointer<uv_loop_t>) {
        var found: Int32 = -1
        uv_walk(
            loop,
            { handle, found in
                guard let handle, let found, handle.pointee.type == UV_POLL else { return }
                let descriptor = shim_uv_descriptor(handle)
                guard EventDescriptor.identity(of: descriptor) != nil else { return }
                found.assumingMemoryBound(to: Int32.self).pointee = descriptor
            }, &found)
        guard found >= 0, let identity = Self.identity(of: found) else { return nil }
        descriptor = found
        self.identity = identity
    }

    /// Closes it, if it is still open. After the second lws_context_destroy.
    func close() {
        guard Self.identity(of: descriptor) == identity else { return }
        CLibwebsockets.close(descriptor)
    }

    private static func identity(of descriptor: Int32) -> String? {
        let file = shim_open("/proc/self/fdinfo/\(descriptor)")
        guard file >= 0 else { return nil }
        defer { CLibwebsockets.close(file) }
        let text = String(unsafeUninitializedCapacity: 1024) { buffer in max(0, read(file, buffer.baseAddress, 1024)) }
        return text.split(separator: "\n").first { $0.hasPrefix("eventfd-id:") }.map(String.init)
    }
}
