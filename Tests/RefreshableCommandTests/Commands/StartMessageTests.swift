import RefreshableLists
import Testing

@testable import RefreshableCommand

struct StartMessageTests {
    @Test
    func oneLineSaysWhere() throws {
        let settings = try ServeSettings(.init(), environment: [:])
        #expect(
            StartMessage(settings, lists: lists(1), port: 8080, data: .ephemeral).lines
                == ["Serving 1 list at http://localhost:8080/", "Kept in memory only"])
    }

    @Test
    func onTheNetworkTheAddressesAndOneWarningFollow() throws {
        let settings = try ServeSettings(.init(host: "0.0.0.0"), environment: [:])
        let lines = StartMessage(settings, lists: lists(9), port: 80, data: .folder("/data")) {
            ["192.0.2.7", "192.0.2.8"]
        }
        #expect(
            lines.lines == [
                "Serving 9 lists at http://localhost:80/", "Kept in /data", "http://192.0.2.7:80/",
                "http://192.0.2.8:80/", "Anybody who reaches these addresses may read the lists and refresh them.",
            ])
    }

    @Test
    func withTLSItNamesWhatTheCertificateIsFor() throws {
        let flags = ServeSettings.Flags(
            host: "0.0.0.0", allowedHosts: ["lists.example.org"], certificate: "a.pem", key: "a.key")
        let lines = StartMessage(
            try ServeSettings(flags, environment: [:]), lists: lists(1), port: 8443, data: .ephemeral,
            addresses: { ["192.0.2.7"] }
        ).lines
        #expect(lines[0] == "Serving 1 list at https://localhost:8443/")
        #expect(lines[2] == "https://lists.example.org:8443/" && lines.count == 4)
    }

    @Test
    func whereAListHasActionsTheWarningNamesThem() throws {
        let settings = try ServeSettings(.init(host: "192.0.2.7"), environment: [:])
        var mail = lists(1)[0]
        mail.actions = [
            ActionSettings(
                name: "archive", title: "Archive", effect: .remove, command: nil, undo: .effect, isDestructive: false,
                refreshes: false)
        ]
        #expect(
            StartMessage(settings, lists: lists(1) + [mail], port: 80, data: .ephemeral).lines.last
                == "Anybody who reaches these addresses may read the lists, refresh them and act on rows.")
    }

    @Test
    func pushesWithoutATokenAreSaidToBeThisMachinesAlone() throws {
        let open = try ServeSettings(.init(host: "192.0.2.7"), environment: [:])
        let guarded = try ServeSettings(
            .init(host: "192.0.2.7", pushToken: "0123456789abcdef"), environment: [:])
        let warning = "Rows may be pushed from this machine only: other machines need --push-token."

        #expect(StartMessage(open, lists: lists(1, push: true), port: 80, data: .ephemeral).lines.last == warning)
        #expect(StartMessage(open, lists: lists(1), port: 80, data: .ephemeral).lines.last != warning)
        #expect(StartMessage(guarded, lists: lists(1, push: true), port: 80, data: .ephemeral).lines.last != warning)
    }

    private func lists(_ count: Int, push: Bool = false) -> [ListSettings] {
        (0..<count).map { ListSettings(name: "list\($0)", push: push, pull: .standard(for: nil)) }
    }
}
