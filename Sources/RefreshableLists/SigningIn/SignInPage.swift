import WebSockets

/// The page on which a person signs in and out. It looks like the page of the lists, speaks its languages, and needs no
/// script: the only one tells the browser's other tabs that somebody has signed out.
struct SignInPage {
    let words: SignInWords

    /// In the language that the browser asks for.
    init(of request: HTTPRequest) { words = .preferred(in: request.headers) }

    /// - Parameters:
    ///   - fault: what was wrong with the last try.
    ///   - hasSignedOut: whether other tabs are to be told.
    func form(status: Int, fault: String?, hasSignedOut: Bool = false) -> HTTPResponse {
        let said = fault.map { "<p id=\"fault\" role=\"alert\">\(Self.escaped($0))</p>" } ?? ""
        let state = fault == nil ? "aria-describedby=\"hint\"" : "aria-describedby=\"fault hint\" aria-invalid=\"true\""
        return page(
            status, words.signIn,
            """
            <form method="post" action="sign-in">
              \(said)
              <label for="token">\(words.token)</label>
              <input id="token" name="token" type="password" required maxlength="512" autocomplete="current-password"
                autocapitalize="off" spellcheck="false" autofocus dir="ltr" \(state)>
              <p id="hint">\(words.hint)</p>
              <button>\(words.signIn)</button>
            </form>
            """, script: hasSignedOut ? "signed-out.js" : nil)
    }

    func signedIn(_ name: String) -> HTTPResponse {
        let named = "<strong><bdi>\(Self.escaped(name))</bdi></strong>"
        return page(
            200, words.signedIn,
            """
            <form method="post" action="sign-out">
              <p>\(words.youAre.replacing("#", with: named))</p>
              <a class="button" href="./">\(words.show)</a>
              <button class="quiet">\(words.signOut)</button>
            </form>
            """)
    }

    /// Leads to the page of the lists from a page of ours.
    static let detour = HTTPResponse.page(
        200,
        """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><title>Lists</title>
        <link rel="icon" href="icon.svg" type="image/svg+xml">
        <meta http-equiv="refresh" content="0; url=sign-in?back"></head><body></body></html>
        """)

    private func page(_ status: Int, _ title: String, _ content: String, script: String? = nil) -> HTTPResponse {
        let loaded = script.map { "\n  <script type=\"module\" src=\"\($0)\"></script>" } ?? ""
        return .page(
            status,
            """
            <!doctype html>
            <html lang="\(words.language)" dir="\(words.direction)">
            <head>
              <meta charset="utf-8">
              <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
              <title>\(title)</title>
              <meta name="color-scheme" content="light dark">
              <meta name="theme-color" content="#f4f3ef" media="(prefers-color-scheme: light)">
              <meta name="theme-color" content="#121412" media="(prefers-color-scheme: dark)">
              <link rel="icon" href="icon.svg" type="image/svg+xml">
              <link rel="stylesheet" href="sign-in.css">\(loaded)
            </head>
            <body>
            <main>
            <header>
              <svg class="logo" viewBox="0 0 48 48" aria-hidden="true"><rect width="48" height="48" rx="13"/><path d="M13 16h22M13 23.5h22"/><path d="M24 29v9m-4.5-4.2L24 38.3l4.5-4.5"/></svg>
              <h1>\(title)</h1>
            </header>
            \(content)
            </main>
            </body>
            </html>
            """, hasScript: script != nil)
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }

    /// On the page that follows signing out: what the browser's other tabs show of this server is nobody's to see any more,
    /// nor what it keeps. Their sockets are ended by the server; a tab that has lost it (connection.js) hears of it so.
    static let script = HTTPResponse(
        status: 200, headers: ["Content-Type": "text/javascript; charset=utf-8", "Cache-Control": "no-cache"],
        body: Array(
            """
            globalThis.BroadcastChannel && new BroadcastChannel('refreshable-signed-out').postMessage(location.origin);
            // The server asks for that, too, by Clear-Site-Data, which not every browser heeds.
            const stores = globalThis.caches ? await caches.keys() : [];
            for (const store of stores) if (/^refreshable-(rows|directory)/.test(store)) caches.delete(store);

            """.utf8))

