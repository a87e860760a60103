import Locking
import WebSockets

/// How messages call a server's settings: as the properties of its configuration, or as the options of the command.
///
/// One choice for the process, made before a server runs: whoever reads its messages has either written Swift or started
/// the command.
package enum SettingNames: Sendable {
    case properties
    case options

    /// What messages name.
    package enum Setting {
        case port, redirectPort, allowedHosts, allowedOrigins, data, memoryForVisitors, maximumConnections, metrics
        case pushToken
    }

    private static let chosen = Locked(SettingNames.properties)

    /// Has messages call settings so from now on.
    package static func use(_ names: SettingNames) { chosen.withLock { $0 = names } }

    static subscript(setting: Setting) -> String { chosen.withLock(\.self).name(of: setting) }

    private func name(of setting: Setting) -> String {
        switch self {
        case .properties: Self.property(setting)
        case .options: Self.option(setting)
        }
    }

    private static func property(_ setting: Setting) -> String {
        switch setting {
        case .port: "configuration.port"
        case .redirectPort: "configuration.tls.redirectPort"
        case .allowedHosts: "configuration.allowedHosts"
        case .allowedOrigins: "configuration.allowedOrigins"
        case .data: "configuration.data"
        case .memoryForVisitors: "configuration.memoryForVisitors"
        case .maximumConnections: "configuration.maximumConnections"
        case .metrics: "configuration.metrics = .all"
        case .pushToken: "configuration.pushToken"
        }
    }

    private static func option(_ setting: Setting) -> String {
        switch setting {
        case .port: "--port"
        case .redirectPort: "--redirect-port"
        case .allowedHosts: "--allow-host NAME"
        case .allowedOrigins: "--allow-origin ORIGIN"
        case .data: "--data or --store"
        case .memoryForVisitors: "--memory-for-visitors"
        case .maximumConnections: "--max-connections"
        case .metrics: "--metrics all"
        case .pushToken: "--push-token or REFRESHABLE_PUSH_TOKEN"
        }
    }
}
