/// The text of a frame, for comparing with what a person would write.
func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
}
