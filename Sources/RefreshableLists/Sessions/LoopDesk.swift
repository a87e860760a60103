import WebSockets

/// The desk's place on one loop: everything its sockets say comes in here, on the loop's thread, and goes on to a plain
/// `Desk` that nobody else can touch.
actor LoopDesk: LoopHandler {
    nonisolated let loop: ServiceLoop
    private let desk: Desk

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameter instruments: what the loop records by.
    init(loop: ServiceLoop, house: House, instruments: LoopInstruments) {
        self.loop = loop
        desk = Desk(house: house, loop: loop, instruments: instruments)
        house.doors.onChange { [weak self] in
            self?.post { desk in desk.look() }
        }
    }

    /// Has something done on the loop. From any thread; in the order of the calls.
    nonisolated func post(_ entry: @escaping @Sendable (Desk) -> Void) {
        loop.post { self.assumeIsolated { entry($0.desk) } }
    }

    nonisolated func refusal(of handshake: Handshake) -> HTTPResponse? {
        if assumeIsolated({ $0.desk.house.routes.readiness.drain.isOn }) { return .comeBack }
        return handshake.path == "/ws" ? nil : .text(404, "There is no socket at \(handshake.path). It is at /ws.")
    }

    nonisolated func opened(_ socket: WebSocket) { assumeIsolated { $0.desk.opened(socket, at: $0) } }

    nonisolated func received(_ message: WebSocketMessage, from socket: WebSocket) {
        // Its bytes belong to the library until this call returns, and so does the thread.
        nonisolated(unsafe) let message = message
        assumeIsolated { $0.desk.received(message, from: socket) }
    }

    nonisolated func becameWritable(_ socket: WebSocket) { assumeIsolated { $0.desk.becameWritable(socket) } }

    nonisolated func closed(_ socket: WebSocket, by closing: Closing) {
        assumeIsolated { $0.desk.closed(socket, by: closing) }
    }

    nonisolated func bodyPlan(for request: HTTPRequest) -> BodyPlan {
        assumeIsolated { $0.desk.house.routes.bodyPlan(for: request) }
    }

    nonisolated func request(_ request: HTTPRequest, _ exchange: HTTPExchange) {
        assumeIsolated {
            $0.desk.logForeignPage(request)
            $0.desk.house.routes.answer(request, exchange)
            $0.desk.note(request, exchange)
        }
    }

    nonisolated func refused(_ reason: Refusal, from address: String, path: String) {
        assumeIsolated { $0.desk.refused(reason, from: address, path: path) }
    }

    nonisolated func lagged(by lag: Duration) { assumeIsolated { $0.desk.lagged(by: lag) } }

    /// Programs read problems; people, who ask for pages, read sentences.
    nonisolated func worded(_ refusal: HTTPResponse, of request: HTTPRequest) -> HTTPResponse {
        request.path.hasPrefix("/lists/") ? refusal.asProblem : refusal
    }
}
