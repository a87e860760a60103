import Foundation

/// The name of the time since this machine was started: two processes with the same one share a memory, and so what the
/// system has not yet written to the disk.
enum BootID {
    /// The name, or nil where the system does not tell; then history is vouched for only after a clean close.
    static func current() -> String? {
        #if os(Linux)
            // random(4): "generated once at boot".
            guard let data = FileManager.default.contents(atPath: "/proc/sys/kernel/random/boot_id") else { return nil }
            return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        #else
            var bytes = [UInt8](repeating: 0, count: 64)
            var count = bytes.count
            guard sysctlbyname("kern.bootsessionuuid", &bytes, &count, nil, 0) == 0 else { return nil }
            return String(decoding: bytes[..<count].prefix { $0 != 0 }, as: UTF8.self)
        #endif
    }
}
