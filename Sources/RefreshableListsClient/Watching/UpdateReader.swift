import Synchronization

/// Passes what happens to a list to one task that reads it.
final class UpdateReader: Sendable {
    private struct State {
        var queue: UpdateQueue
        var waiter: CheckedContinuation<WatchedList.Update?, Never>?
        var isOver = false
    }

    private let state: Mutex<State>
    private let isWanted: @Sendable (UpdateQueue.Entry) -> Bool

    init(limit: Int, isWanted: @escaping @Sendable (UpdateQueue.Entry) -> Bool) {
        state = Mutex(State(queue: UpdateQueue(limit: limit)))
        self.isWanted = isWanted
    }

    func offer(_ entry: UpdateQueue.Entry) {
        guard isWanted(entry) else { return }
        state.withLock { state in
            state.queue.append(entry)
            guard let waiter = state.waiter else { return }
            state.waiter = nil
            waiter.resume(returning: state.queue.next())
        }
    }

    /// Nothing more will come; what is there is read yet.
    func finish() {
        state.withLock { state in
            state.isOver = true
            state.waiter?.resume(returning: nil)
            state.waiter = nil
        }
    }

    /// The next update; nil after the end, and when the task is cancelled.
    func next() async -> WatchedList.Update? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                state.withLock { state in
                    if let update = state.queue.next() {
                        waiter.resume(returning: update)
                    } else if state.isOver || Task.isCancelled {
                        waiter.resume(returning: nil)
                    } else {
                        state.waiter = waiter
                    }
                }
            }
        } onCancel: {
            finish()
        }
    }
}

extension WatchedList {
    /// What happens to a list, for one reader in each loop. A reader that comes gets first how things are now.
    ///
    /// It ends with the client, and when the reading task is cancelled. While it is read, the list is watched.
    public struct Events<Element: Sendable>: AsyncSequence, Sendable {
        let list: WatchedList
        let limit: Int
        let isWanted: @Sendable (UpdateQueue.Entry) -> Bool
        let element: @Sendable (Update) -> Element?

        /// Begins to read.
        public func makeAsyncIterator() -> Iterator {
            let reader = UpdateReader(limit: limit, isWanted: isWanted)
            list.client.add(reader, to: list.name)
            return Iterator(list: list, reader: reader, element: element)
        }

        /// Reads one update after the other.
        public struct Iterator: AsyncIteratorProtocol {
            let list: WatchedList
            let reader: UpdateReader
            let element: @Sendable (Update) -> Element?

            /// Waits for what is next; nil after the end.
            public mutating func next(isolation: isolated (any Actor)? = #isolation) async -> Element? {
                while let update = await reader.next() {
                    if let element = element(update) { return element }
                }
                return nil
            }
        }
    }
}
