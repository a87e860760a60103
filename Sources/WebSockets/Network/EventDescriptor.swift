import CLibuv
import CLibwebsockets

/// The eventfd that libwebsockets makes for each context, and treats wrongly when it destroys one on a foreign loop.
///
/// - 4.1.6 closes it **twice**: at once, and again when libuv has let go of its handle. Between the two another thread may
///   have got the same number, and would lose its file. So the number is occupied by a copy until the second close.
/// - 4.3.5 closes it never. So we do.
///
/// Which of the two happened is seen by the kernel's own number for an eventfd (`eventfd-id` in /proc/self/fdinfo, Linux
/// 5.2), so that a version without either fault is served, too.
struct EventDescriptor {
    private let descriptor: Int32
    private let identity: String
    private let handle: UnsafeMutablePointer<uv_handle_t>
    /// Holds the kernel's number, which is reused once an eventfd is closed.
    private var copy: Int32 = -1
    private var isLeftOpen = false

    /// Finds it among the handles of a loop on which nothing of ours polls yet.
    init?(on loop: UnsafeMutablePointer<uv_loop_t>) {
        var found: UnsafeMutablePointer<uv_handle_t>?
        uv_walk(
            loop,
            { handle, found in
                guard let handle, let found, handle.pointee.type == UV_POLL else { return }
                guard EventDescriptor.identity(of: shim_uv_descriptor(handle)) != nil else { return }
                found.assumingMemoryBound(to: UnsafeMutablePointer<uv_handle_t>?.self).pointee = handle
            }, &found)
        guard let found, let identity = Self.identity(of: shim_uv_descriptor(found)) else { return nil }
        handle = found
        descriptor = shim_uv_descriptor(found)
        self.identity = identity
    }

    /// Before the first lws_context_destroy.
    mutating func prepare() {
        copy = shim_duplicate(descriptor, 0)
    }

    /// Right after the first lws_context_destroy, before libuv runs again. false: another thread was faster and has the
    /// number; libwebsockets was kept from closing it, and must not be asked to finish: its memory is lost.
    mutating func occupy() -> Bool {
        guard copy >= 0 else { return true }
        defer { CLibwebsockets.close(copy) }
        isLeftOpen = Self.identity(of: descriptor) == identity
        if isLeftOpen { return true }
        let occupied = shim_duplicate(copy, descriptor)
        if occupied == descriptor { return true }
        if occupied >= 0 { CLibwebsockets.close(occupied) }
        handle.pointee.close_cb = { _ in }
        return false
    }

    /// After the second lws_context_destroy.
    func close() {
        if isLeftOpen { CLibwebsockets.close(descriptor) }
    }

    private static func identity(of descriptor: Int32) -> String? {
        let file = shim_open("/proc/self/fdinfo/\(descriptor)")
        guard file >= 0 else { return nil }
        defer { CLibwebsockets.close(file) }
        let text = String(unsafeUninitializedCapacity: 1024) { buffer in max(0, read(file, buffer.baseAddress, 1024)) }
        return text.split(separator: "\n").first { $0.hasPrefix("eventfd-id:") }.map(String.init)
    }
}
