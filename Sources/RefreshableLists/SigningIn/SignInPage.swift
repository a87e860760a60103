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
            // Whoever signs in next must not do what this person left to be done.
            for (const name of Object.keys(localStorage)) if (name.startsWith('refreshable-acts')) localStorage.removeItem(name);

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

/// What the page on which people sign in says, in one language. `#` stands for what is told.
struct SignInWords: Hashable, Sendable {
    /// For the page's `lang`.
    let language: String
    /// The title of the form, and its button.
    let signIn: String
    let signedIn: String
    let token: String
    let hint: String
    /// `#`: the token's name.
    let youAre: String
    let show: String
    let signOut: String
    let wrong: String
    let expired: String
    /// `#`: seconds.
    let tooMany: String
    /// The form was sent by another page.
    let elsewhere: String

    /// Which way it is read.
    var direction: String { language == "ar" ? "rtl" : "ltr" }

    /// Those of the language that a browser prefers (`Accept-Language`, RFC 9110 §12.5.4) among those that the page of the
    /// lists speaks; else English.
    static func preferred(in headers: HTTPHeaders) -> SignInWords {
        let ranges = (headers["Accept-Language"] ?? "").split(separator: ",").compactMap { LanguageRange($0) }
        // The sort is stable by its second part: of those that are wanted alike, the first.
        let wanted = ranges.enumerated().sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
        return wanted.lazy.compactMap { words(of: $0.element.tag) }.first ?? .english
    }

    /// Nil: of another language.
    private static func words(of tag: [Substring]) -> SignInWords? {
        switch tag.first {
        case "en", "*": .english
        case "de": .german
        case "fr": .french
        case "es": .spanish
        case "ja": .japanese
        case "zh": tag.contains { ["hant", "tw", "hk", "mo"].contains($0) } ? .traditionalChinese : .chinese
        case "ar": .arabic
        default: nil
        }
    }
}

/// One of the languages that a browser names: `de-AT;q=0.9`.
private struct LanguageRange {
    /// Its parts, in lower case.
    let tag: [Substring]
    /// How much it is wanted, from thousandths to 1000.
    let weight: Int

    /// Nil where it is not wanted at all, or is none.
    init?(_ text: some StringProtocol) {
        let parts = text.lowercased().split(separator: ";").map { $0.split(separator: " ").joined() }
        guard let name = parts.first else { return nil }
        let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
        guard quality > 0, quality <= 1 else { return nil }
        tag = name.split(separator: "-").map { Substring(String($0)) }
        weight = Int(quality * 1000)
    }
}

/// The languages of the page of the lists.
extension SignInWords {
    static let english = SignInWords(
        language: "en", signIn: "Sign in", signedIn: "Signed in", token: "Token",
        hint: "Whoever runs this server gives you one.", youAre: "You are signed in as #.", show: "Show the lists",
        signOut: "Sign out", wrong: "This is none of this server’s tokens.",
        expired: "This token has expired. Ask for a newer one.",
        tooMany: "Too many wrong tokens came from here. Try again in # seconds.",
        elsewhere: "Only the server's own page may do that. Reload it, and try again.")

    static let german = SignInWords(
        language: "de", signIn: "Anmelden", signedIn: "Angemeldet", token: "Token",
        hint: "Du bekommst es von denen, die diesen Server betreiben.", youAre: "Du bist angemeldet als #.",
        show: "Listen zeigen", signOut: "Abmelden", wrong: "Dieser Server kennt dieses Token nicht.",
        expired: "Dieses Token ist abgelaufen. Lass dir ein neues geben.",
        tooMany: "Von hier kamen zu viele falsche Token. Versuche es in # Sekunden wieder.",
        elsewhere: "Das darf nur diese Seite selbst. Lade sie neu und versuche es noch einmal.")

    static let french = SignInWords(
        language: "fr", signIn: "Se connecter", signedIn: "Connexion établie", token: "Jeton",
        hint: "La personne qui gère ce serveur vous en donne un.", youAre: "Vous utilisez le jeton #.",
        show: "Afficher les listes", signOut: "Se déconnecter", wrong: "Ce serveur ne connaît pas ce jeton.",
        expired: "Ce jeton a expiré. Demandez-en un nouveau.",
        tooMany: "Trop de jetons erronés sont venus d’ici. Réessayez dans # secondes.",
        elsewhere: "Seule cette page peut le faire. Rechargez-la, puis réessayez.")

    static let spanish = SignInWords(
        language: "es", signIn: "Iniciar sesión", signedIn: "Sesión iniciada", token: "Token",
        hint: "Te lo da quien administra este servidor.", youAre: "Has iniciado sesión como #.",
        show: "Mostrar las listas", signOut: "Cerrar sesión", wrong: "Este servidor no conoce este token.",
        expired: "Este token ha caducado. Pide uno nuevo.",
        tooMany: "Han llegado demasiados tokens erróneos desde aquí. Inténtalo de nuevo dentro de # segundos.",
        elsewhere: "Solo esta página puede hacerlo. Vuelve a cargarla e inténtalo de nuevo.")

    static let japanese = SignInWords(
        language: "ja", signIn: "サインイン", signedIn: "サインイン済み", token: "トークン",
        hint: "このサーバーの管理者から受け取ってください。", youAre: "#としてサインインしています。", show: "リストを表示",
        signOut: "サインアウト", wrong: "このサーバーのトークンではありません。",
        expired: "このトークンは期限切れです。新しいものを受け取ってください。",
        tooMany: "間違ったトークンが多すぎます。#秒後にもう一度お試しください。",
        elsewhere: "この操作はこのページからのみ行えます。再読み込みして、もう一度お試しください。")

    static let chinese = SignInWords(
        language: "zh-Hans", signIn: "登录", signedIn: "已登录", token: "令牌", hint: "请向此服务器的管理员索取。",
        youAre: "你已登录为#。", show: "显示列表", signOut: "退出登录", wrong: "这不是此服务器的令牌。",
        expired: "此令牌已过期。请索取新的令牌。", tooMany: "来自此处的错误令牌过多。请在#秒后重试。",
        elsewhere: "只有此页面本身可以这样做。请重新加载后再试。")

    static let traditionalChinese = SignInWords(
        language: "zh-Hant", signIn: "登入", signedIn: "已登入", token: "權杖", hint: "請向此伺服器的管理員索取。",
        youAre: "你已登入為#。", show: "顯示列表", signOut: "登出", wrong: "這不是此伺服器的權杖。",
        expired: "此權杖已過期。請索取新的權杖。", tooMany: "來自此處的錯誤權杖過多。請在#秒後重試。",
        elsewhere: "只有此頁面本身可以這樣做。請重新載入後再試。")

    static let arabic = SignInWords(
        language: "ar", signIn: "تسجيل الدخول", signedIn: "تم تسجيل الدخول", token: "الرمز",
        hint: "يمنحك إياه من يدير هذا الخادم.", youAre: "سجّلت الدخول باسم #.", show: "عرض القوائم",
        signOut: "تسجيل الخروج", wrong: "هذا ليس من رموز هذا الخادم.",
        expired: "انتهت صلاحية هذا الرمز. اطلب رمزًا أحدث.",
        tooMany: "وردت من هنا رموز خاطئة كثيرة. أعد المحاولة بعد # من الثواني.",
        elsewhere: "لا يمكن فعل ذلك إلا من هذه الصفحة نفسها. أعد تحميلها ثم حاول مرة أخرى.")
}
