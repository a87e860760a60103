import Logging
import WebSockets

extension LoopSessions {
    /// Somebody was turned away before there was a connection to number.
    func refused(_ reason: Refusal, from address: String, path: String) {
        guard let leftOut = refusalLines.take(at: context.clock.now.uptime) else { return }
        let hint = reason == .origin ? " \(Self.originHint)" : ""
        log(
            .notice, "Refused a connection or request.\(hint)", leftOut,
            ["reason": "\(reason.rawValue)", "address": "\(address)", "path": "\(path)"])
    }

    /// A page of a site that is not allowed has asked for a script. It gets it, as everybody does, but its browser will
    /// not run it, and tells of CORS alone.
    func logForeignPage(_ request: HTTPRequest) {
        guard request.path.hasSuffix(".js"), let origin = request.headers["Origin"],
            request.headers.isOfOwnPage == false,
            !context.allowedOrigins.contains(where: { $0 == "*" || $0.lowercased() == origin.lowercased() }),
            let leftOut = refusalLines.take(at: context.clock.now.uptime)
        else { return }
        log(
            .notice, "A page of another site asked for a script, which browsers don't run there. \(Self.originHint)",
            leftOut,
            ["origin": "\(origin)", "address": "\(request.remoteAddress)", "path": "\(request.path)"])
    }

    private static let originHint = "Allow it by --allow-origin ORIGIN, or allowedOrigins."

    /// A connection has ended. Those that the server ended for something they did are worth a line.
    func logClosing(_ socket: WebSocket, _ closing: CloseStatus) {
        let about: Logger.Metadata = [
            "connection": "\(socket.id)", "address": "\(socket.handshake.remoteAddress)", "code": "\(closing.code)",
            "reason": "\(closing.reason)",
        ]
        guard Self.isFault(closing) else { return context.logger.debug("A connection ended.", metadata: about) }
        guard let leftOut = closingLines.take(at: context.clock.now.uptime) else { return }
        log(.info, "Closed a connection.", leftOut, about)
    }

    private static func isFault(_ closing: CloseStatus) -> Bool {
        guard !closing.wasClean else { return false }
        return closing.code == 1002 || 1007...1009 ~= closing.code || 4000..<4200 ~= closing.code
    }

    private func log(_ level: Logger.Level, _ message: String, _ leftOut: Int, _ about: Logger.Metadata) {
        var about = about
        if leftOut > 0 { about["leftOut"] = "\(leftOut)" }
        context.logger.log(level: level, "\(message)", metadata: about)
    }
}
