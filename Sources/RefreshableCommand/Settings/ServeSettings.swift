import Logging
import PostgresSources
import WebPush
import WebSockets

/// How `refreshable serve` serves: a flag wins over its environment variable, and that over the default.
///
/// Pure: texts go in, checked values or one sentence come out.
struct ServeSettings: Hashable {
    /// The options of the command line; nil and empty if not given.
    struct Flags {
        var lists: String?
        var name: String?
        var host: String?
        var port: String?
        var publicFolder: String?
        var data: String?
        var store: String?
        var isEphemeral = false
        var loops: String?
        var maxConnections: String?
        var maxConnectionsPerAddress: String?
        var memoryForVisitors: String?
        var allowedHosts: [String] = []
        var allowedOrigins: [String] = []
        var proxies: [String] = []
        var pushServices: [String] = []
        var pushToken: String?
        var certificate: String?
        var key: String?
        var redirectPort: String?
        var hsts: String?
        var metrics: String?
        var drain: String?
        var tokens: String?
        var logLevel: String?
        var logFormat: String?
    }

    /// Who may read `/metrics`.
    enum Metrics: String, CaseIterable {
        case off, local, all
    }

    /// A value that a settings file may have, by its name there.
    enum Name: String, CaseIterable {
        case name, host, port, publicFolder = "public", data, store, ephemeral, loops, allowHosts, allowOrigins, proxies
        case pushServices
        case pushToken, tokens
        case logLevel
        case certificate, key, redirect, hsts
        case metrics, drain, logFormat
        case maxConnections, maxConnectionsPerAddress, memoryForVisitors

        /// Those that stand below `tls`.
        static let ofTLS: [Name] = [.certificate, .key, .redirect, .hsts]

        /// Whether there may be several.
        var isPlural: Bool { [.allowHosts, .allowOrigins, .proxies, .pushServices].contains(self) }

        /// The path to it below `server`.
        var place: String { Self.ofTLS.contains(self) ? "tls.\(rawValue)" : rawValue }

        /// Its variable of the environment, without `REFRESHABLE_`.
        var variable: String {
            switch self {
            case .name: "NAME"
            case .host: "HOST"
            case .port: "PORT"
            case .publicFolder: "PUBLIC"
            case .data: "DATA"
            case .store: "STORE"
            case .ephemeral: "EPHEMERAL"
            case .loops: "LOOPS"
            case .maxConnections: "MAX_CONNECTIONS"
            case .maxConnectionsPerAddress: "MAX_CONNECTIONS_PER_ADDRESS"
            case .memoryForVisitors: "MEMORY_FOR_VISITORS"
            case .allowHosts: "ALLOW_HOST"
            case .allowOrigins: "ALLOW_ORIGIN"
            case .proxies: "PROXY"
            case .pushServices: "PUSH_SERVICE"
            case .pushToken: "PUSH_TOKEN"
            case .metrics: "METRICS"
            case .drain: "DRAIN"
            case .tokens: "TOKENS"
            case .logLevel: "LOG_LEVEL"
            case .certificate: "CERTIFICATE"
            case .key: "KEY"
            case .redirect: "REDIRECT_PORT"
            case .hsts: "HSTS"
            case .logFormat: "LOG_FORMAT"
            }
        }
    }

    /// A value that can't be: `--port: expected …, got …`.
    struct Fault: Error, Hashable, CustomStringConvertible {
        let name: String
        let expected: String
        let came: String

        var description: String { "\(name): expected \(expected), got \(came.quoted)." }
    }

    /// Nil: `lists.yaml` in the working folder.
    let lists: String?
    /// By which lists name this server; nil: the machine's.
    let name: String?
    let host: String
    let port: Int
    let publicFolder: String?
    /// Nil: `.refreshable` beside the lists.
    let data: String?
    /// The database that lists are stored in; nil: they are in a folder, or in memory.
    let store: String?
    let isEphemeral: Bool
    /// Nil: one for each processor.
    let loops: Int?
    /// At a time, of all addresses.
    let maxConnections: Int
    /// At a time, of one address.
    let maxConnectionsPerAddress: Int
    /// Bytes; nil: by what the process may have.
    let memoryForVisitors: Int?
    let allowedHosts: [String]
    let allowedOrigins: [String]
    /// Addresses and blocks of those that are believed.
    let proxies: [String]
    /// Origins to which notifications may be sent, beside those of browsers.
    let pushServices: [String]
    /// Nil: programs on this machine may push, others may not.
    let pushToken: String?
    /// PEM files; nil: no TLS.
    let certificate: String?
    let key: String?
    /// The port that redirects to TLS; nil: none.
    let redirectPort: Int?
    /// How long browsers must use TLS (HSTS); nil: the header is not sent.
    let strictTransport: Duration?
    let metrics: Metrics
    /// How long refreshes under way have when the server is to stop.
    let drain: Duration
    /// The tokens file; nil: clients need no token.
    let tokens: String?
    let logLevel: Logger.Level
    let logFormat: LogFormat

