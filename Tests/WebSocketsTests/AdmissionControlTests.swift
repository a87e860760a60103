import Testing

@testable import WebSockets

@Suite struct AdmissionControlTests {
    private static let home = ClientNetwork("192.0.2.1")
    private static let other = ClientNetwork("192.0.2.2")

    private static func admissionControl(
        total: Int = 100, perAddress: Int = 100, unlimited: Set<ClientNetwork> = [], waiting: Int = 100, loops: Int = 1
    ) -> AdmissionControl {
        AdmissionControl(
            limits: .init(total: total, perAddress: perAddress, unlimited: unlimited, waiting: waiting), loops: loops)
    }

    private static func slot(_ verdict: AdmissionControl.Verdict) -> AdmissionControl.ConnectionSlot? {
        if case .enter(let slot) = verdict { slot } else { nil }
    }

    @Test func oneMoreThanTheTotalIsTurnedAwayUntilOneLeaves() throws {
        var door = Self.admissionControl(total: 2)
        let home = try #require(Self.home)
        let slot = try #require(Self.slot(door.verdict(on: home)))
        _ = door.verdict(on: home)
        #expect(door.verdict(on: home) == .full && door.count == 2)
        door.left(slot)
        #expect(door.verdict(on: home) != .full && door.count == 2)
    }

    @Test func oneAddressThatHasItsShareLeavesRoomForOthers() throws {
        var door = Self.admissionControl(perAddress: 2)
        let (home, other) = (try #require(Self.home), try #require(Self.other))
        let slot = try #require(Self.slot(door.verdict(on: home)))
        _ = door.verdict(on: home)
        #expect(door.verdict(on: home) == .crowded)
        #expect(door.verdict(on: other) != .crowded)
        door.left(slot)
        #expect(door.verdict(on: home) != .crowded)
    }

    @Test func aProxyHasNoShare() throws {
        let home = try #require(Self.home)
        var door = Self.admissionControl(total: 10, perAddress: 2, unlimited: [home])
        for _ in 0..<10 { #expect(door.verdict(on: home) != .crowded) }
        #expect(door.verdict(on: home) == .full)
    }

    @Test func eachGoesToTheLoopWithTheFewest() throws {
        var door = Self.admissionControl(loops: 3)
        let home = try #require(Self.home)
        var slots: [AdmissionControl.ConnectionSlot] = []
        for _ in 0..<9 { if case .enter(let slot) = door.verdict(on: home) { slots.append(slot) } }
        #expect(slots.map(\.loop) == [0, 1, 2, 0, 1, 2, 0, 1, 2])
        for slot in slots where slot.loop == 1 { door.left(slot) }
        for _ in 0..<3 {
            let slot = try #require(Self.slot(door.verdict(on: home)))
            #expect(slot.loop == 1)
        }
    }

    @Test func acceptingWaitsForALoopThatKeepsUp() throws {
        var door = Self.admissionControl(waiting: 2, loops: 2)
        let home = try #require(Self.home)
        var slots: [AdmissionControl.ConnectionSlot] = []
        while door.mayAccept, case .enter(let slot) = door.verdict(on: home) { slots.append(slot) }
        #expect(slots.count == 4)
        door.tookUp(slots[0])
        #expect(door.mayAccept)
        let next = try #require(Self.slot(door.verdict(on: home)))
        #expect(next.loop == slots[0].loop && !door.mayAccept)
    }

    @Test(arguments: [
        ("192.0.2.1", "::ffff:192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false),
        ("2001:db8:1:2:3::4", "2001:db8:1:2:5::6", true), ("2001:db8:1:2::", "2001:db8:1:3::", false),
        ("::1", "127.0.0.1", false), ("0.0.0.0", "::", false),
    ])
    func anAddressIsItsSubscribers(_ one: String, _ two: String, _ isSame: Bool) throws {
        let blocks = (try #require(ClientNetwork(one)), try #require(ClientNetwork(two)))
        #expect((blocks.0 == blocks.1) == isSame)
    }

    @Test(arguments: ["", "localhost", "1.2.3", "::g"]) func whatIsNoAddressIsNone(_ text: String) {
        #expect(ClientNetwork(text) == nil)
    }
}
