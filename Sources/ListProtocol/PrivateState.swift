/// What a gesture has come to, told to the one who pulls. Only the newest counts.
public struct PrivateState: Hashable, Sendable {
    /// The list that is pulled.
    public var list: String
    /// The phase the gesture has reached.
    public var phase: Phase
    /// The number of the gesture.
    public var gesture: Int
    /// How far it has come, 0 … 1.
    public var progress: Double

    /// Makes a state.
    public init(list: String, phase: Phase, gesture: Int, progress: Double) {
        self.list = list
        self.phase = phase
        self.gesture = gesture
        self.progress = progress
    }
}
