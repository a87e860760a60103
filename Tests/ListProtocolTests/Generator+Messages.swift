import KeyedLists
import ListProtocol

extension Generator {
    mutating func clientMessage() -> ClientMessage {
        let id = maybe { $0.text(upTo: 20) }
        let list = text(upTo: 10)
        let gesture = whole()
        switch Int.random(in: 0..<13, using: &self) {
        case 0: return .hello(id: id, session: maybe { $0.text(upTo: 10) }, token: maybe { $0.text(upTo: 30) })
        case 1:
            return .watch(
                id: id, list: list,
                resume: maybe { ClientMessage.Resume(epoch: $0.text(upTo: 5), revision: $0.whole()) },
                view: maybe { $0.view() })
        case 2: return .unwatch(id: id, list: list)
        case 3: return .pull(id: id, list: list, gesture: gesture, offset: offset())
        case 4: return .release(id: id, list: list, gesture: gesture, offset: offset(), peak: maybe { $0.offset() })
        case 5: return .cancel(id: id, list: list, gesture: gesture)
        case 6:
            return .refresh(
                id: id, list: list, key: maybe { $0.text(upTo: 20) },
                fresh: ClientMessage.Freshness.allCases.randomElement(using: &self)!)
        case 7: return .stop(id: id, list: list, run: text(upTo: 6))
        case 8: return .digest(id: id, list: list)
        case 9: return .more(id: id, list: list, after: "k" + text(upTo: 20))
        case 10:
            let key = "k" + text(upTo: 20)
            let isUndoing = Bool.random(using: &self)
            let request: ClientMessage.ActionRequest =
                isUndoing ? .undo(run: "a" + text(upTo: 9)) : .use("a" + text(upTo: 9), row: "r" + text(upTo: 9))
            return .act(id: id, list: list, request: request, key: key)
        case 11: return .look(id: id, list: list, view: view())
        default: return .ping(id: id)
        }
    }

    private mutating func view() -> ViewRequest {
        ViewRequest(
            window(), find: maybe { $0.text(upTo: 9) } ?? "",
            filter: maybe { [$0.text(upTo: 9), $0.text(upTo: 9)] } ?? [],
            sort: maybe { [$0.text(upTo: 9), $0.text(upTo: 9)] } ?? [], allUpTo: maybe { $0.whole() })
    }

    private mutating func window() -> Window {
        let count = Int.random(in: 1...WindowMembers.mostRows, using: &self)
        switch Int.random(in: 0..<3, using: &self) {
        case 0: return .first(whole(), count: count)
        case 1: return .last(count)
        default: return .around(Key(text(upTo: 9)), before: count / 3, after: count / 2, orAt: maybe { $0.whole() })
        }
    }

    private mutating func windowPlace() -> WindowPlace {
        WindowPlace(first: whole(), total: whole(), isSearching: .random(using: &self))
    }

    mutating func serverMessage() -> ServerMessage {
        switch Int.random(in: 0..<11, using: &self) {
        case 0:
            return .welcome(
                session: text(upTo: 20), now: Int64(whole()), heartbeat: whole(), limits: Limits(clientFrame: whole()))
        case 1: return .ok(ok())
        case 2:
            let window = maybe { $0.windowPlace() }
            return .snapshot(
                SnapshotPart(
                    list: text(upTo: 9), epoch: epoch(), revision: whole(),
                    rows: changes { window == nil || .random(using: &$0) }, window: window,
                    isLast: .random(using: &self)))
        case 3:
            return .patch(
                PatchPart(
                    list: text(upTo: 9), epoch: epoch(), from: whole(), revision: whole(),
                    run: maybe { $0.text(upTo: 4) }, set: changes { .random(using: &$0) },
                    remove: (0..<Int.random(in: 0..<4, using: &self)).map { _ in Key(text(upTo: 8)) },
                    count: maybe { $0.whole() }, window: maybe { $0.windowPlace() }, isLast: .random(using: &self)))
        case 4:
            return .privateState(
                PrivateState(
                    list: text(upTo: 9), phase: Phase.allCases.randomElement(using: &self)!, gesture: whole(),
                    progress: .random(in: 0...1, using: &self)))
        case 5: return .state(listState())
        case 6:
            return .progress(
                list: text(upTo: 9), run: text(upTo: 4), completed: whole(), total: maybe { $0.whole() },
                note: maybe { $0.text(upTo: 30) })
        case 7:
            let code = ErrorCode.allCases.randomElement(using: &self)!
            return .error(
                id: maybe { $0.text(upTo: 9) }, code: code, message: text(upTo: 60),
                after: code.retry == .later ? maybe { $0.whole() } : nil)
        case 8:
            return .settings(
                ListDescription(
                    list: text(upTo: 9), title: text(upTo: 20), refreshable: .random(using: &self),
                    pull: PullDescription(
                        trigger: text(upTo: 9), threshold: offset(), minimum: offset(), hold: offset(),
                        hysteresis: offset(), haptics: .random(using: &self), indicator: text(upTo: 9),
                        texts: ["primed": text(upTo: 20)])))
        case 9:
            return .unwatched(
                list: text(upTo: 9), code: ErrorCode.allCases.randomElement(using: &self)!, message: text(upTo: 60),
                after: maybe { $0.whole() })
        default:
            let low = whole()
            return .goodbye(
                code: CloseCode(rawValue: .random(in: 4000...4299, using: &self)), message: text(upTo: 30),
                reconnect: .random(using: &self), after: maybe { low...(low + $0.whole() % 1_000) })
        }
    }

