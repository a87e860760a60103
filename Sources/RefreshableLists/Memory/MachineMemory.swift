#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// How much memory this process may have.
enum MachineMemory {
    /// Bytes: of the machine, or of the control group that the process is in, where that may have less (cgroups(7)).
    static var size: Int {
        let groups = text(of: "/proc/self/cgroup").map(limitFiles) ?? []
        return groups.compactMap { text(of: $0).flatMap(limit) }.reduce(physical, min)
    }

    /// A quarter of it: the lists, their sources and commands, and the system's own buffers for sockets are beside that.
    static var forVisitors: Int { max(64 << 20, size / 4) }

    /// Files that may limit the groups of `/proc/self/cgroup`, whose lines are `number:controllers:path`; of version 2 those
    /// that the group is in, too, for the least of them counts. Pure.
    static func limitFiles(_ groups: String) -> [String] {
        groups.split(separator: "\n").flatMap { line -> [String] in
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { return [] }
            let isSecond = parts[1].isEmpty
            guard isSecond || parts[1].split(separator: ",").contains("memory") else { return [] }
            let root = isSecond ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory"
            let file = isSecond ? "memory.max" : "memory.limit_in_bytes"
            // Within a container, the path may be that of the host, and what is seen at the root is the container's own.
            var folders = [root]
            for name in parts[2].split(separator: "/") { folders.append("\(folders.last ?? root)/\(name)") }
            return folders.map { "\($0)/\(file)" }
        }
    }

    /// What such a file says, in bytes; nil for `max`. Version 1 says a number beyond all memory in its place. Pure.
    static func limit(_ text: String) -> Int? { Int(text.filter { !$0.isWhitespace }).flatMap { $0 > 0 ? $0 : nil } }

    /// Of the machine; as good as endless where the system does not say.
    private static var physical: Int {
        let (pages, size) = (sysconf(Int32(_SC_PHYS_PAGES)), sysconf(Int32(_SC_PAGESIZE)))
        return pages > 0 && size > 0 ? pages * size : .max
    }

    /// Of a small file of the system; nil where it can't be read: not every machine has every one.
    private static func text(of path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        return String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
    }
}
