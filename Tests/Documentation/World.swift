import RefreshableLists

// What the examples of the documentation take for granted. Scripts/docs compiles each of them beside this file, and
// Scripts/test programs runs those that are whole programs.

struct Message: Sendable, Encodable {
    var id: String
    var subject: String
    var sender: String
    var isNew: Bool
}

struct Mailbox: Sendable {
    var isOpen: Bool { true }
    func fetch() async throws -> [Message] {
        [Message(id: "m1", subject: "Hello", sender: "Ada", isNew: true)]
    }
    func archive(_ id: String) async throws {}
    func unarchive(_ id: String) async throws {}
    func send(_ id: String, part: Int) async throws {}
}

struct Archive: Sendable {
    func page(_ number: Int) async throws -> [Message] { [] }
    func page(after id: String) async throws -> [Message] { [] }
}

struct Market: Sendable {
    func fruit() async throws -> [String] { ["Apple", "Orange", "Banana"] }
    func names() async throws -> [String] { ["Nephele", "Medeia"] }
}

struct Account: Sendable {
    func token() async throws -> String { "" }
}

/// A library that calls back, on a thread of its own.
struct OldMailbox: Sendable {
    func check(_ callBack: @escaping @Sendable ([Message]?, (any Error)?) -> Void) { callBack([], nil) }
}

struct PlaceTaken: Error {}

struct Line: Sendable {
    var id: String
    var text: String
}

let mailbox = Mailbox()
let archive = Archive()
let market = Market()
let oldMailbox = OldMailbox()
let lines = AsyncStream<Line> { lines in
    lines.yield(Line(id: "1", text: "Ready"))
    lines.yield(Line(id: "2", text: "Steady"))
    lines.finish()
}