    /// A message with one member taken away, or given a value that no member should have: still JSON.
    mutating func misfitted(_ bytes: [UInt8]) throws -> [UInt8] {
        var members = try JSONReader.read(bytes) { (reader) throws(JSONError) in try reader.readMembers() }
        // Sorted, as a dictionary's order is another in each process.
        let name = members.keys.sorted { $0.string.utf8.lexicographicallyPrecedes($1.string.utf8) }
            .randomElement(using: &self)!
        let misfits: [JSONValue?] = [
            nil, .some(.null), true, -1, 0.5, 1e300, 9_007_199_254_740_992, "", .string(text(upTo: 300)), [], [nil],
            [:],
            ["key": "a"], [["key": 1]],
        ]
        members[name] = misfits.randomElement(using: &self)!
        return JSONValue.object(members).canonical
    }

    /// The bytes with a few of them changed, taken away, doubled or put elsewhere.
    mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &self) where !bytes.isEmpty {
            let index = Int.random(in: 0..<bytes.count, using: &self)
            switch Int.random(in: 0..<6, using: &self) {
            case 0: bytes[index] = .random(in: 0...255, using: &self)
            case 1: bytes.remove(at: index)
            case 2: bytes.insert(bytes[index], at: index)
            case 3: bytes.insert(Array("{}[]\",:\\0e-nu".utf8).randomElement(using: &self)!, at: index)
            case 4: bytes.swapAt(index, .random(in: 0..<bytes.count, using: &self))
            default: bytes.removeLast(bytes.count - index)
            }
        }
        return bytes
    }

    private mutating func offset() -> Double {
        Bool.random(using: &self)
            ? Double(Int.random(in: -10_000...10_000, using: &self)) : .random(in: -10_000...10_000, using: &self)
    }

    private mutating func epoch() -> Epoch {
        Epoch(next() >> UInt64.random(in: 0..<64, using: &self))
    }

    private mutating func changes(withFields: (inout Generator) -> Bool) -> [Patch.Change] {
        (0..<Int.random(in: 0..<4, using: &self)).map { _ in
            Patch.Change(
                key: Key(text(upTo: 8)), position: whole(), fields: withFields(&self) ? fields() : nil)
        }
    }

    private mutating func fields() -> Fields {
        Fields([
            Key(text(upTo: 5)): .string(text(upTo: 12)), "number": .number(offset()),
            "deep": [true, nil, ["x": .string(text(upTo: 3))]],
        ])
    }

    private mutating func ok() -> OK {
        OK(
            id: maybe { $0.text(upTo: 9) }, list: maybe { $0.text(upTo: 9) },
            run: maybe {
                .random(using: &$0)
                    ? .run($0.text(upTo: 4), joined: .random(using: &$0))
                    : .noRun(
                        RunReference.Reason.allCases.randomElement(using: &$0)!, message: $0.maybe { $0.text(upTo: 9) })
            },
            begin: maybe { OK.Begin.allCases.randomElement(using: &$0)! }, epoch: maybe { $0.epoch() },
            revision: maybe { $0.whole() }, count: maybe { $0.whole() },
            crc32: maybe { .random(in: .min ... .max, using: &$0) }, title: maybe { $0.text(upTo: 20) },
            refreshable: maybe { .random(using: &$0) },
            pull: maybe {
                PullDescription(
                    trigger: "release", threshold: $0.offset(), minimum: $0.offset(), hold: $0.offset(),
                    hysteresis: $0.offset(), haptics: .random(using: &$0), indicator: $0.text(upTo: 9),
                    texts: ["waiting": $0.text(upTo: 20), "primed": $0.text(upTo: 20)])
            },
            session: maybe { $0.text(upTo: 9) }, resumed: maybe { .random(using: &$0) })
    }

    private mutating func listState() -> ListState {
        ListState(
            list: text(upTo: 9), phase: Phase.allCases.randomElement(using: &self)!, run: maybe { $0.text(upTo: 4) },
            cause: maybe { ListState.Cause.allCases.randomElement(using: &$0)! },
            startedAt: maybe { Int64($0.whole()) },
            updatedAt: maybe { Int64($0.whole()) }, staleSince: maybe { Int64($0.whole()) },
            hasMore: .random(using: &self), last: maybe { $0.lastRun() })
    }

    private mutating func lastRun() -> LastRun {
        LastRun(
            run: text(upTo: 4), cause: maybe { ListState.Cause.allCases.randomElement(using: &$0)! },
            outcome: LastRun.Outcome.allCases.randomElement(using: &self)!, duration: whole(),
            changes: ChangeCounts(inserted: whole(), changed: whole(), moved: whole(), removed: whole()),
            error: maybe {
                RunError(code: $0.text(upTo: 9), message: $0.text(upTo: 40), retryAfter: $0.maybe { $0.whole() })
            })
    }
}
