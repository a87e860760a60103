import Glibc

/// What this process holds, from /proc.
enum Usage {
    static func descriptors() -> Int {
        guard let folder = opendir("/proc/self/fd") else { return -1 }
        defer { closedir(folder) }
        var count = -3  // ".", "..", and the folder itself
        while readdir(folder) != nil { count += 1 }
        return count
    }

    /// Lets this process have fewer descriptors: for good, or until it asks for more.
    static func limitDescriptors(to count: rlim_t, hard: Bool = false) {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = count
        if hard { limit.rlim_max = count }
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    static func descriptorLimit() -> rlim_t {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return limit.rlim_cur
    }

    static func residentKilobytes() -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { return -1 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, 128, file) != nil else { return -1 }
        let fields = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            .split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE)) / 1024 : -1
    }
}
