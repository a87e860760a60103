import WebSockets

/// The files that the server's settings name, opened as `serve` opens them: certificate, key and tokens.
///
///     lists.yaml:2:38: server.tls.key: expected the private key in PEM, got "key.pem": permission denied. …
struct ServerFiles {
    /// What came of it.
    struct Report: Hashable {
        /// What `serve` would end with, or browsers refuse: a line each.
        var faults: [String] = []
        /// What will be wrong soon, or somewhere.
        var remarks: [String] = []
    }

    let settings: Settings
    /// Their file, as it was named.
    let file: String
    /// Variables by name, which win over the file.
    let environment: [String: String]
    /// In milliseconds since 1970.
    let now: Int64

    /// - Throws: `ServeSettings.Fault` where values do not go together; `SettingsFaults` of the file of tokens.
    func look() throws -> Report {
        let server = try ServeSettings(
            .init(), environment: environment, file: settings.server(in: TextFile.folder(of: file)))
        try server.checkWhole()
        var report = Report()
        if let tokens = server.tokens { try check(tokens: tokens, &report) }
        if let certificate = server.certificate, let key = server.key {
            check(path: certificate, key, for: server.allowedHosts, &report)
        }
        return report
    }

    private func check(tokens: String, _ report: inout Report) throws {
        do {
            _ = try TokenSettings(file: tokens)
        } catch let error as TextFile.Unreadable {
            let came = "\(tokens.quoted): \(error.reason). Check the name, and who may read it."
            report.faults.append(fault(.tokens, "a file of tokens", came))
        }
    }

    private func check(path: String, _ keyPath: String, for hosts: [String], _ report: inout Report) {
        do {
            let certificate = try Certificate(file: path, keyFile: keyPath)
            check(certificate: certificate, &report)
            report.remarks += hosts.filter { !certificate.covers($0) }.map { host in
                "\(place(.certificate)): \(path.quoted) is not made for \(host): browsers refuse it there."
            }
        } catch {
            report.faults.append(fault(error, path, keyPath))
        }
    }

    /// Of the one of both files that it is about.
    private func fault(_ error: SocketError, _ path: String, _ keyPath: String) -> String {
        guard case .cannotSecure(let file, let reason) = error else {
            return fault(.certificate, "a certificate in PEM", "\(path.quoted): \(error)")
        }
        guard file == keyPath, file != path else {
            return fault(.certificate, "a certificate in PEM", "\(file.quoted): \(reason)")
        }
        return fault(.key, "the certificate's private key in PEM", "\(file.quoted): \(reason)")
    }

    private func check(certificate: Certificate, _ report: inout Report) {
        let name = certificate.file.quoted
        switch certificate.validity(at: now) {
        case .good: break
        case .endsSoon:
            report.remarks.append(
                "\(place(.certificate)): \(name) is valid until \(certificate.lastDay) only. Renew it.")
        case .expired:
            report.faults.append(
                fault(
                    .certificate, "one that browsers take",
                    "\(name), which expired on \(certificate.lastDay). Renew it."))
        case .early:
            report.faults.append(
                fault(.certificate, "one that browsers take", "\(name), which is not valid yet. Is the clock right?"))
        }
    }

    private func fault(_ name: ServeSettings.Name, _ expected: String, _ came: String) -> String {
        settings.secrets.hiding("\(place(name)): expected \(expected), got \(came)")
    }

    /// The variable that sets it, or its position in the file.
    private func place(_ name: ServeSettings.Name) -> String {
        let variable = "REFRESHABLE_\(name.variable)"
        guard environment[variable, default: ""].isEmpty, let place = settings.places[name] else { return variable }
        return "\(file):\(place.line):\(place.column): server.\(name.place)"
    }
}
