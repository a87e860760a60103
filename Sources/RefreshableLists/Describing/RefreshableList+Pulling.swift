public import Pulling

/// How a pull on a list feels. All of it is told to those who watch: the finger is theirs.
extension RefreshableList {
    /// How far the list is to be pulled, and when that refreshes: `standard` unless set.
    ///
    /// ```swift
    /// .pull(.classic)
    /// .pull(.recipe, threshold: 80)
    /// ```
    ///
    /// Distances are displayed px of the content, 10 000 at most; those left out are the configuration's. One by which
    /// no pull could be measured is a fault of the description, which the server's `run()` throws.
    ///
    /// - Parameters:
    ///   - configuration: One of the four presets, or your own.
    ///   - trigger: When a pull past the threshold asks for a refresh.
    ///   - threshold: From where a pull counts.
    ///   - minimum: Up to where nothing is drawn: at least 0, and less than `threshold`.
    ///   - hold: Where the content rests while it loads: at least 0.
    ///   - hysteresis: How far below the threshold a primed pull is abandoned: more than 0, and less than `threshold`.
    public func pull(
        _ configuration: PullConfiguration = .standard, trigger: PullConfiguration.Trigger? = nil,
        threshold: Double? = nil, minimum: Double? = nil, hold: Double? = nil, hysteresis: Double? = nil
    ) -> Self {
        with { list in
            do throws(PullConfigurationError) {
                list.pull = try configuration.changing(
                    trigger: trigger, threshold: threshold, minimum: minimum, hold: hold, hysteresis: hysteresis)
                list.pullFault = nil
            } catch {
                list.pullFault = error
            }
        }
    }

    /// Whether phones that can do so tick when the pull primes and when the refresh is over. They do not, unless set.
    public func haptics(_ isOn: Bool = true) -> Self { with { $0.haptics = isOn } }

    /// What is drawn in the gap: `default`, `simple`, `circular`, or a name that your page knows. The page draws
    /// `default` for a name that it does not know.
    public func indicator(_ name: String) -> Self { with { $0.indicator = name } }

    /// What the indicator says, by phase: `waiting`, `primed`, `loading`, `closing`. The page says its own for those left
    /// out. Another key is a fault of the description, which the server's `run()` throws.
    public func texts(_ texts: [String: String]) -> Self { with { $0.texts = texts } }
}
