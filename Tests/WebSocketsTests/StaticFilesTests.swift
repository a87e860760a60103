import Glibc
import Testing
import WebSockets

@Suite struct StaticFilesTests {
    private let page = Array(String(repeating: "<p>hello</p>\n", count: 100).utf8)

    private var files: StaticFiles {
        StaticFiles(files: [
            "index.html": page, "pull.js": page, "sub/index.html": page, "tiny.txt": [0x61], "logo.svg": page,
            "refreshable-list.d.ts": page, "site.webmanifest": [0x7B, 0x7D], "font.woff2": [1, 2, 3],
        ])
    }

    @Test(arguments: [
        ("/", "text/html; charset=utf-8"), ("/index.html", "text/html; charset=utf-8"),
        ("/sub/", "text/html; charset=utf-8"), ("/pull.js", "text/javascript; charset=utf-8"),
        ("/tiny.txt", "text/plain; charset=utf-8"), ("/logo.svg", "image/svg+xml"),
        ("/refreshable-list.d.ts", "text/plain; charset=utf-8"), ("/site.webmanifest", "application/manifest+json"),
        ("/font.woff2", "font/woff2"),
    ])
    func aFileHasItsType(_ path: String, _ type: String) throws {
        let response = try #require(files.response(to: HTTPRequest(path: path)))
        #expect(response.status == 200)
        #expect(response.headers["Content-Type"] == type)
    }

    @Test(arguments: [
        "/none", "/sub", "//", "/../index.html", "/sub/../index.html", "/%2e%2e/index.html", "", "index.html",
    ])
    func whatIsNotInTheSetIsNil(_ path: String) {
        #expect(files.response(to: HTTPRequest(path: path)) == nil)
    }

    @Test(arguments: ["POST", "PUT", "DELETE", "OPTIONS"]) func onlyGetAndHeadAreAnswered(_ method: String) {
        #expect(files.response(to: HTTPRequest(method: method, path: "/")) == nil)
    }

    @Test(arguments: [
        ("gzip", true), ("br, gzip;q=0.5", true), ("*", true), ("GZIP", true), ("gzip;q=0", false), ("*;q=0.0", false),
        ("gzip;q=0, *", false), ("br", false), ("", false),
    ])
    func itIsCompressedOnlyForThoseWhoAccept(_ accepted: String, _ isCompressed: Bool) throws {
        let request = HTTPRequest(path: "/", headers: ["Accept-Encoding": accepted])
        let response = try #require(files.response(to: request))
        #expect((response.headers["Content-Encoding"] == "gzip") == isCompressed)
        #expect((response.body.count < page.count) == isCompressed)
        #expect(response.headers["Vary"] == "Accept-Encoding")
    }

    @Test func whatDoesNotShrinkIsNotCompressed() throws {
        let request = HTTPRequest(path: "/tiny.txt", headers: ["Accept-Encoding": "gzip"])
        let response = try #require(files.response(to: request))
        #expect(response.headers["Content-Encoding"] == nil && response.body == [0x61])
    }

