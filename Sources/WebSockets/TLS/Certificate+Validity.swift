extension Certificate {
    /// What browsers make of a certificate's dates.
    public enum Validity: Equatable, Sendable {
        case good
        /// Within ten days; its owner should have renewed it by now, as those who issue them for 90 days say: in the last 30.
        case endsSoon
        case expired
        /// It begins later; perhaps the clock is wrong.
        case early
    }

    /// Whether it was made for a host as a URL has it: `name`, `name:8443`, `[::1]:8443`.
    package func covers(_ authority: String) -> Bool {
        guard let host = Authority(authority)?.host else { return isFor(authority) }
        return isFor(host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host)
    }

    /// - Parameter now: in milliseconds since 1970.
    public func validity(at now: Int64) -> Validity {
        if validUntil <= now { return .expired }
        if validFrom > now { return .early }
        return validUntil - now < 10 * 24 * 3600 * 1000 ? .endsSoon : .good
    }
}
