import CLibuv
import CLibwebsockets
import Locking
import Synchronization

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

    /// Whether some loop keeps up, so that the next connection may be accepted. The others wait in the backlog.
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

/// The counts that all loops of one server share.
final class ConnectionCounts: Sendable {
    private let door: Locked<AdmissionControl>
    private let lastID = Atomic<UInt64>(0)
    /// Whether accepting waits for a loop to keep up.
    private let isHeld = Atomic<Bool>(false)
    /// Goes on accepting; on any thread.
    private let onRelease = Locked<@Sendable () -> Void>({})

    init(limits: AdmissionControl.Limits, loops: Int) {
        door = Locked(AdmissionControl(limits: limits, loops: loops))
    }

    /// Connections now.
    var count: Int { door.withLock { $0.count } }

    /// Whether the next connection may be accepted. If not, `body` of `whenReleased` is called once one may.
    func mayAccept() -> Bool {
        door.withLock { door in
            let may = door.mayAccept
            isHeld.store(!may, ordering: .relaxed)
            return may
        }
    }

    /// Decides whether an accepted connection may stay, and counts it if so.
    func verdict(on address: ClientNetwork) -> AdmissionControl.Verdict { door.withLock { $0.verdict(on: address) } }

    /// A loop took up what was handed to it.
    func tookUp(_ slot: AdmissionControl.ConnectionSlot) {
        let isReleased = door.withLock { door in
            door.tookUp(slot)
            return isHeld.exchange(false, ordering: .relaxed)
        }
        if isReleased { onRelease.withLock { $0 }() }
    }

    func left(_ slot: AdmissionControl.ConnectionSlot) { door.withLock { $0.left(slot) } }

    func whenReleased(_ body: @escaping @Sendable () -> Void) { onRelease.withLock { $0 = body } }

    /// A number never given before.
    func nextID() -> UInt64 { lastID.add(1, ordering: .relaxed).newValue }
}

/// How many bytes the connections of one loop have under way: heads and messages that are not whole, what peers do not take,
/// and what the owner keeps for each. Pure.
///
/// Where they are too many, whoever holds most gives way, whoever asked last: so who holds little stays, however many
/// strangers hold as much as they may.
struct BufferBudget {
    let limit: Int
    private(set) var sum = 0

    /// A connection holds so many more, or fewer.
    ///
    /// - Returns: whether they are too many now.
    mutating func change(by difference: Int) -> Bool {
        sum += difference
        return sum > limit
    }

    /// Who gives way, largest first: so many that some time passes before the next look at all of them.
    ///
    /// - Parameter held: by each connection, in any order.
    /// - Returns: Places in `held`.
    func givingWay(_ held: [Int]) -> [Int] {
        var excess = sum - limit
        guard excess > 0 else { return [] }
        excess += limit / 8
        var places: [Int] = []
        for place in held.indices.sorted(by: { held[$0] > held[$1] }) {
            guard excess > 0, held[place] > 0 else { break }
            places.append(place)
            excess -= held[place]
        }
        return places
    }
}

/// Limits and raises the number of descriptors of this process (getrlimit(2), RLIMIT_NOFILE).
enum DescriptorLimit {
    /// Left for files, timers, loops and what else is not a connection.
    private static let reserve = 256
    /// What a program may have open beside a server's connections; where it has more, accepting rests.
    private static let others = 8192
    /// Held, against the rule, while loops are made: some milliseconds, for which only another server that is made waits.
    private static let isLowered = Locked(false)

    /// How many there may be now.
    static var allowed: Int { limit.map { Int(clamping: $0.rlim_cur) } ?? .max }

    /// Nil where the system does not say.
    private static var limit: rlimit? {
        var limit = rlimit()
        return shim_descriptor_limit(&limit) == 0 ? limit : nil
    }

    /// How many connections there may be at a time: as many as are wanted, or as many as the system allows. Raises the soft
    /// limit towards the hard one, if that is needed; to be called before loops are made, which note it.
    static func room(for connections: Int) -> Int {
        guard var limit else { return connections }
        let wanted = rlim_t(connections + reserve)
        if limit.rlim_cur < wanted {
            var raised = limit
            raised.rlim_cur = min(wanted, limit.rlim_max)
            if shim_set_descriptor_limit(&raised) == 0 { limit = raised }
        }
        guard limit.rlim_cur < wanted else { return connections }
        let allowed = Int(limit.rlim_cur)
        return min(connections, max(1, allowed - min(reserve, allowed / 4)))
    }

    /// Below it are the descriptors of all connections of a server that may have so many.
    static func ceiling(for connections: Int) -> Int { connections + others }

    /// Runs `body` while the process may have no more than `count` descriptors; then it may have as many as before.
    ///
    /// A libwebsockets context has a place for each descriptor that its process may have when it is made, and Debian's builds
    /// look through all of them whenever a connection comes or goes, as their assertions are on. Docker allows 1,048,576.
    static func limited<Result, Failure: Error>(
        to count: Int, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try isLowered.withLock { (isLowered: inout Bool) throws(Failure) -> Result in
            guard var limit, limit.rlim_cur > rlim_t(count) else { return try body() }
            var lower = limit
            lower.rlim_cur = rlim_t(count)
            isLowered = shim_set_descriptor_limit(&lower) == 0
            defer { if isLowered { isLowered = shim_set_descriptor_limit(&limit) != 0 } }
            return try body()
        }
    }
}
