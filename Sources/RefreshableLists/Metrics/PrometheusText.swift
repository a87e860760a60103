/// The words of Prometheus' text format 0.0.4 (`exposition_formats`, "Text format details").
enum PrometheusText {
    /// `[a-zA-Z_:][a-zA-Z0-9_:]*`: anything else becomes an underscore.
    static func name(_ label: String) -> String { allowed(label, colons: true) }

    /// `a="1",b="2"` in order of names; empty where there are none. A name that comes twice keeps its last value.
    static func labels(_ dimensions: [(String, String)]) -> String {
        let values = Dictionary(dimensions.map { (allowed($0.0, colons: false), $0.1) }) { $1 }
        return values.sorted { $0.key < $1.key }.map { "\($0.key)=\"\(value($0.value))\"" }.joined(separator: ",")
    }

    /// A line of help, in which a backslash and a line break are escaped.
    static func help(_ text: String) -> String { escaped(text) { $0 == "\\" || $0 == "\n" } }

    /// Whole numbers without a point.
    static func number(_ value: Double) -> String {
        if value == .infinity { return "+Inf" }
        if value == -.infinity { return "-Inf" }
        if value.isNaN { return "NaN" }
        return value == value.rounded() && abs(value) < 0x1p53 ? "\(Int64(value))" : "\(value)"
    }

    /// A label's value, in which quotes are escaped, too.
    private static func value(_ text: String) -> String { escaped(text) { $0 == "\\" || $0 == "\n" || $0 == "\"" } }

    private static func escaped(_ text: String, _ isSpecial: (Unicode.Scalar) -> Bool) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isSpecial(scalar) { escaped.append("\\") }
            escaped.append(scalar == "\n" ? "n" : scalar)
        }
        return String(escaped)
    }

    private static func allowed(_ label: String, colons: Bool) -> String {
        let letters = label.utf8.enumerated().map { index, byte -> UInt8 in
            switch byte {
            case 0x41...0x5A, 0x61...0x7A, 0x5F: byte
            case 0x30...0x39 where index > 0: byte
            case 0x3A where colons: byte
            default: 0x5F
            }
        }
        return letters.isEmpty ? "_" : String(decoding: letters, as: UTF8.self)
    }
}