    @Test func theTagRevalidatesAndDiffersByRepresentation() throws {
        let plain = try #require(files.response(to: HTTPRequest(path: "/")))
        let tag = try #require(plain.headers["ETag"])
        let compressed = try #require(
            files.response(to: HTTPRequest(path: "/", headers: ["Accept-Encoding": "gzip"])))
        #expect(compressed.headers["ETag"] != tag)
        for header in [tag, "W/" + tag, "\"other\", \(tag)", "*"] {
            let again = try #require(files.response(to: HTTPRequest(path: "/", headers: ["If-None-Match": header])))
            #expect(again.status == 304 && again.body.isEmpty && again.headers["ETag"] == tag)
        }
        let other = try #require(files.response(to: HTTPRequest(path: "/", headers: ["If-None-Match": "\"x\""])))
        #expect(other.status == 200)
    }

    @Test func thePolicyIsStrict() throws {
        let headers = try #require(files.response(to: HTTPRequest(path: "/"))).headers
        let policy = try #require(headers["Content-Security-Policy"])
        #expect(policy.contains("default-src 'self'") && policy.contains("script-src 'self'"))
        #expect(!policy.contains("unsafe"))
        #expect(headers["X-Content-Type-Options"] == "nosniff")
        #expect(headers["Cache-Control"] == "no-cache")
    }

    @Test func aFolderIsReadButNotLeft() throws {
        let root = "/tmp/static-files-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        func write(_ name: String) {
            guard let file = fopen(root + name, "w") else { return }
            fputs("content", file)
            fclose(file)
        }
        for folder in ["", "/public", "/public/sub", "/public/.git"] { mkdir(root + folder, 0o755) }
        for file in ["/secret", "/public/index.html", "/public/sub/a.js", "/public/.git/config", "/public/.hidden"] {
            write(file)
        }
        symlink(root + "/secret", root + "/public/leak")
        symlink(root, root + "/public/up")
        symlink("sub/a.js", root + "/public/b.js")
        let files = try StaticFiles(folder: root + "/public")
        #expect(files.names == ["b.js", "index.html", "sub/a.js"])
        let others = ["index.html": Array("theirs".utf8), "more.js": Array("more".utf8)]
        let over = try StaticFiles(folder: root + "/public", over: others)
        #expect(over.names == ["b.js", "index.html", "more.js", "sub/a.js"])
        let home = HTTPRequest(path: "/")
        #expect(over.response(to: home)?.body == files.response(to: home)?.body)
        #expect(throws: SocketError.self) { try StaticFiles(folder: root + "/none") }
        system("rm -rf \(root)")
    }
}

/// The same through the server, where `RequestTarget` decodes and resolves the path.
@Suite(.onThreadOfItsOwn, .timeLimit(.minutes(1))) struct StaticFilesOverHTTPTests {
    @Test(arguments: [
        "/../index.html", "/%2e%2e/index.html", "/%2E%2E%2Fetc/passwd", "/..%2f..%2fetc/passwd",
        "/sub/../../etc/passwd",
        "//etc/passwd", "/\\..\\etc", "/index.html%00.png",
    ])
    func noPathLeadsOut(_ path: String) async throws {
        let files = StaticFiles(files: ["index.html": Array("home".utf8)])
        let handler = RecordingHandler()
        handler.onRequest = { request, exchange in
            exchange.answer(files.response(to: request) ?? .text(404, "There is nothing here."))
        }
        try await withServer(handler) { server, _ in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            let response = try peer.readToEnd()
            #expect(
                response.hasSuffix("home") || response.contains(" 404 ") || response.contains(" 400 "),
                "\(response)")
            #expect(!response.contains("root:"))
        }
    }

    @Test func headHasTheLengthButNoBody() async throws {
        let files = StaticFiles(files: ["index.html": Array("home".utf8)])
        let handler = RecordingHandler()
        handler.onRequest = { request, exchange in exchange.answer(files.response(to: request) ?? .text(404, "")) }
        try await withServer(handler) { server, _ in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.send("HEAD / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            let response = try peer.readToEnd()
            #expect(response.contains("Content-Length: 4") && response.hasSuffix("\r\n\r\n"))
        }
    }

    @Test func anAllowedSiteMayLoadModules() async throws {
        let files = StaticFiles(files: ["pull.js": Array("export {}".utf8)])
        let handler = RecordingHandler()
        handler.onRequest = { request, exchange in exchange.answer(files.response(to: request) ?? .text(404, "")) }
        try await withServer(handler, configure: { $0.allowedOrigins = ["https://friend.example"] }) { server, _ in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.send("GET /pull.js HTTP/1.1\r\nHost: localhost\r\nOrigin: https://friend.example\r\n\r\n")
            let head = try peer.readResponse().head
            #expect(head.contains("Access-Control-Allow-Origin: https://friend.example"))
            #expect(head.contains("Cross-Origin-Resource-Policy: cross-origin"))
        }
    }
}
