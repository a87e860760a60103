import Dispatch
import ListSources

/// Draws a watched list on the terminal until the user quits.
///
/// News, keys, a new size of the window and the clock are one stream, so that only one of them draws at a time.
struct TerminalWatch {
    private enum Input: Sendable {
        case news(WatchedList.News, Replica)
        case typed([UInt8])
        case redraw
        case over((any Error)?)
    }

    let watched: WatchedList
    let list: String
    let isColoured: Bool

    /// - Throws: what `WatchedList.run` throws; the terminal is as it was then.
    func run() async throws {
        let (inputs, input) = AsyncStream<Input>.makeStream()
        let sources: [any DispatchSourceProtocol] = [
            Terminal.keys { input.yield(.typed($0)) }, Terminal.sizes { input.yield(.redraw) },
        ]
        let watching = Task { [watched] in
            do {
                try await watched.run { input.yield(.news($0, $1)) }
                input.yield(.over(nil))
            } catch {
                input.yield(.over(error))
            }
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
        }
        try await draw(inputs, on: terminal)
        watched.end()
        await watching.value
    }

    private func draw(_ inputs: AsyncStream<Input>, on terminal: Terminal) async throws {
        var drawn = DrawnList(list)
        for await next in inputs {
            let screen = Screen(size: Terminal.currentSize(), isColoured: isColoured)
            switch next {
            case .news(let news, let replica): drawn.receive(news, replica, now: WallClock.milliseconds())
            case .typed(let bytes):
                for press in KeyPress.all(in: bytes) {
                    switch press {
                    case .refresh: watched.refresh()
                    case .stop: watched.stop()
                    case .quit: return
                    default: drawn.scroll(press, room: screen.room, now: WallClock.milliseconds())
                    }
                }
            case .redraw: break
            case .over(nil): return
            case .over(let error?): throw error
            }
            let content = drawn.content(now: WallClock.milliseconds(), room: screen.room)
            terminal.draw(screen.lines(of: content), size: screen.size)
        }
    }
}
