/// The frames of one connection, kept in the order in which they came, for a script that reads them at its own pace.
actor FrameInbox {
    private var frames: [String] = []
    private var hasEnded = false
    private var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    private var tickets = 0

    /// Adds a frame.
    func put(_ frame: String) {
        frames.append(frame)
        wakeAll()
    }

    /// No frame will come any more.
    func end() {
        hasEnded = true
        wakeAll()
    }

    /// The frame with this number, from 0, as soon as it is there; nil if it is not by then, or never will be.
    func frame(_ number: Int, before end: ContinuousClock.Instant) async -> String? {
        while number >= frames.count {
            guard !hasEnded, ContinuousClock.now < end else { return nil }
            await change(before: end)
        }
        return frames[number]
    }

    private func change(before end: ContinuousClock.Instant) async {
        tickets += 1
        let ticket = tickets
        let timer = Task {
            // A cancelled timer has nobody to wake.
            guard case .success = await sleep(until: end) else { return }
            wake(ticket)
        }
        await withCheckedContinuation { waiters[ticket] = $0 }
        timer.cancel()
    }

    private func sleep(until end: ContinuousClock.Instant) async -> Result<Void, any Error> {
        do {
            return .success(try await ContinuousClock().sleep(until: end))
        } catch {
            return .failure(error)
        }
    }

    private func wake(_ ticket: Int) {
        waiters.removeValue(forKey: ticket)?.resume()
    }

    private func wakeAll() {
        for ticket in waiters.keys { wake(ticket) }
    }
}
