/// Something that is due at a time: what a `TimerWheel` holds.
protocol WheelEntry: AnyObject {
    /// Where it waits; the wheel's own.
    var place: WheelPosition { get set }

    /// It is due. May set itself, and others, anew.
    func fire()
}

/// Where an entry waits in a `TimerWheel`, and until when.
struct WheelPosition {
    /// Milliseconds on the loop's clock.
    var deadline: UInt64 = 0
    /// Order of setting, so that what is due at the same moment fires in the order in which it was set.
    var serial: UInt64 = 0
    var slot = Self.nowhere
    var index: Int32 = 0

    /// Whether the entry waits in a wheel.
    var isSet: Bool { slot != Self.nowhere }

    static let nowhere: Int32 = -1
    /// In the queue of what fires next.
    static let due: Int32 = -2
}
