import Yams

/// Puts variables of the environment into texts of settings: `Bearer ${TOKEN}`.
struct Variables {
    /// The variable of a name; nil where there is none.
    let environment: (String) -> String?
    let faults: FaultCollector

    /// The text with each `${NAME}` replaced; what is no name stays as it is. A variable that is not set is a fault.
    func filled(_ text: String, at node: Node?, _ field: String) -> String {
        var filled = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "${") {
            let after = rest[start.upperBound...]
            let name = after.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
            guard !name.isEmpty, after.dropFirst(name.count).first == "}" else {
                filled += rest[..<start.upperBound]
                rest = after
                continue
            }
            filled += rest[..<start.lowerBound]
            rest = after.dropFirst(name.count + 1)
            if let value = environment(String(name)) {
                filled += value
            } else {
                faults.add(
                    at: node, field, expected: "the environment to have the variable \(name)", came: "none of that name"
                )
            }
        }
        return filled + rest
    }
}