    /// - Parameter file: the `server` section of the settings file.
    init(_ flags: Flags, environment: [String: String], file: [Name: String] = [:]) throws(Fault) {
        let values = Values(environment: environment, file: file)
        lists = values.text(flags.lists, "LISTS")
        name = values.text(flags.name, "NAME")
        host = values.text(flags.host, "HOST") ?? "localhost"
        port = try values.number(flags.port, "port", in: 0...65_535, "a port from 0 (any free one) to 65535") ?? 8080
        publicFolder = values.text(flags.publicFolder, "PUBLIC")
        data = values.text(flags.data, "DATA")
        // Of a database, a wish to keep nothing and a folder, the one that stands nearest counts.
        let store = values.text(flags.store, "STORE")
        let isEphemeral = try values.flag("EPHEMERAL") || flags.isEphemeral
        let places = [
            store == nil ? nil : values.distance(flags.store != nil, "STORE"),
            isEphemeral ? values.distance(flags.isEphemeral, "EPHEMERAL") : nil,
            data == nil ? nil : values.distance(flags.data != nil, "DATA"),
        ]
        let nearest = places.compactMap(\.self).min()
        self.store = places[0] != nil && places[0] == nearest ? store : nil
        self.isEphemeral = self.store == nil && places[1] != nil && places[1] == nearest
        loops = try values.number(flags.loops, "loops", in: 1...64, "a number of threads from 1 to 64")
        let count = "a number from 1 to 1000000"
        maxConnections =
            try values.number(flags.maxConnections, "max-connections", in: 1...1_000_000, count) ?? 15_000
        maxConnectionsPerAddress =
            try values.number(
                flags.maxConnectionsPerAddress, "max-connections-per-address", in: 1...1_000_000, count) ?? 1000
        memoryForVisitors = try values.memory(flags.memoryForVisitors, "memory-for-visitors")
        allowedHosts = values.texts(flags.allowedHosts, "ALLOW_HOST")
        allowedOrigins = try values.origins(flags.allowedOrigins)
        proxies = try values.proxies(flags.proxies)
        pushServices = try values.pushServices(flags.pushServices)
        pushToken = try values.token(flags.pushToken)
        certificate = values.text(flags.certificate, "CERTIFICATE")
        key = values.text(flags.key, "KEY")
        redirectPort = try values.number(
            flags.redirectPort, "redirect-port", in: 0...65_535, "a port from 0 (any free one) to 65535")
        strictTransport = try values.strictTransport(flags.hsts)
        metrics = try values.word(flags.metrics, "metrics") ?? .local
        drain = try values.duration(flags.drain, "drain") ?? .seconds(10)
        tokens = values.text(flags.tokens, "TOKENS")
        logLevel = try values.word(flags.logLevel, "log-level") ?? .notice
        logFormat = try values.word(flags.logFormat, "log-format") ?? .text
    }

    /// Options that need each other: checked once all are known.
    func checkWhole() throws(Fault) {
        if let store, let fault = PostgresSource.fault(inURL: store) {
            // Without the text, which may have a password.
            throw Fault(
                name: "--store", expected: "a URL such as postgres://user@host:5432/database (\(fault))",
                came: "another text")
        }
        if certificate != nil, key == nil {
            throw Fault(name: "--key", expected: "the file of the certificate's private key", came: "nothing")
        }
        if key != nil, certificate == nil {
            throw Fault(name: "--certificate", expected: "the file of the certificate beside its key", came: "nothing")
        }
        if let redirectPort, certificate == nil {
            throw Fault(
                name: "--redirect-port", expected: "a certificate to speak TLS with, by --certificate and --key",
                came: "\(redirectPort)")
        }
    }

    /// Whether only this machine can reach the server.
    var isLoopback: Bool {
        host == "localhost" || host == "::1" || host == "[::1]" || host.hasPrefix("127.")
    }
}

/// Looks values up, first among flags, then in the environment, then in the file. An empty variable is one that is not set.
private struct Values {
    let environment: [String: String]
    let file: [ServeSettings.Name: String]

    func text(_ flag: String?, _ name: String) -> String? {
        if let flag { return flag }
        if isInEnvironment(name) { return environment["REFRESHABLE_\(name)"] }
        return ServeSettings.Name.allCases.first { $0.variable == name }.flatMap { file[$0] }
    }

    /// How far away a value stands: 0 among the flags, 1 in the environment, 2 in the file.
    func distance(_ isFlag: Bool, _ name: String) -> Int { isFlag ? 0 : isInEnvironment(name) ? 1 : 2 }

    func isInEnvironment(_ name: String) -> Bool { environment["REFRESHABLE_\(name)"].map { !$0.isEmpty } ?? false }

    func texts(_ flags: [String], _ name: String) -> [String] {
        guard flags.isEmpty else { return flags }
        return (text(nil, name) ?? "").split { $0 == "," || $0.isWhitespace }.map(String.init)
    }

