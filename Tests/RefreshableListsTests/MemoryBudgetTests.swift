import Testing
import WebSockets

@testable import RefreshableLists

/// How the memory for visitors is divided, and where it comes from.
struct MemoryBudgetTests {
    private static let sizes = [16, 64, 100, 256, 1024, 16_384].map { $0 << 20 }

    @Test(arguments: sizes, [false, true])
    func allSharesFilledToTheBrimAreNoMoreThanTheWhole(_ total: Int, _ isEncrypted: Bool) {
        let budget = MemoryBudget(total, connections: 15_000, isEncrypted: isEncrypted, redirects: isEncrypted)
        let connection = isEncrypted ? MemoryBudget.Cost.encryptedConnection : MemoryBudget.Cost.connection
        let connections = budget.connections * connection + budget.redirections * MemoryBudget.Cost.connection
        let remembered =
            budget.sessions * MemoryBudget.Cost.session + budget.answers * MemoryBudget.Cost.answer
            + budget.guessers * MemoryBudget.Cost.guesser
        let sum = connections + budget.connectionBudget + budget.bodyBudget + budget.rows + remembered
        #expect(sum <= total && budget.connections > 0 && budget.sessions > 0 && budget.guessers > 0)
    }

    @Test func aMachineOfOneGibibyteHasRoomForTenThousandWhoWatch() {
        #expect(MemoryBudget(256 << 20, connections: 15_000).connections == 15_000)
        #expect(MemoryBudget(64 << 20, connections: 15_000).connections == 6144)
        #expect(MemoryBudget(256 << 20, connections: 15_000, isEncrypted: true).connections == 3510)
    }

    @Test func whatFewerConnectionsLeaveIsForWhatTheyHaveUnderWay() {
        let (few, many) = (MemoryBudget(64 << 20, connections: 100), MemoryBudget(64 << 20, connections: 15_000))
        #expect(few.connections == 100 && few.connectionBudget > many.connectionBudget + 20 << 20)
        #expect(few.bodyBudget == many.bodyBudget && few.rows == many.rows)
    }

    @Test func bodiesGetNoMoreThanIsEnough() {
        let (large, larger) = (MemoryBudget(1 << 30, connections: 100), MemoryBudget(1 << 31, connections: 100))
        #expect(large.bodyBudget == 64 << 20 && larger.bodyBudget == 64 << 20)
        #expect(larger.connectionBudget - large.connectionBudget == 11 << 26, "what they leave is under way")
    }

    @Test func lessThanCanBeDividedIsTheLeast() {
        #expect(MemoryBudget(0, connections: 100) == MemoryBudget(16 << 20, connections: 100))
    }

    @Test func aServerDividesWhatItIsTold() {
        var configuration = RefreshableServer.Configuration()
        configuration.memoryForVisitors = 64 << 20
        let sockets = configuration.sockets
        #expect(sockets.maximumConnections == 6144 && sockets.bodyBudget == 8 << 20)
        #expect(sockets.connectionBudget == configuration.memory.connectionBudget)
        #expect(RefreshableServer.Configuration().memoryForVisitors >= 64 << 20)
    }
}

struct MachineMemoryTests {
    @Test func aGroupOfVersion2IsLimitedByAllThatItIsIn() {
        #expect(
            MachineMemory.limitFiles("0::/system.slice/lists.service\n") == [
                "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/system.slice/memory.max",
                "/sys/fs/cgroup/system.slice/lists.service/memory.max",
            ])
        #expect(MachineMemory.limitFiles("0::/\n") == ["/sys/fs/cgroup/memory.max"])
    }

    @Test func ofVersion1ItIsTheControllerOfMemoryThatCounts() {
        let groups = "12:cpu,cpuacct:/a\n7:memory:/docker/b\n1:name=systemd:/c\n"
        #expect(
            MachineMemory.limitFiles(groups) == [
                "/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/docker/memory.limit_in_bytes",
                "/sys/fs/cgroup/memory/docker/b/memory.limit_in_bytes",
            ])
    }

    @Test(arguments: ["", "7:memory", "::", "nonsense\n\n"])
    func whatIsNoGroupIsPassedOver(_ text: String) {
        #expect(MachineMemory.limitFiles(text).allSatisfy { $0 == "/sys/fs/cgroup/memory.max" })
    }

    @Test(arguments: [("536870912\n", 536_870_912), ("max\n", nil), ("", nil), ("0\n", nil)] as [(String, Int?)])
    func aLimitIsANumberOrNone(_ text: String, _ limit: Int?) { #expect(MachineMemory.limit(text) == limit) }

    @Test func thisMachineHasSome() { #expect(MachineMemory.size > 64 << 20 && MachineMemory.size < 1 << 50) }
}

struct MemoryShareTests {
    @Test func aListMayKeepAsMuchAsIsLeftForTheOthers() {
        let share = MemoryShare(100)
        let parts = (0..<3).map { _ in MemoryShare.Part(of: share) }
        for part in parts { while !part.isTooMuch(1) { part.take(1) } }
        #expect(parts.map(\.size) == [50, 25, 12])
    }

    @Test func whoIsGoneHasGivenAllBack() {
        let share = MemoryShare(100)
        var part: MemoryShare.Part? = MemoryShare.Part(of: share)
        part?.take(60)
        part?.give(10)
        #expect(share.free == 50 && part?.excess == 0)
        part = nil
        #expect(share.free == 100)
    }

    @Test func listsThatAreFloodedWithKeysLeaveOthersTheirs() {
        let share = MemoryShare(1000)
        let now = Moment(uptime: 0, date: 0)
        var lists = (0..<20).map { _ in IdempotencyCache<Int, Int>(of: share) }
        for key in 0..<5000 { for list in 0..<10 { lists[list].remember(key, for: key, now) } }
        for key in 0..<64 { for list in 10..<20 { lists[list].remember(key, for: key, now) } }
        #expect(lists[..<10].map(\.count).reduce(0, +) <= 1000)
        #expect(lists[10...].allSatisfy { $0.count == 64 }, "each keeps a few in any case")
        #expect(lists[..<10].allSatisfy { $0[4999, now] == 4999 && $0[0, now] == nil }, "the newest are known")
    }

    @Test func rowsThatAreLentAreLimitedForAllListsTogether() {
        let share = MemoryShare(16 << 20)
        var lists = (0..<10).map { _ in SharedBufferLimit(of: share) }
        let held = (0..<6).flatMap { _ in lists.indices.map { lists[$0].lend(1 << 20) } }
        let alive = held.filter { $0?.isRevoked == false }
        #expect(alive.count <= 16 + lists.count, "what each lends last, and the share")
        #expect(held.suffix(10).allSatisfy { $0?.isRevoked == false })
    }

    @Test func whatIsReturnedCanBeLentByOthers() {
        let share = MemoryShare(1 << 20)
        var (one, other) = (SharedBufferLimit(of: share), SharedBufferLimit(of: share))
        var revocation = one.lend(900_000)
        #expect(revocation != nil && !other.haveRoom(for: 100_000))
        revocation = nil
        #expect(other.haveRoom(for: 100_000) && share.free == 1 << 20)
    }
}
