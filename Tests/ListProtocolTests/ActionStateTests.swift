import KeyedLists
import Testing

@testable import ListProtocol

/// Actions on the wire.
struct ActionStateTests {
    @Test(arguments: [
        (
            #"{"type":"act","list":"mail","run":"a5","action":"archive","row":"k","phase":"loading","completed":1,"total":3,"note":"x"}"#,
            ActionState(
                list: "mail", run: "a5", action: "archive", row: "k",
                phase: .loading(completed: 1, total: 3, note: "x"))
        ),
        (
            #"{"type":"act","list":"mail","run":"a5","action":"archive","row":"k","phase":"closing","outcome":"success","revision":419,"undo":5000}"#,
            ActionState(
                list: "mail", run: "a5", action: "archive", row: "k",
                phase: .closing(.success, revision: 419, undo: 5000))
        ),
        (
            #"{"type":"act","list":"mail","run":"a7","action":"archive","row":"k","undoes":"a5","phase":"closing","outcome":"failure","error":{"code":"failed","message":"No."}}"#,
            ActionState(
                list: "mail", run: "a7", action: "archive", row: "k", undoes: "a5",
                phase: .closing(.failure, error: RunError(code: "failed", message: "No.")))
        ),
    ])
    func whatBecomesOfAnActionIsWrittenAndReadAgain(json: String, state: ActionState) throws {
        #expect(String(decoding: ServerMessage.act(state).encoded(), as: UTF8.self) == json)
        #expect(try ServerMessage(decoding: Array(json.utf8)) == .act(state))
    }

    @Test func actionsAreDescribedInTheirOrder() throws {
        let actions = [
            ActionDescription(name: "archive", title: "Archive", effect: .remove, undo: true),
            ActionDescription(name: "flag", title: "Flag", effect: .set(["badge": .string("!"), "time": .null])),
            ActionDescription(name: "kill", title: "End process", destructive: true),
        ]
        let wanted = #"""
            "actions":[{"name":"archive","title":"Archive","effect":"remove","undo":true},\#
            {"name":"flag","title":"Flag","effect":{"badge":"!","time":null}},\#
            {"name":"kill","title":"End process","destructive":true}]
            """#
        let ok = OK(id: "1", list: "mail", actions: actions)
        let text = String(decoding: ServerMessage.ok(ok).encoded(), as: UTF8.self)
        #expect(text.contains(wanted))
        #expect(try ServerMessage(decoding: Array(text.utf8)) == .ok(ok))
    }

    @Test func anOKWithoutActionsDoesNotNameThem() {
        let text = String(decoding: ServerMessage.ok(OK(id: "1", actions: [])).encoded(), as: UTF8.self)
        #expect(text == #"{"type":"ok","id":"1"}"#)
    }

    @Test func whatIsUnreadIsWrittenAndReadAgain() throws {
        let json = #"{"type":"unread","list":"mail","keys":["k18","\"é"]}"#
        let message = ServerMessage.unread(list: "mail", keys: ["k18", "\"é"])
        #expect(String(decoding: message.encoded(), as: UTF8.self) == json)
        #expect(try ServerMessage(decoding: Array(json.utf8)) == message)
    }

    @Test(arguments: [
        (#"{"type":"act","list":"a","action":"x","row":"k"}"#, "key"),
        (#"{"type":"act","list":"a","action":"x","key":"1"}"#, "row"),
        (#"{"type":"act","list":"a","key":"1"}"#, "action"),
        (#"{"type":"act","list":"a","undo":"a5","action":"x","row":"k","key":"1"}"#, "undo"),
        (#"{"type":"act","list":"a","undo":7,"key":"1"}"#, "undo"),
        (#"{"type":"act","list":"a","action":"x","row":"","key":"1"}"#, "row"),
    ])
    func anActThatIsNotWholeNamesTheFieldThatIsWrong(json: String, field: String) throws {
        let error = #expect(throws: MessageError.self) { try ClientMessage(decoding: Array(json.utf8)) }
        #expect(error?.code == .badField)
        #expect(error?.message.contains("\"\(field)\"") == true)
    }
}
