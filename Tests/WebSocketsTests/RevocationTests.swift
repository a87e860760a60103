import Locking
import Testing

@testable import WebSockets

/// Bytes that many share are taken back from those who still need them, and from nobody else.
struct RevocationTests {
    @Test func whoHasTakenABodyIsNotToldThatItIsTakenBack() {
        final class Listener {}
        let (revocation, one, other) = (Revocation(), Listener(), Listener())
        let told = Locked<[Int]>([])
        revocation.whenRevoked(for: one) { told.withLock { $0.append(1) } }
        revocation.whenRevoked(for: other) { told.withLock { $0.append(2) } }
        revocation.forget(one)
        revocation.revoke()
        #expect(told.withLock { $0 } == [2])
        revocation.whenRevoked(for: one) { told.withLock { $0.append(3) } }
        #expect(told.withLock { $0 } == [2, 3])
    }

    @Test func bytesThatNobodyHoldsAreSaidToBeReturned() {
        let returned = Locked(0)
        var revocation: Revocation? = Revocation { returned.withLock { $0 += 1 } }
        revocation?.revoke()
        #expect(returned.withLock { $0 } == 0)
        revocation = nil
        #expect(returned.withLock { $0 } == 1)
    }
}
