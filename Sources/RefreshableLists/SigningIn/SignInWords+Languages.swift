/// The languages of the page of the lists.
extension SignInWords {
    static let english = SignInWords(
        language: "en", signIn: "Sign in", signedIn: "Signed in", token: "Token",
        hint: "Whoever runs this server gives you one.", youAre: "You are signed in as #.", show: "Show the lists",
        signOut: "Sign out", wrong: "This is none of this server’s tokens.",
        expired: "This token has expired. Ask for a newer one.",
        tooMany: "Too many wrong tokens came from here. Try again in # seconds.",
        elsewhere: "Only this page itself may do that. Reload it, and try again.")

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
