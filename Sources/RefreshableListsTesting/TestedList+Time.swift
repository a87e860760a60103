import RefreshableLists

/// Handlers go on, and time passes.
extension TestedList {
    /// Lets handlers go on until each has ended or waits for the test: at a ``HandlerGate``, or for the ``ManualClock``.
    /// Time stands still.
    ///
    /// A handler that calls back (`onRefresh`) counts as waiting once it has returned; one of several concurrent tasks,
    /// as soon as one of them waits.
    ///
    /// - Returns: false where `patience` ran out over a handler that does neither. It is then still at work.
    @discardableResult
    public func settle() async -> Bool {
        await pace.letMove {
            let end = ContinuousClock.now + patience
            let alarm = Task { [pace, patience] in
                try await Task.sleep(for: patience)
                pace.noteChange()
            }
            defer { alarm.cancel() }
            while ContinuousClock.now < end {
                let serial = pace.serial
                let isIdle = pace.isIdle(await live.currentRun)
                // What handlers told the list before they came to rest is done by the time it answers again.
                let run = await live.currentRun
                if isIdle, pace.isIdle(run), pace.serial == serial { return true }
                if pace.serial == serial { await pace.change(since: serial) }
            }
            return false
        }
    }

    /// Lets time pass for the list and its handler: deadlines, `every`, `then(after:)`, sleeps on the clock.
    ///
    /// Everything happens at its own moment and in its order, however far the step is: a handler that sleeps for 3 s
    /// three times has done so after one step of 9 s.
    public func advance(by duration: Duration) async {
        await settle()
        let end = clock.now.advanced(by: duration)
        while let moment = nextMoment, moment <= end { await move(to: moment) }
        await move(to: end)
    }

    /// From now on handlers do not wait for the test.
    package func letHandlersRun() { pace.letRun() }

    private var nextMoment: ManualClock.Instant? {
        let timer = executor.nextDue.map { ManualClock.Instant(offset: .milliseconds($0)) }
        return [timer, clock.nextEnd].compactMap(\.self).min()
    }

    private func move(to moment: ManualClock.Instant) async {
        clock.move(to: moment)
        executor.lookAtTheClock()
        await settle()
    }
}
