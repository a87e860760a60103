/// Decides which connections are accepted, and by which loop, before a byte is read. Pure.
///
/// ```
///            all loops behind          total reached      address reached
/// accept? ──▶ wait        enter ──▶ full (503)  ──▶  crowded (429)  ──▶ the loop with the fewest
/// ```
struct AdmissionControl {
    /// How many connections there may be.
    struct Limits {
        /// Of all addresses.
        var total: Int
        /// Of one address, or of one network of IPv6.
        var perAddress: Int
        /// That may have as many as there is room for: this machine, proxies.
        var unlimited: Set<ClientNetwork> = []
        var proxies: [AddressBlock] = []
        /// Handed to one loop, and not taken up by it.
        var waiting = 256
    }

    /// What becomes of a new connection.
    enum Verdict: Equatable {
        case enter(ConnectionSlot)
        /// The server has no more room.
        case full
        /// The address has no more room.
        case crowded
    }

    /// What a connection holds, and gives back when it ends.
    struct ConnectionSlot: Hashable {
        let address: ClientNetwork
        /// The number of the loop.
        let loop: Int
    }

    private struct Room {
        var inside = 0
        var waiting = 0
    }

    /// How many connections there are.
    private(set) var count = 0
    private let limits: Limits
    private var rooms: [Room]
    private var perAddress: [ClientNetwork: Int] = [:]

    /// - Parameter loops: at least 1.
    init(limits: Limits, loops: Int) {
        self.limits = limits
        rooms = Array(repeating: Room(), count: loops)
    }

    /// Whether some loop keeps up, so that the next one may be accepted. The others wait in the system's own queue.
    var mayAccept: Bool { rooms.contains { $0.waiting < limits.waiting } }

    /// Decides about a new connection, and counts it if it is accepted. Only while `mayAccept`.
    mutating func verdict(on address: ClientNetwork) -> Verdict {
        guard count < limits.total else { return .full }
        let isLimited = !limits.unlimited.contains(address) && !limits.proxies.contains { $0.contains(address) }
        if isLimited, perAddress[address, default: 0] >= limits.perAddress { return .crowded }
        let open = rooms.indices.filter { rooms[$0].waiting < limits.waiting }
        guard let loop = open.min(by: { rooms[$0].inside < rooms[$1].inside }) else { return .full }
        count += 1
        if isLimited { perAddress[address, default: 0] += 1 }
        rooms[loop].inside += 1
        rooms[loop].waiting += 1
        return .enter(ConnectionSlot(address: address, loop: loop))
    }

    /// The loop has taken up a connection that was handed to it.
    mutating func tookUp(_ slot: ConnectionSlot) { rooms[slot.loop].waiting -= 1 }

    /// A connection has ended.
    mutating func left(_ slot: ConnectionSlot) {
        count -= 1
        rooms[slot.loop].inside -= 1
        guard let inside = perAddress[slot.address] else { return }
        perAddress[slot.address] = inside > 1 ? inside - 1 : nil
    }
}
