/// One handler under way, to the tasks that work for it: they find it in `current`, and say when they rest.
final class HandlerExecution: Sendable {
    /// The handler that the present task works for. Nil where no tested list called it.
    @TaskLocal static var current: HandlerExecution?

    /// Counts the handlers that `pace` lets go on.
    let number: Int
    private let pace: HandlerSchedule

    init(number: Int, _ pace: HandlerSchedule) {
        self.number = number
        self.pace = pace
    }

    /// The task waits for the test: at a gate, or for the clock.
    func rest() { pace.rest(self) }

    /// The task may go on, by `body`, as soon as the test waits for handlers.
    func goOn(_ body: @escaping @Sendable () -> Void) { pace.goOn(self, body) }
}
