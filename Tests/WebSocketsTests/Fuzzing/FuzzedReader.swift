@testable import WebSockets

/// The socket's own readers, each as one function of bytes. `Scripts/fuzz` gives them noise, and `FuzzCorpusTests` what
/// noise has found.
enum FuzzedReader: String, CaseIterable {
    case inflater, head, frame

    /// What the reader got wrong with these bytes, other than to crash; nil: nothing.
    func fault(of bytes: [UInt8]) -> String? {
        switch self {
        case .inflater: InflaterCheck.fault(of: bytes)
        case .head: HeadCheck.fault(of: bytes)
        case .frame: FrameCheck.fault(of: bytes)
        }
    }
}
