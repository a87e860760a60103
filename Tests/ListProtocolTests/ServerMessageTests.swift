import KeyedLists
import ListProtocol
import Testing

@Suite struct ServerMessageTests {
    static let names = PullDescription(trigger: "release", threshold: 64, minimum: 10, hold: 56, hysteresis: 8)
    static let epoch = Epoch("k3f")!
    static let success = LastRun(
        run: "r7", outcome: .success, duration: 3004,
        changes: ChangeCounts(inserted: 2, changed: 0, moved: 0, removed: 0))

    static let examples: [(String, ServerMessage)] = [
        (
            #"{"type":"welcome","protocol":"refreshable.v1","session":"s1","now":1790000000000,"heartbeat":25000,"#
                + #""limits":{"clientFrame":16384,"serverFrame":65536,"listsPerConnection":128,"keyBytes":256,"#
                + #""rowBytes":16384,"pullsPerSecond":60,"messagesPerSecond":20,"burst":40,"idLength":64,"#
                + #""offset":10000}}"#,
            .welcome(session: "s1", now: 1_790_000_000_000, heartbeat: 25_000, limits: Limits())
        ),
        (
            #"{"type":"ok","id":"1","list":"names","begin":"snapshot","epoch":"k3f","revision":418,"count":5,"#
                + #""title":"Names","refreshable":true,"pull":{"trigger":"release","threshold":64,"minimum":10,"#
                + #""hold":56,"hysteresis":8,"haptics":true,"indicator":"default","texts":{}}}"#,
            .ok(
                OK(
                    id: "1", list: "names", begin: .snapshot, epoch: epoch, revision: 418, count: 5, title: "Names",
                    refreshable: true, pull: names))
        ),
        (
            #"{"type":"ok","id":"7","list":"names","epoch":"k3f","revision":419,"count":7,"crc32":4294967295}"#,
            .ok(OK(id: "7", list: "names", epoch: epoch, revision: 419, count: 7, crc32: .max))
        ),
        (
            #"{"type":"ok","id":"0","session":"s1","resumed":true}"#,
            .ok(OK(id: "0", session: "s1", resumed: true))
        ),
        (
            #"{"type":"snapshot","list":"names","epoch":"k3f","revision":418,"#
                + #""rows":[{"key":"a","position":4503599627370496,"fields":{"title":"A"}}],"last":true}"#,
            .snapshot(
                SnapshotPart(
                    list: "names", epoch: epoch, revision: 418,
                    rows: [Patch.Change(key: "a", position: 1 << 52, fields: Fields(["title": "A"]))], isLast: true))
        ),
        (
            #"{"type":"ok","id":"2","list":"log","epoch":"k3f","revision":418,"count":60,"first":120,"total":1000000}"#,
            .ok(
                OK(
                    id: "2", list: "log", epoch: epoch, revision: 418, count: 60,
                    window: WindowPlace(first: 120, total: 1_000_000)))
        ),
        (
            #"{"type":"snapshot","list":"log","epoch":"k3f","revision":418,"#
                + #""first":120,"total":1000000,"rows":[{"key":"a","position":7}],"last":true}"#,
            .snapshot(
                SnapshotPart(
                    list: "log", epoch: epoch, revision: 418, rows: [Patch.Change(key: "a", position: 7)],
                    window: WindowPlace(first: 120, total: 1_000_000), isLast: true))
        ),
        (
            #"{"type":"patch","list":"log","epoch":"k3f","from":418,"revision":419,"first":121,"total":1000001,"#
                + #""set":[],"remove":[],"count":60,"last":true}"#,
            .patch(
                PatchPart(
                    list: "log", epoch: epoch, from: 418, revision: 419, set: [], remove: [], count: 60,
                    window: WindowPlace(first: 121, total: 1_000_001), isLast: true))
        ),
        (
            #"{"type":"patch","list":"names","epoch":"k3f","from":418,"revision":419,"run":"r7","#
                + #""set":[{"key":"n","position":4503598553628672,"fields":{"title":"N"}},{"key":"m","position":99}],"#
                + #""remove":["z"],"count":7,"last":true}"#,
            .patch(
                PatchPart(
                    list: "names", epoch: epoch, from: 418, revision: 419, run: "r7",
                    set: [
                        Patch.Change(key: "n", position: 4_503_598_553_628_672, fields: Fields(["title": "N"])),
                        Patch.Change(key: "m", position: 99),
                    ], remove: ["z"], count: 7, isLast: true))
        ),
        (
            #"{"type":"state","list":"names","phase":"primed","gesture":1,"progress":1}"#,
            .privateState(PrivateState(list: "names", phase: .primed, gesture: 1, progress: 1))
        ),
        (
            #"{"type":"state","list":"names","phase":"loading","run":"r8","cause":"pull","startedAt":1790000000000,"#
                + #""updatedAt":1780000000000,"last":{"run":"r7","outcome":"success","duration":3004,"#
                + #""changes":{"inserted":2,"changed":0,"moved":0,"removed":0}}}"#,
            .state(
                ListState(
                    list: "names", phase: .loading, run: "r8", cause: .pull, startedAt: 1_790_000_000_000,
                    updatedAt: 1_780_000_000_000, last: success))
        ),
        (
            #"{"type":"progress","list":"names","run":"r7","completed":120,"total":400,"note":"page 3"}"#,
            .progress(list: "names", run: "r7", completed: 120, total: 400, note: "page 3")
        ),
        (
            #"{"type":"state","list":"names","phase":"closing","run":"r7","updatedAt":1780000000000,"#
                + #""staleSince":1790000000000,"last":{"run":"r7","outcome":"failure","duration":12,"#
                + #""changes":{"inserted":0,"changed":0,"moved":0,"removed":0},"#
                + #""error":{"code":"failed","message":"No answer.","values":["b.example"],"retryAfter":5000}}}"#,
            .state(
                ListState(
                    list: "names", phase: .closing, run: "r7", updatedAt: 1_780_000_000_000,
                    staleSince: 1_790_000_000_000,
                    last: LastRun(
                        run: "r7", outcome: .failure, duration: 12, changes: ChangeCounts(),
                        error: RunError(
                            code: "failed", message: "No answer.", values: ["b.example"], retryAfter: 5000))))
        ),
        (
            #"{"type":"state","list":"names","phase":"waiting","updatedAt":1780000000000,"more":true,"#
                + #""last":{"run":"r8","cause":"more","outcome":"cancelled","duration":9,"#
                + #""changes":{"inserted":0,"changed":0,"moved":0,"removed":0}}}"#,
            .state(
                ListState(
                    list: "names", phase: .waiting, updatedAt: 1_780_000_000_000, hasMore: true,
                    last: LastRun(run: "r8", cause: .more, outcome: .cancelled, duration: 9, changes: ChangeCounts())))
        ),
        (
            #"{"type":"ok","id":"6","list":"names","run":null,"reason":"exhausted"}"#,
            .ok(OK(id: "6", list: "names", run: .noRun(.exhausted)))
        ),
        (
            #"{"type":"ok","id":"3","list":"names","run":"r7","joined":false}"#,
            .ok(OK(id: "3", list: "names", run: .run("r7", joined: false)))
        ),
        (
            #"{"type":"ok","id":"3","list":"names","run":null,"reason":"belowThreshold"}"#,
            .ok(OK(id: "3", list: "names", run: .noRun(.belowThreshold)))
        ),
        (
            #"{"type":"error","id":"5","code":"unknownList","message":"No such list.","retry":"never"}"#,
            .error(id: "5", code: .unknownList, message: "No such list.", after: nil)
        ),
        (
            #"{"type":"error","code":"rateLimited","message":"Slower.","retry":"later","after":250}"#,
            .error(id: nil, code: .rateLimited, message: "Slower.", after: 250)
        ),
        (
            #"{"type":"settings","list":"names","title":"Names","refreshable":false,"pull":{"trigger":"release","#
                + #""threshold":64,"minimum":10,"hold":56,"hysteresis":8,"haptics":true,"indicator":"default","texts":{}}}"#,
            .settings(ListDescription(list: "names", title: "Names", refreshable: false, pull: names))
        ),
        (
            #"{"type":"unwatched","list":"names","code":"unknownList","message":"It is gone.","retry":"later","after":5000}"#,
            .unwatched(list: "names", code: .unknownList, message: "It is gone.", after: 5000)
        ),
        (
            #"{"type":"goodbye","code":4200,"message":"Back soon.","reconnect":true,"after":[0,8000]}"#,
            .goodbye(code: .draining, message: "Back soon.", reconnect: true, after: 0...8000)
        ),
    ]

