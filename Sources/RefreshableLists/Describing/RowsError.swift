/// Why a value could not be made a row.
public enum RowsError: Error, CustomStringConvertible {
    /// The value's own `encode(to:)` threw, or gave no JSON.
    case notEncodable(key: String, underlying: any Error)

    /// Which row, what happened, and what to do.
    public var description: String {
        switch self {
        case .notEncodable(let key, let underlying):
            "Cannot encode the value with the key \"\(key)\" as the fields of a row: \(underlying). "
                + "Let its encode(to:) give JSON, or make the Row yourself."
        }
    }
}
