import Testing

@testable import RefreshableLists

struct RedirectionTests {
    @Test(arguments: [
        ("lists.test:8080", 443, "/", "", "https://lists.test/"),
        ("lists.test", 8443, "/lists/a%20b", "x=1&y=%26", "https://lists.test:8443/lists/a%20b?x=1&y=%26"),
        ("[::1]:80", 8443, "/lists/%C3%A4%25", "", "https://[::1]:8443/lists/%C3%A4%25"),
        ("127.0.0.1:80", 443, "/lists/a/rows/b%2F%2Fc", "", "https://127.0.0.1/lists/a/rows/b%2F%2Fc"),
    ])
    func peopleAreSentWhereTheyWantedToGo(host: String, port: Int, path: String, query: String, location: String) {
        #expect(Redirection.location(host: host, port: port, path: path, query: query) == location)
    }
}
