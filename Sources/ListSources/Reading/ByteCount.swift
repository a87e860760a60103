/// Sizes, for people.
enum ByteCount {
    /// `200 bytes`, `256 KiB`, `8 MiB`.
    static func text(_ bytes: Int) -> String {
        switch bytes {
        case ..<1024: "\(bytes) bytes"
        case ..<(1 << 20): "\(bytes >> 10) KiB"
        default: "\(bytes >> 20) MiB"
        }
    }
}
