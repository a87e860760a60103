/// Values that came from the environment: whoever reads a log, a fault or an error sees their names in their place.
struct Secrets: Hashable {
    private struct Secret: Hashable {
        let value: String
        let name: String
    }

    /// Shorter values are no secrets, and hiding them would make texts unreadable. In characters.
    private static let shortest = 4

    /// The longest first, so that one which holds another is hidden whole.
    private var secrets: [Secret] = []

    /// Hides this value from now on.
    mutating func note(_ value: String, of name: String) {
        let lines = value.split(whereSeparator: \.isNewline).map(String.init)
        for form in Set([value, PercentText.encoded(value)] + lines) {
            let secret = Secret(value: form, name: name)
            guard form.count >= Self.shortest, !secrets.contains(secret) else { continue }
            let place = secrets.firstIndex { $0.value.utf8.count < form.utf8.count } ?? secrets.endIndex
            secrets.insert(secret, at: place)
        }
    }

    /// Hides what another hides, too.
    mutating func formUnion(_ other: Secrets) {
        for secret in other.secrets { note(secret.value, of: secret.name) }
    }

    /// The text with `${NAME}` where a value stood.
    @Sendable func hiding(_ text: String) -> String {
        secrets.reduce(text) { text, secret in
            guard text.utf8.count >= secret.value.utf8.count, text.contains(secret.value) else { return text }
            return text.split(separator: secret.value, omittingEmptySubsequences: false)
                .joined(separator: "${\(secret.name)}")
        }
    }
}
