/// Hands out 0, 1, … count − 1, 0, … On one thread.
final class RoundRobin: @unchecked Sendable {
    private let count: Int
    private var last: Int

    init(count: Int) {
        self.count = count
        last = count - 1
    }

    func next() -> Int {
        last = (last + 1) % count
        return last
    }
}
