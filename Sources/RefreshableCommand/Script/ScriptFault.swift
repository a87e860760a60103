/// Why a script can't be read, or where it went otherwise than it says.
struct ScriptFault: Error, Hashable, CustomStringConvertible {
    /// `FILE:LINE`
    let place: String
    let problem: String

    var description: String { "\(place): \(problem)" }
}
