import CLibwebsockets

/// The C arrays a vhost points to for as long as it lives: its one protocol, and a retry policy of nothing but zeros.
///
/// ```
/// [ connection │ zeros: the end ]
///   └ raw bytes
/// ```
final class ProtocolTable {
    /// Of what is read raw: everything.
    static let connectionName = "connection"
    /// Bytes that are read from a connection at once. More than a record of TLS, so that nothing decrypted stays
    /// behind in OpenSSL, where no poll sees it (RFC 8446 §5.1: 16,384).
    static let readSize = 32 * 1024

    let protocols: UnsafeMutablePointer<lws_protocols>
    /// The library's default sends pings and costs 110 µs for each connect at 19,000 connections.
    let policy: UnsafeMutablePointer<lws_retry_bo_t>
    private let name: UnsafeMutablePointer<CChar>

    init() {
        guard let copy = strdup(Self.connectionName) else { preconditionFailure("Out of memory.") }
        name = copy
        protocols = .allocate(capacity: 2)
        policy = .allocate(capacity: 1)
        policy.initialize(to: lws_retry_bo_t())
        var entry = lws_protocols()
        entry.name = UnsafePointer(name)
        entry.callback = networkCallback
        // Not allocated for what is read raw.
        entry.rx_buffer_size = Self.readSize
        // Else every send is cut to the receive buffer's size.
        entry.tx_packet_size = 65536
        protocols.initialize(to: entry)
        (protocols + 1).initialize(to: lws_protocols())
    }

    deinit {
        protocols.deallocate()
        policy.deallocate()
        free(name)
    }
}
