import ListProtocol
import Pulling

extension RefreshableList {
    /// How the list wants to be pulled, in the words of the wire.
    var pullDescription: PullDescription {
        PullDescription(
            trigger: pull.trigger.rawValue, threshold: pull.threshold, minimum: pull.minimum, hold: pull.hold,
            hysteresis: pull.hysteresis, haptics: haptics, indicator: indicator, texts: texts)
    }
}
