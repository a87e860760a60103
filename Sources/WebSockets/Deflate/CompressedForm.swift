/// The compressed form of one shared frame: made once, for the first who may be sent it, and kept with the frame.
final class CompressedForm: Sendable {
    private enum State {
        case untried
        /// It would not be smaller.
        case useless
        case made([UInt8])
    }

    private let state = Locked(State.untried)

    /// The form, made by `make` the first time; nil if it is no use. Another loop that wants it meanwhile waits.
    func bytes(_ make: () -> [UInt8]?) -> [UInt8]? {
        state.withLock { state in
            if case .untried = state { state = make().map(State.made) ?? .useless }
            guard case .made(let bytes) = state else { return nil }
            return bytes
        }
    }
}
