import Foundation
import RefreshableListsClient

/// Watches lists by the library and tells all that a reader of it is told, a line of JSON each; does what it reads on its
/// standard input.
///
///     FaultsClient http://127.0.0.1:8080 fruit board
///     → {"do":"refresh","list":"fruit","id":3,"fresh":"after"}
///     ← {"type":"answer","id":3,"answer":"ended","run":"r7","outcome":"success"}
///     ← {"type":"rows","list":"fruit","epoch":"k3f","revision":4,"rows":[["a",{"title":"Apfel"}]],"changes":[["inserted","a"]]}
@main
struct FaultsClient {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 2 else {
            throw ListClientError.badURL("", reason: "there should be a URL, and the names of lists")
        }
        var configuration = ListClient.Configuration()
        configuration.verifiesAfter = .milliseconds(300)
        let client = ListClient(arguments[1], configuration: configuration)
        try await client.run { client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                var lists: [String: WatchedList] = [:]
                for name in arguments[2...] {
                    let list = try await client.watch(name)
                    lists[name] = list
                    group.addTask { await tell(of: list) }
                }
                Line.write(["type": "watching"])
                for await command in Commands() { obey(command, client, lists, &group) }
                group.cancelAll()
            }
        }
    }

    private static func tell(of list: WatchedList) async {
        var epoch = ""
        for await update in list.updates {
            switch update {
            case .rows(let change):
                epoch = change.epoch?.description ?? ""
                Line.write([
                    "type": "rows", "list": list.name, "epoch": epoch, "revision": change.revision,
                    "rows": change.rows.map { [$0.key.string, object($0.fields)] as [Any] },
                    "changes": change.changes.map { [$0.kind.rawValue, $0.key.string] },
                ])
            case .state(let state): Line.write(line(state, list.name, epoch))
            case .connection(let connection):
                Line.write(["type": "connection", "list": list.name, "is": "\(connection)"])
            case .refused(let code, let message):
                Line.write(["type": "refused", "list": list.name, "code": code.rawValue, "message": message])
            case .settings, .progress, .unread: break
            }
        }
    }

    private static func obey(
        _ command: [String: any Sendable], _ client: ListClient, _ lists: [String: WatchedList],
        _ group: inout ThrowingTaskGroup<Void, any Error>
    ) {
        if command["do"] as? String == "retry" { return client.retryNow() }
        guard let list = (command["list"] as? String).flatMap({ lists[$0] }), let id = command["id"] as? Int else {
            return
        }
        let offset = command["offset"] as? Double ?? 0
        switch command["do"] as? String {
        case "refresh":
            let isFresh = command["fresh"] as? String == "after"
            group.addTask { answer(id, await list.refresh(fresh: isFresh ? .after : .join)) }
        case "pull": list.pull(to: offset)
        case "cancel": list.cancelPull()
        case "release":
            list.pull(to: offset)
            group.addTask { answer(id, await list.release()) }
        case "stop":
            group.addTask {
                await list.stop()
                Line.write(["type": "answer", "id": id, "answer": "done"])
            }
        case "verify":
            group.addTask {
                let areSame = try? await list.verify()
                Line.write([
                    "type": "answer", "id": id, "answer": areSame.map { $0 ? "same" : "different" } ?? "failed",
                ])
            }
        default: break
        }
    }

    private static func answer(_ id: Int, _ answer: WatchedList.Answer<LastRun>) {
        var line: [String: Any] = ["type": "answer", "id": id]
        switch answer {
        case .ended(let last):
            line.merge(["answer": "ended", "run": last.run, "outcome": last.outcome.rawValue]) { $1 }
        case .noRun(let reason, _): line.merge(["answer": "noRun", "reason": reason.rawValue]) { $1 }
        case .failed(let error): line.merge(["answer": "failed", "reason": "\(error)"]) { $1 }
        case .withdrawn: line["answer"] = "withdrawn"
        }
        Line.write(line)
    }

    private static func line(_ state: ListState, _ name: String, _ epoch: String) -> [String: Any] {
        var line: [String: Any] = ["type": "state", "list": name, "epoch": epoch, "phase": state.phase.rawValue]
        line["run"] = state.run
        line["cause"] = state.cause?.rawValue
        line["startedAt"] = state.startedAt
        line["staleSince"] = state.staleSince
        if let last = state.last {
            line["last"] =
                ["run": last.run, "outcome": last.outcome.rawValue, "duration": last.duration] as [String: Any]
        }
        return line
    }

    private static func object(_ fields: Fields) -> Any {
        (try? JSONSerialization.jsonObject(with: Data(fields.bytes))) ?? [:]
    }
}

/// Writes lines, one after another, whoever has something to tell.
enum Line {
    private static let lock = NSLock()

    static func write(_ members: [String: Any]) {
        guard var data = try? JSONSerialization.data(withJSONObject: members) else { return }
        data.append(UInt8(ascii: "\n"))
        lock.withLock { FileHandle.standardOutput.write(data) }
    }
}

/// What the harness wants done: the lines of the standard input, until it ends.
struct Commands: AsyncSequence {
    func makeAsyncIterator() -> AsyncStream<[String: any Sendable]>.Iterator {
        let (commands, command) = AsyncStream<[String: any Sendable]>.makeStream()
        Thread.detachNewThread {
            while let line = readLine() {
                guard let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: any Sendable]
                else { continue }
                command.yield(object)
            }
            command.finish()
        }
        return commands.makeAsyncIterator()
    }
}
