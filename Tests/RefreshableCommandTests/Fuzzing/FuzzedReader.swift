@testable import RefreshableCommand

/// The reader of settings as a function of bytes. `Scripts/fuzz` gives it noise, and `FuzzCorpusTests` what noise has
/// found.
enum FuzzedReader: String, CaseIterable {
    case settings

    private static let secret = "s3cret-of-nobody"

    /// What the reader got wrong with these bytes, other than to crash; nil: nothing.
    func fault(of bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        do {
            let settings = try Settings(reading: text, file: "a.yaml", environment: ["TOKEN": Self.secret])
            return settings.lists.isEmpty ? "There are neither lists nor faults." : nil
        } catch {
            if error.faults.isEmpty { return "There are faults, and none is told." }
            if error.description.contains(Self.secret), !text.contains(Self.secret) { return "A secret is told." }
            return error.faults.allSatisfy { $0.line > 0 && $0.column > 0 } ? nil : "A fault has no place."
        }
    }
}