    @Test(arguments: examples)
    func examplesOfTheDesignWriteAndReadByteForByte(json: String, message: ServerMessage) throws {
        #expect(text(message.encoded()) == json)
        #expect(try ServerMessage(decoding: Array(json.utf8)) == message)
    }

    @Test func aMessageOfALaterVersionIsKeptAsItCame() throws {
        let digest = #"{"crc32":7,"type":"sum"}"#
        let message = try ServerMessage(decoding: Array(digest.utf8))
        #expect(message == .unknown(type: "sum", members: ["type": "sum", "crc32": 7]))
        #expect(text(message.encoded()) == digest)
        let error = try ServerMessage(decoding: Array(#"{"type":"error","code":"tired","message":""}"#.utf8))
        #expect(error == .unknown(type: "error", members: ["type": "error", "code": "tired", "message": ""]))
    }

    @Test(arguments: [
        (#"{"type":"goodbye","code":4200,"message":"","reconnect":true,"after":[9,1]}"#, "after"),
        (#"{"type":"goodbye","code":70000,"message":"","reconnect":true}"#, "code"),
        (#"{"type":"snapshot","list":"a","epoch":"K","revision":1,"rows":[],"last":true}"#, "epoch"),
        (
            #"{"type":"snapshot","list":"a","epoch":"k","revision":1,"rows":[{"key":"b","position":1}],"last":true}"#,
            "rows[0].fields"
        ),
        (#"{"type":"state","list":"a","phase":"closing","last":{"run":"r"}}"#, "last.changes"),
        (#"{"type":"state","list":"a","phase":"asleep"}"#, "phase"),
    ])
    func aClientIsToldWhichFieldOfTheServersIsWrong(json: String, field: String) {
        let error = #expect(throws: MessageError.self) { try ServerMessage(decoding: Array(json.utf8)) }
        #expect(error?.code == .badField)
        #expect(error?.message.contains("\"\(field)\"") == true, "\(error?.message ?? "")")
    }

    @Test func theLastRunIsReadAsItIsKept() throws {
        let run = LastRun(
            run: "r9", outcome: .timeout, duration: 30_000,
            changes: ChangeCounts(inserted: 1, changed: 2, moved: 3, removed: 4),
            error: RunError(code: "deadline", message: "It took longer than 30 s."))
        #expect(try LastRun(decoding: run.encoded()) == run)
        #expect(throws: MessageError.self) { try LastRun(decoding: Array("{}".utf8)) }
    }

    @Test func everyCloseCodeTellsWhetherToComeBack() {
        #expect(CloseCode.abuse.family == .stayAway)
        #expect(CloseCode.tooSlow.family == .backOff)
        #expect(CloseCode.draining.family == .comeBack)
        #expect(CloseCode(rawValue: 1006).family == nil)
    }
}
