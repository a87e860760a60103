import KeyedLists
import ListProtocol
import Testing

@Suite struct ClientMessageTests {
    @Test(arguments: [
        (
            #"{"type":"hello","id":"0","session":"s1","token":"t1"}"#,
            ClientMessage.hello(id: "0", session: "s1", token: "t1")
        ),
        (#"{"type":"watch","id":"1","list":"names"}"#, .watch(id: "1", list: "names", resume: nil)),
        (
            #"{"type":"watch","id":"1","list":"names","epoch":"k3f","revision":418}"#,
            .watch(id: "1", list: "names", resume: ClientMessage.Resume(epoch: "k3f", revision: 418))
        ),
        (
            #"{"type":"watch","id":"1","list":"log","epoch":"k3f","revision":418,"window":{"first":0,"count":60}}"#,
            .watch(
                id: "1", list: "log", resume: ClientMessage.Resume(epoch: "k3f", revision: 418),
                view: ViewRequest(.first(0, count: 60)))
        ),
        (
            #"{"type":"watch","list":"log","window":{"first":0,"count":60,"allUpTo":2000}}"#,
            .watch(id: nil, list: "log", resume: nil, view: ViewRequest(.first(0, count: 60), allUpTo: 2000))
        ),
        (
            #"{"type":"look","id":"2","list":"log","window":{"around":"k","before":30,"after":29}}"#,
            .look(id: "2", list: "log", view: ViewRequest(.around("k", before: 30, after: 29)))
        ),
        (
            #"{"type":"look","list":"log","window":{"around":"k","before":0,"after":5,"index":70}}"#,
            .look(id: nil, list: "log", view: ViewRequest(.around("k", before: 0, after: 5, orAt: 70)))
        ),
        (
            #"{"type":"look","list":"log","window":{"last":60}}"#,
            .look(id: nil, list: "log", view: ViewRequest(.last(60)))
        ),
        (#"{"type":"unwatch","id":"2","list":"names"}"#, .unwatch(id: "2", list: "names")),
        (
            #"{"type":"pull","list":"names","gesture":1,"offset":61.5}"#,
            .pull(id: nil, list: "names", gesture: 1, offset: 61.5)
        ),
        (
            #"{"type":"release","id":"3","list":"names","gesture":1,"offset":70,"peak":88}"#,
            .release(id: "3", list: "names", gesture: 1, offset: 70, peak: 88)
        ),
        (#"{"type":"cancel","list":"names","gesture":1}"#, .cancel(id: nil, list: "names", gesture: 1)),
        (
            #"{"type":"refresh","id":"4","list":"names","key":"uuid","fresh":"join"}"#,
            .refresh(id: "4", list: "names", key: "uuid", fresh: .join)
        ),
        (#"{"type":"stop","id":"5","list":"names","run":"r7"}"#, .stop(id: "5", list: "names", run: "r7")),
        (
            #"{"type":"more","id":"6","list":"names","after":"last-key"}"#,
            .more(id: "6", list: "names", after: "last-key")
        ),
        (
            #"{"type":"act","id":"9","list":"mail","action":"archive","row":"k17","key":"q3"}"#,
            .act(id: "9", list: "mail", request: .use("archive", row: "k17"), key: "q3")
        ),
        (
            #"{"type":"act","id":"10","list":"mail","undo":"a5k2","key":"r9"}"#,
            .act(id: "10", list: "mail", request: .undo(run: "a5k2"), key: "r9")
        ),
        (
            #"{"type":"act","id":"11","list":"mail","action":"seen","row":"k","key":"s1"}"#,
            .act(id: "11", list: "mail", request: .mark(isSeen: true, row: "k"), key: "s1")
        ),
        (
            #"{"type":"act","id":"12","list":"mail","action":"unseen","key":"s2"}"#,
            .act(id: "12", list: "mail", request: .mark(isSeen: false, row: nil), key: "s2")
        ),
        (#"{"type":"digest","id":"7","list":"names"}"#, .digest(id: "7", list: "names")),
        (#"{"type":"ping","id":"8"}"#, .ping(id: "8")),
    ])
    func examplesOfTheDesignReadAndWriteByteForByte(json: String, message: ClientMessage) throws {
        #expect(try ClientMessage(decoding: Array(json.utf8)) == message)
        #expect(text(message.encoded()) == json)
    }

    @Test(arguments: [
        (#" { "offset" : 6.15e1 , "gesture":1.0, "list":"names","type":"pull" } "#, 61.5),
        (#"{"type":"pull","list":"names","gesture":1,"offset":-10000}"#, -10_000),
        (#"{"type":"pull","list":"names","gesture":1,"offset":10000,"id":null}"#, 10_000),
        (#"{"\u0074ype":"pu\u006Cl","list":"n\u0061mes","gesture":1,"offset":0}"#, 0),
        (#"{"type":"pull","list":"names","gesture":1,"offset":0,"x":[{"y":[null]}],"":"\uD83D\uDE02"}"#, 0),
    ])
    func orderSpacesEscapesNullsAndUnknownFieldsDoNotMatter(json: String, offset: Double) throws {
        #expect(
            try ClientMessage(decoding: Array(json.utf8)) == .pull(id: nil, list: "names", gesture: 1, offset: offset))
    }

    @Test func aRefreshJoinsUnlessItSaysAfter() throws {
        let plain = try ClientMessage(decoding: Array(#"{"type":"refresh","list":"a"}"#.utf8))
        let after = try ClientMessage(decoding: Array(#"{"type":"refresh","list":"a","fresh":"after"}"#.utf8))
        #expect(plain == .refresh(id: nil, list: "a", key: nil, fresh: .join))
        #expect(after == .refresh(id: nil, list: "a", key: nil, fresh: .after))
    }

    @Test func lengthsAreHeldToTheLastByte() throws {
        let id = String(repeating: "é", count: 64)
        let list = String(repeating: "l", count: 128)
        let key = String(repeating: "k", count: 256)
        let message = ClientMessage.refresh(id: id, list: list, key: key, fresh: .join)
        #expect(try ClientMessage(decoding: message.encoded()) == message)
        #expect(throws: MessageError.self) {
            try ClientMessage(
                decoding: ClientMessage.refresh(id: id, list: list + "l", key: key, fresh: .join).encoded())
        }
        #expect(throws: MessageError.self) {
            try ClientMessage(
                decoding: ClientMessage.refresh(id: id, list: list, key: key + "k", fresh: .join).encoded())
        }
        #expect(throws: MessageError.self) {
            try ClientMessage(decoding: ClientMessage.ping(id: id + "é").encoded())
        }
    }

    @Test func aMessageAboveTheLimitIsNotRead() {
        let limits = Limits(clientFrame: 30)
        let small = Array(#"{"type":"ping","id":"1234567"}"#.utf8)
        #expect(throws: Never.self) { try ClientMessage(decoding: small, limits: limits) }
        #expect(throws: MessageError.tooLarge(limit: 30)) {
            try ClientMessage(decoding: small + Array(" ".utf8), limits: limits)
        }
    }

    @Test func everyMessageTellsItsIDAndItsList() {
        #expect(ClientMessage.ping(id: "8").id == "8")
        #expect(ClientMessage.ping(id: "8").list == nil)
        #expect(ClientMessage.pull(id: nil, list: "names", gesture: 1, offset: 0).list == "names")
    }
}
