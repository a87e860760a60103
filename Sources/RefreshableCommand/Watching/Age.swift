/// How long ago something was, in as few characters as a terminal needs.
enum Age {
    /// - Parameters: times in milliseconds since 1970.
    static func text(of time: Int64, now: Int64) -> String {
        let seconds = (now - time) / 1000
        switch seconds {
        case ..<(-60): return "in \(amount(-seconds))"
        case ..<10: return "just now"
        default: return "\(amount(seconds)) ago"
        }
    }

    private static func amount(_ seconds: Int64) -> String {
        switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3600: "\(seconds / 60) min"
        case ..<86_400: "\(seconds / 3600) h"
        case ..<(86_400 * 14): "\(seconds / 86_400) d"
        case ..<(86_400 * 365): "\(seconds / 86_400 / 7) w"
        default: "\(seconds / 86_400 / 365) y"
        }
    }
}
