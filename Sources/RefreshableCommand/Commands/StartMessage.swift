/// What `serve` prints when it is ready.
///
///     Serving 9 lists at http://localhost:8080/
///     Kept in /home/me/.refreshable
struct StartMessage {
    /// The lines, first the one that programs look for.
    let lines: [String]

    /// - Parameter folder: where lists are kept; nil: in memory.
    init(
        _ settings: ServeSettings, lists: [ListSettings], port: Int, folder: String?,
        addresses: () -> [String] = LocalAddresses.all
    ) {
        let count = lists.count == 1 ? "1 list" : "\(lists.count) lists"
        let isSecure = settings.certificate != nil
        let scheme = isSecure ? "https" : "http"
        var lines = ["Serving \(count) at \(scheme)://localhost:\(port)/"]
        lines.append(folder.map { "Kept in \($0)" } ?? "Kept in memory only")
        if !settings.isLoopback {
            let isEverywhere = ["0.0.0.0", "::", "[::]"].contains(settings.host)
            let hosts = isEverywhere ? addresses() : [settings.host]
            // A certificate is made for names.
            let names = isSecure && !settings.allowedHosts.isEmpty ? settings.allowedHosts : hosts
            for name in names { lines.append("\(scheme)://\(name):\(port)/") }
            if settings.tokens == nil {
                lines.append("Anybody who reaches these addresses may read the lists and refresh them.")
            }
            if settings.tokens == nil, settings.pushToken == nil, lists.contains(where: \.push) {
                lines.append("Rows are pushed from this machine alone: from others it needs --push-token.")
            }
        }
        self.lines = lines
    }

    func say() {
        Console.say(lines.joined(separator: "\n"))
    }
}
