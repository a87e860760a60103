import Foundation
import KeyedLists
import Testing

@testable import RefreshableLists

/// Rows made of values that can be encoded.
struct RowsTests {
    private struct Person: Encodable {
        var name: String
        var nickname: String?
    }

    private struct Letter: Encodable {
        var id = 7
        var subject = "Choir"
        var sender = Person(name: "Ada", nickname: nil)
        var sentAt = Date(timeIntervalSince1970: 1_790_000_000)
    }

    @Test func whatIsNotNamedIsNotSent() {
        struct User: Encodable {
            var id = 1
            var name = "Ada"
            var passwordHash = "secret"
        }

        #expect([User()].rows(key: \.id, title: \.name) == [ListRow("1", title: "Ada")])
    }

    @Test func aValueNeedNotBeEncodable() {
        struct Port { var number: Int }
        #expect([Port(number: 80)].rows(key: \.number) == [ListRow("80")])
    }

    @Test func membersThatAreIncludedAreAsTheValueEncodesThem() throws {
        let rows = try [Letter()].rows(key: \.id, title: \.subject, including: ["sender", "none"])

        #expect(rows[0].fields.description == #"{"sender":{"name":"Ada"},"title":"Choir"}"#)
    }

    @Test func fieldsAreAllMembersAndThoseThatThePageDraws() throws {
        let rows = try [Letter()].rows(
            key: \.id, title: \.subject, subtitle: \.sender.name, detail: \.sender.nickname, time: \.sentAt,
            including: .all)

        #expect(rows.map(\.key) == ["7"])
        #expect(
            rows[0].fields.description
                == #"{"id":7,"sender":{"name":"Ada"},"sentAt":1790000000000,"subject":"Choir","#
                + #""subtitle":"Ada","time":1790000000000,"title":"Choir"}"#)
    }

    @Test func fieldGivenWinsOverAMemberOfTheSameName() throws {
        struct Book: Encodable {
            var id = "b"
            var title = "raw"
        }

        let rows = try [Book()].rows(key: \.id, title: { $0.title.uppercased() }, including: .all)

        #expect(rows[0].fields["title"] == "RAW")
    }

    @Test func valueThatIsNoObjectHasTheGivenFieldsAlone() throws {
        let rows = try [3, 1, 2].rows(key: \.self, title: { "Number \($0)" }, including: .all)

        #expect(
            rows == [ListRow("3", title: "Number 3"), ListRow("1", title: "Number 1"), ListRow("2", title: "Number 2")])
    }

    @Test func valueThatCannotBeEncodedIsNamedByItsKey() {
        struct Broken: Encodable {
            var id = "x"
            func encode(to encoder: any Encoder) throws { throw RefreshFailure("No.") }
        }

        let error = #expect(throws: RowsError.self) { try [Broken()].rows(key: \.id, including: .all) }

        #expect(error?.description.contains("\"x\"") == true)
    }

    @Test func everyMemberThatThePageDrawsMayBeGiven() {
        let rows = ["a"].rows(
            key: \.self, title: { $0 }, subtitle: { _ in "s" }, detail: { _ in "d" }, link: { URL(string: "/\($0)") },
            image: { URL(string: "/\($0).png") }, badge: { _ in "9" })

        #expect(
            rows.map(\.fields.description) == [
                #"{"badge":"9","detail":"d","image":"/a.png","link":"/a","subtitle":"s","title":"a"}"#
            ])
    }

    @Test func handlerReturnsThem() async {
        let stage = Stage(RefreshableList("mailbox").refreshable { [Letter()].rows(key: \.id, title: \.subject) })

        await stage.refresh()

        #expect(await stage.titles == ["7"])
    }
}
