import CLibuv
import CLibwebsockets

/// The C arrays a vhost points to for as long as it lives: protocols, their names, a retry policy of nothing but zeros,
/// and how much is kept of each header.
///
/// ```
/// [ name no client can ask for │ refreshable.v1 │ … │ zeros: the end ]
///   └ HTTP, clients, and WebSockets that offer no subprotocol
/// ```
final class ProtocolTable {
    /// Of the first entry. It holds a space, so it is no token and can't be offered as a subprotocol (RFC 6455 §4.1).
    static let plainName = "no subprotocol"

    let protocols: UnsafeMutablePointer<lws_protocols>
    /// The library's default sends pings and costs 110 µs for each connect at 19,000 connections.
    let policy: UnsafeMutablePointer<lws_retry_bo_t>
    let fieldLimits: UnsafeMutablePointer<lws_token_limits>
    private let names: [UnsafeMutablePointer<CChar>]

    init(_ settings: NetworkSettings) {
        names = ([Self.plainName] + settings.subprotocols).map { name in
            guard let copy = strdup(name) else { preconditionFailure("Out of memory.") }
            return copy
        }
        protocols = .allocate(capacity: names.count + 1)
        policy = .allocate(capacity: 1)
        policy.initialize(to: lws_retry_bo_t())
        fieldLimits = .allocate(capacity: 1)
        fieldLimits.initialize(to: lws_token_limits())
        let limit = UInt16(clamping: settings.fieldRoom)
        UnsafeMutableRawPointer(fieldLimits).initializeMemory(
            as: UInt16.self, repeating: limit, count: MemoryLayout<lws_token_limits>.size / 2)
        // It hangs up without a word on more, having 255 bytes for its copy: offers behind that are not seen.
        UnsafeMutableRawPointer(fieldLimits).storeBytes(
            of: UInt16(ExtensionOffer.room), toByteOffset: Int(WSI_TOKEN_EXTENSIONS.rawValue) * 2, as: UInt16.self)
        for (index, name) in names.enumerated() {
            var entry = lws_protocols()
            entry.name = UnsafePointer(name)
            entry.callback = networkCallback
            entry.rx_buffer_size = settings.receiveBuffer
            // Else every send is cut to the receive buffer's size.
            entry.tx_packet_size = 65536
            (protocols + index).initialize(to: entry)
        }
        (protocols + names.count).initialize(to: lws_protocols())
    }

    deinit {
        protocols.deallocate()
        policy.deallocate()
        fieldLimits.deallocate()
        for name in names { free(name) }
    }
}
