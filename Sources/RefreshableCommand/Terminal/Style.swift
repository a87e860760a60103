/// How text looks on a terminal: by the control sequences of ECMA-48 §8.3.117 (SGR), or not at all.
enum Style: String {
    case bold = "1"
    case faint = "2"
    case inverse = "7"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case cyan = "36"

    /// - Parameter isColoured: whether the terminal, and the person (NO_COLOR), want it.
    func of(_ text: String, isColoured: Bool) -> String {
        isColoured && !text.isEmpty ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Whether the person wants colours (https://no-color.org), and the terminal can draw them.
    static var isWanted: Bool {
        let name = EnvironmentVariables.value(of: "TERM") ?? ""
        return EnvironmentVariables.value(of: "NO_COLOR").map(\.isEmpty) ?? true && name != "" && name != "dumb"
    }
}