    func number(
        _ flag: String?, _ name: String, in range: ClosedRange<Int>, _ expected: String
    ) throws(ServeSettings.Fault) -> Int? {
        guard let text = text(flag, Self.variable(name)) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw ServeSettings.Fault(name: label(flag, name), expected: expected, came: text)
        }
        return number
    }

    func flag(_ name: String) throws(ServeSettings.Fault) -> Bool {
        switch text(nil, name)?.lowercased() {
        case "true", "1", "yes": return true
        case nil, "false", "0", "no": return false
        case let other?:
            throw ServeSettings.Fault(name: label(nil, name.lowercased()), expected: "true or false", came: other)
        }
    }

    func origins(_ flags: [String]) throws(ServeSettings.Fault) -> [String] {
        let origins = texts(flags, "ALLOW_ORIGIN")
        for origin in origins where !Self.isOrigin(origin) {
            throw ServeSettings.Fault(
                name: label(flags.first, "allow-origin"),
                expected: "a scheme and a host, and no path, such as https://example.org, or *", came: origin)
        }
        return origins
    }

    func proxies(_ flags: [String]) throws(ServeSettings.Fault) -> [String] {
        let proxies = texts(flags, "PROXY")
        for proxy in proxies where AddressBlock(proxy) == nil {
            throw ServeSettings.Fault(
                name: label(flags.first, "proxy"),
                expected: "an address such as 10.0.0.2, or a block such as 10.0.0.0/8",
                came: proxy)
        }
        return proxies
    }

    func pushServices(_ flags: [String]) throws(ServeSettings.Fault) -> [String] {
        let services = texts(flags, "PUSH_SERVICE")
        for service in services where !PushServices.isOrigin(service) {
            throw ServeSettings.Fault(
                name: label(flags.first, "push-service"),
                expected: "a scheme and a host, and no path, such as https://push.example.org", came: service)
        }
        return services
    }

    /// A fault does not repeat it.
    func token(_ flag: String?) throws(ServeSettings.Fault) -> String? {
        guard let text = text(flag, "PUSH_TOKEN") else { return nil }
        guard SecretText.isValid(text) else {
            throw ServeSettings.Fault(
                name: label(flag, "push-token"), expected: SecretText.rule, came: SecretText.hidden(text))
        }
        return text
    }

    /// From nothing to an hour.
    func duration(_ flag: String?, _ name: String) throws(ServeSettings.Fault) -> Duration? {
        guard let text = text(flag, Self.variable(name)) else { return nil }
        guard let duration = DurationText.duration(text), duration <= .seconds(3600) else {
            throw ServeSettings.Fault(
                name: label(flag, name), expected: "a duration from 0s to 1h such as 10s", came: text)
        }
        return duration
    }

    /// A size; no less than can be divided.
    func memory(_ flag: String?, _ name: String) throws(ServeSettings.Fault) -> Int? {
        guard let text = text(flag, Self.variable(name)) else { return nil }
        guard let bytes = ByteText.bytes(text, most: 1 << 40), bytes >= 16 << 20 else {
            throw ServeSettings.Fault(
                name: label(flag, name), expected: "a size from 16MiB to 1024GiB such as 256MiB", came: text)
        }
        return bytes
    }

    /// A duration, or none.
    func strictTransport(_ flag: String?) throws(ServeSettings.Fault) -> Duration? {
        guard let text = text(flag, "HSTS") else { return .seconds(365 * 24 * 3600) }
        if text == "none" { return nil }
        guard let duration = DurationText.duration(text) else {
            throw ServeSettings.Fault(
                name: label(flag, "hsts"), expected: "a duration such as 24h or 8760h, or none", came: text)
        }
        return duration
    }

    /// `redirect-port` is `REDIRECT_PORT`.
    private static func variable(_ name: String) -> String {
        name.uppercased().split(separator: "-").joined(separator: "_")
    }

    /// One of some words, in any case.
    func word<Word: RawRepresentable & CaseIterable>(
        _ flag: String?, _ name: String
    ) throws(ServeSettings.Fault) -> Word? where Word.RawValue == String {
        guard let text = text(flag, Self.variable(name)) else { return nil }
        guard let word = Word(rawValue: text.lowercased()) else {
            let words = Word.allCases.map(\.rawValue).orList
            throw ServeSettings.Fault(name: label(flag, name), expected: words, came: text)
        }
        return word
    }

    private func label(_ flag: String?, _ name: String) -> String {
        let variable = Self.variable(name)
        if flag != nil { return "--\(name)" }
        let isFromFile = !isInEnvironment(variable)
        let inFile = ServeSettings.Name.allCases.first { $0.variable == variable && file[$0] != nil }
        return isFromFile
            ? inFile.map { "server.\($0.place)" } ?? "REFRESHABLE_\(variable)" : "REFRESHABLE_\(variable)"
    }

    /// `https://example.org:8443`: what a browser sends as Origin has no path.
    private static func isOrigin(_ text: String) -> Bool {
        if text == "*" { return true }
        guard let scheme = ["http://", "https://"].first(where: text.hasPrefix) else { return false }
        let host = text.dropFirst(scheme.count)
        return !host.isEmpty && !host.contains("/") && !host.contains(" ")
    }
}