    static let style = HTTPResponse(
        status: 200, headers: ["Content-Type": "text/css; charset=utf-8", "Cache-Control": "no-cache"],
        body: Array(
            """
            :root {
              color-scheme: light dark;
              --paper: light-dark(#f4f3ef, #121412);
              --card: light-dark(#fffefc, #1d1f1d);
              --ink: light-dark(#1b1c18, #f0efe9);
              --quiet: light-dark(#62635b, #a3a59b);
              --line: light-dark(#8a8b82, #7b7d74);
              --accent: light-dark(#076750, #4fd3ad);
              --warning: light-dark(#8a5700, #f2c46d);
              --on-accent: light-dark(#fff, #06231b);
              font: 1rem/1.4 -apple-system, "Segoe UI Variable Text", "Segoe UI", Roboto, Inter, system-ui, sans-serif;
              font-synthesis: none;
              -webkit-text-size-adjust: 100%;
              text-size-adjust: 100%;
            }
            * { box-sizing: border-box; margin: 0; }
            body { min-height: 100vh; min-height: 100dvh; background: var(--paper); color: var(--ink); }
            main { max-width: 400px; margin-inline: auto; padding: max(12vh, env(safe-area-inset-top)) 16px 32px; }
            header { display: flex; align-items: center; gap: 14px; padding: 0 4px 20px; }
            h1 { font-size: 2.125rem; font-weight: 750; letter-spacing: -.028em; line-height: 1.1; }
            .logo { width: 44px; height: 44px; flex: none; fill: none; stroke: var(--on-accent); stroke-width: 3.2; stroke-linecap: round; stroke-linejoin: round; }
            .logo rect { fill: var(--accent); stroke: none; }
            .logo path:first-of-type { opacity: .55; }
            form { display: grid; gap: 10px; padding: 20px; border-radius: 16px; background: var(--card); }
            label, strong { font-weight: 600; letter-spacing: -.012em; }
            strong { overflow-wrap: anywhere; }
            :dir(rtl) { letter-spacing: 0; }
            input, button, .button { font: inherit; min-height: 48px; border-radius: 12px; padding: 10px 14px; width: 100%; }
            input { color: var(--ink); background: var(--paper); border: 1px solid var(--line); }
            [aria-invalid] { border-color: var(--warning); }
            #hint { font-size: .8125rem; color: var(--quiet); }
            #fault { color: var(--warning); font-weight: 600; }
            button, .button {
              border: 0; font-weight: 650; display: grid; place-content: center; text-decoration: none; cursor: pointer;
              background: var(--accent); color: var(--on-accent);
            }
            button { margin-top: 6px; }
            .quiet { background: none; color: var(--accent); margin-top: 0; }
            :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
            @media (forced-colors: active) {
              button, .button { border: 1px solid; }
              .logo rect { fill: CanvasText; }
              .logo path { stroke: Canvas; }
            }

            """.utf8))
}

extension HTTPResponse {
    /// A page that is kept nowhere, framed by nobody, and runs nothing but a file of ours, if that. Its own address is told to itself alone, as a
    /// browser that tells nobody would not say either which page a form is of.
    fileprivate static func page(_ status: Int, _ html: String, hasScript: Bool = false) -> HTTPResponse {
        let script = hasScript ? "script-src 'self'; " : ""
        return HTTPResponse(
            status: status,
            headers: [
                "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store", "Vary": "Accept-Language",
                "Content-Security-Policy":
                    "default-src 'none'; \(script)style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
                "Referrer-Policy": "same-origin", "X-Content-Type-Options": "nosniff",
            ], body: Array((html + "\n").utf8))
    }
}
