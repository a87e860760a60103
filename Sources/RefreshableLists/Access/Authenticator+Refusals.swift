import Logging
import WebSockets

/// Those who are turned away are counted, and who shows a token that does not count is told of in the log.
extension Authenticator {
    /// How often somebody was turned away, by the reason. From any thread.
    var refusals: [AccessRefusal: Int] { counts.withLock { $0.counts } }

    /// Somebody may not, as they are.
    func count(_ visitor: Visitor) { count(visitor.shortcoming) }

    /// As above, for a reason that is known.
    func count(_ refusal: AccessRefusal) { counts.withLock { $0.count(refusal) } }

    /// Somebody showed a token that did not count.
    func note(_ refusal: AccessRefusal, from address: String) {
        let leftOut = counts.withLock { $0.note(refusal, at: clock.now.uptime) }
        guard let leftOut else { return }
        var about: Logger.Metadata = ["reason": "\(refusal.rawValue)", "address": "\(address)"]
        if leftOut > 0 { about["leftOut"] = "\(leftOut)" }
        logger?.notice("Refused a token.", metadata: about)
    }
}
