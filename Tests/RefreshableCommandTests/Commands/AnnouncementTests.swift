import Testing

@testable import RefreshableCommand

struct AnnouncementTests {
    @Test
    func oneLineSaysWhere() throws {
        let settings = try ServeSettings(.init(), environment: [:])
        #expect(
            Announcement(settings, listCount: 1, port: 8080, folder: nil).lines
                == ["Serving 1 list at http://localhost:8080/", "Kept in memory only"])
    }

    @Test
    func onTheNetworkTheAddressesAndOneWarningFollow() throws {
        let settings = try ServeSettings(.init(host: "0.0.0.0"), environment: [:])
        let lines = Announcement(settings, listCount: 9, port: 80, folder: "/data") {
            ["192.0.2.7", "192.0.2.8"]
        }
        #expect(
            lines.lines == [
                "Serving 9 lists at http://localhost:80/", "Kept in /data", "http://192.0.2.7:80/",
                "http://192.0.2.8:80/", "Anybody who reaches these addresses may read the lists and refresh them.",
            ])
    }
}
