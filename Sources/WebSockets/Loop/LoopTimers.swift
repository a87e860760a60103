/// The timers of one loop: a binary heap, so that thousands need one timer of libuv.
final class LoopTimers {
    private var heap: [LoopTimer] = []
    private var serial: UInt64 = 0

    /// When the first one is due, in milliseconds on the loop's clock.
    var nextDeadline: UInt64? { heap.first?.deadline }

    func schedule(at deadline: UInt64, _ body: @escaping @Sendable () -> Void) -> LoopTimer {
        serial += 1
        let timer = LoopTimer(deadline: deadline, serial: serial, timers: self, body: body)
        timer.index = heap.count
        heap.append(timer)
        siftUp(heap.count - 1)
        return timer
    }

    /// Runs those due at `now`, also ones that they schedule for now.
    func fire(at now: UInt64) {
        while let first = heap.first, first.deadline <= now {
            remove(first)
            first.fire()
        }
    }

    func remove(_ timer: LoopTimer) {
        guard let index = timer.index else { return }
        timer.index = nil
        let last = heap.removeLast()
        guard last !== timer else { return }
        place(last, at: index)
        siftDown(index)
        siftUp(last.index ?? index)
    }

    func removeAll() {
        while let last = heap.last { last.cancel() }
    }

    private func place(_ timer: LoopTimer, at index: Int) {
        heap[index] = timer
        timer.index = index
    }

    private func siftUp(_ start: Int) {
        var index = start
        while index > 0, heap[index] < heap[(index - 1) / 2] {
            swap(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private func siftDown(_ start: Int) {
        var index = start
        while let child = smallerChild(of: index), heap[child] < heap[index] {
            swap(index, child)
            index = child
        }
    }

    private func smallerChild(of index: Int) -> Int? {
        let left = 2 * index + 1
        guard left < heap.count else { return nil }
        return left + 1 < heap.count && heap[left + 1] < heap[left] ? left + 1 : left
    }

    private func swap(_ first: Int, _ second: Int) {
        let timer = heap[first]
        place(heap[second], at: first)
        place(timer, at: second)
    }
}
