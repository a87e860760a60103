@testable import WebSockets

/// What must hold of whatever `FrameReader` is given. The first byte says whether compression was agreed upon.
enum FrameCheck {
    static func fault(of bytes: [UInt8]) -> String? {
        guard let first = bytes.first else { return nil }
        let isCompressing = first & 1 == 1
        let frames = Array(bytes.dropFirst())
        let whole = FrameTranscript(frames, isCompressing: isCompressing)
        if whole != PlainFrames(frames, isCompressing: isCompressing).transcript {
            return "It is read otherwise than the RFC says."
        }
        let single = FrameTranscript(frames, isCompressing: isCompressing, pieces: { 1 })
        if single != whole { return "A byte at a time is read otherwise." }
        if single.mostLeft >= FrameReader.longestHead + FrameReader.longestControl { return "Too much is left." }
        var generator = SeededGenerator(seed: bytes.reduce(UInt64(bytes.count)) { $0 &* 31 &+ UInt64($1) })
        let cut = FrameTranscript(frames, isCompressing: isCompressing) { Int.random(in: 1...20, using: &generator) }
        return cut == whole ? nil : "It is read otherwise in other pieces."
    }
}
