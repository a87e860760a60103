import CLibwebsockets

/// The C arrays a vhost points to for as long as it lives: protocols, their names, and a retry policy of nothing but zeros.
///
/// ```
/// [ no subprotocol │ accepted connection │ refreshable.v1 │ … │ zeros: the end ]
///   └ clients        └ raw bytes           └ of clients
/// ```
final class ProtocolTable {
    /// Of clients that offer none. It holds a space, so it is no token and can't be offered as one (RFC 6455 §4.1).
    static let plainName = "no subprotocol"
    /// Of what was accepted, which is read raw.
    static let acceptedName = "accepted connection"
    /// Bytes that are read from an accepted connection at once. More than a record of TLS, so that nothing decrypted stays
    /// behind in OpenSSL, where no poll sees it (RFC 8446 §5.1: 16,384).
    static let readSize = 32 * 1024

    let protocols: UnsafeMutablePointer<lws_protocols>
    /// The library's default sends pings and costs 110 µs for each connect at 19,000 connections.
    let policy: UnsafeMutablePointer<lws_retry_bo_t>
    private let names: [UnsafeMutablePointer<CChar>]

    init(_ settings: NetworkSettings) {
        names = ([Self.plainName, Self.acceptedName] + settings.subprotocols).map { name in
            guard let copy = strdup(name) else { preconditionFailure("Out of memory.") }
            return copy
        }
        protocols = .allocate(capacity: names.count + 1)
        policy = .allocate(capacity: 1)
        policy.initialize(to: lws_retry_bo_t())
        for (index, name) in names.enumerated() {
            var entry = lws_protocols()
            entry.name = UnsafePointer(name)
            entry.callback = networkCallback
            // Not allocated for what is read raw.
            entry.rx_buffer_size = index == 1 ? Self.readSize : settings.receiveBuffer
            // Else every send is cut to the receive buffer's size.
            entry.tx_packet_size = 65536
            (protocols + index).initialize(to: entry)
        }
        (protocols + names.count).initialize(to: lws_protocols())
    }

    deinit {
        protocols.deallocate()
        policy.deallocate()
        for name in names { free(name) }
    }
}
