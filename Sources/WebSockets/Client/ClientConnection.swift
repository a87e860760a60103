import CLibwebsockets

/// A connection that a client makes, until it can be written to: TCP, then TLS where the address wants it. The base of those
/// that speak WebSocket and HTTP. On its loop's thread only.
///
/// ```
/// start ──▶ TCPConnector ──▶ TLS ──▶ connected (overridden)
///   └────────────┴────────────┴────▶ failed (overridden), also when the time is over
/// ```
class ClientConnection: StreamConnection, @unchecked Sendable {
    private enum Stage {
        case made
        case connecting(TCPConnector)
        case securing(ClientSecurity)
        /// Encrypted, if there is one.
        case connected(ClientSecurity?)
        case over
    }

    let url: ClientURL
    private let trust: ServerTrust
    private var stage = Stage.made
    private var deadline: LoopTimer?
    private let waits: ConnectionTimeouts.Limits

    init(loop: ServiceLoop, url: ClientURL, trust: ServerTrust, limits: ConnectionTimeouts.Limits) {
        self.url = url
        self.trust = trust
        waits = limits
        super.init(loop: loop)
    }

    // MARK: Overridden

    /// It can be written to.
    func connected() {}

    /// It has failed, or was lost. Not called after `finish`, nor before `start`.
    func failed(_ reason: String) {}

    // MARK: Beginning and end

    /// Connects. Once.
    ///
    /// - Parameter timeout: until `disarm`.
    func start(timeout: Duration) {
        deadline = loop.schedule(after: timeout) { [weak self] in self?.fail("no answer within \(timeout)") }
        let connector = TCPConnector(loop: loop, port: url.port) { [self] in reached($0) }
        stage = .connecting(connector)
        connector.start(url.host)
    }

    /// What was waited for has come.
    func disarm() {
        deadline?.cancel()
        deadline = nil
    }

    /// Fails once, and ends the connection.
    func fail(_ reason: String) {
        if case .over = stage { return }
        if case .connecting(let connector) = stage { connector.cancel() }
        stage = .over
        disarm()
        failed(reason)
        loop.post { [self] in end() }
    }

    /// Nothing is told any more; the connection ends at once.
    func finish() {
        if case .connecting(let connector) = stage { connector.cancel() }
        stage = .over
        disarm()
        loop.post { [self] in end() }
    }

    override func ended() {
        super.ended()
        fail("the connection was lost")
    }

    private func reached(_ result: Result<Int32, TCPConnector.Failure>) {
        switch result {
        case .failure(let failure): fail(failure.reason)
        case .success(let descriptor):
            Listener.prepare(descriptor)
            guard loop.network.adopt(descriptor, as: self), let lws else { return fail("the connection was lost") }
            // libwebsockets has one of its own, as it knows of no request.
            lws_set_timeout(lws, NO_PENDING_TIMEOUT, 0)
            begin()
        }
    }

    private func begin() {
        guard url.isSecure else {
            stage = .connected(nil)
            return connected()
        }
        do throws(ClientSecurity.Failure) {
            let security = try ClientSecurity(trust, host: url.host)
            stage = .securing(security)
            try shake(security)
        } catch {
            fail(error.reason)
        }
    }

    private func shake(_ security: ClientSecurity) throws(ClientSecurity.Failure) {
        defer { _ = super.write(security.toSend()[...]) }
        try security.proceed()
        guard security.isReady else { return }
        stage = .connected(security)
        connected()
    }

    // MARK: What comes and goes

    override var limits: ConnectionTimeouts.Limits { waits }

    override func arrived(_ bytes: UnsafeMutableRawBufferPointer) {
        switch stage {
        case .connected(nil): received(bytes)
        case .connected(let security?): take(bytes, by: security)
        case .securing(let security): take(bytes, by: security)
        case .made, .connecting, .over: break
        }
    }

    private func take(_ bytes: UnsafeMutableRawBufferPointer, by security: ClientSecurity) {
        security.take(UnsafeRawBufferPointer(bytes))
        do throws(ClientSecurity.Failure) {
            if !security.isReady { try shake(security) }
            guard security.isReady else { return }
            var plain = try security.decrypted()
            // The peer may have asked for other keys.
            _ = super.write(security.toSend()[...])
            if !plain.isEmpty { plain.withUnsafeMutableBytes { received($0) } }
            if security.hasEnded { loop.post { [self] in end() } }
        } catch {
            fail(error.reason)
        }
    }

    override func write(_ bytes: ArraySlice<UInt8>) -> Bool {
        switch stage {
        case .connected(nil): return super.write(bytes)
        case .connected(let security?): return security.encrypt(bytes) && super.write(security.toSend()[...])
        case .made, .connecting, .securing, .over: return false
        }
    }

    override func willShutDown(_ lws: OpaquePointer) {
        guard case .connected(let security?) = stage else { return }
        security.end()
        _ = super.write(security.toSend()[...])
    }
}
