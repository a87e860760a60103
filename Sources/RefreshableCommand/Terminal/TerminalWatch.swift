import Dispatch
import ListSources
import RefreshableListsClient

/// Draws a watched list on the terminal until the user quits.
///
/// Updates, keys, a new size of the window and the clock are one stream, so that only one of them draws at a time.
struct TerminalWatch {
    private enum Input: Sendable {
        case update(WatchedList.Update)
        case answer(WatchedList.Answer<LastRun>)
        case looked((any Error)?)
        case typed([UInt8])
        case redraw
        case over
    }

    let list: WatchedList
    let isColoured: Bool

    /// Returns with the terminal as it was.
    ///
    /// - Throws: `ListClientError.refused` where the server does not show the list.
    func run() async throws {
        let (inputs, input) = AsyncStream<Input>.makeStream()
        let sources: [any DispatchSourceProtocol] = [
            Terminal.keys { input.yield(.typed($0)) }, Terminal.sizes { input.yield(.redraw) },
        ]
        let watching = Task { [list] in
            for await update in list.updates { input.yield(.update(update)) }
            input.yield(.over)
        }
        let ticking = Task {
            while !Task.isCancelled {
                try await Task.sleep(for: .milliseconds(100))
                input.yield(.redraw)
            }
        }
        let terminal = Terminal()
        defer {
            terminal.restore()
            for source in sources { source.cancel() }
            ticking.cancel()
            watching.cancel()
        }
        try await withTaskCancellationHandler {
            try await draw(inputs, input, on: terminal)
        } onCancel: {
            input.finish()
        }
    }

    private func draw(
        _ inputs: AsyncStream<Input>, _ input: AsyncStream<Input>.Continuation, on terminal: Terminal
    ) async throws {
        var drawn = DrawnList(list.name)
        for await next in inputs {
            let screen = Screen(size: Terminal.currentSize(), isColoured: isColoured)
            switch next {
            case .update(let update):
                try update.throwRefusal()
                drawn.receive(update, now: WallClock.milliseconds())
            case .answer(let answer): drawn.receive(answer)
            case .looked(let error): drawn.looked(error)
            // Ctrl-C quits, whatever is typed.
            case .typed(let bytes) where drawn.isTyping && !bytes.contains(3):
                drawn.type(bytes, room: screen.room, now: WallClock.milliseconds())
            case .typed(let bytes):
                for press in KeyPress.all(in: bytes) {
                    switch press {
                    case .refresh: Task { [list] in input.yield(.answer(await list.refresh())) }
                    case .stop: Task { [list] in await list.stop() }
                    case .quit: return
                    case .find: drawn.find()
                    default: drawn.scroll(press, room: screen.room, now: WallClock.milliseconds())
                    }
                }
            case .redraw: break
            case .over: return
            }
            if let view = drawn.nextView(room: screen.room) {
                Task { [list] in
                    do {
                        try await list.look(at: view)
                        input.yield(.looked(nil))
                    } catch { input.yield(.looked(error)) }
                }
            }
            let content = drawn.content(now: WallClock.milliseconds(), room: screen.room)
            terminal.draw(screen.lines(of: content), size: screen.size)
        }
    }
}
