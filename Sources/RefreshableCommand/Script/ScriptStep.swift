import KeyedLists

/// One line of a WebSocket script that does something.
struct ScriptStep: Hashable {
    enum Action: Hashable {
        /// `>` sends this text. It need not be JSON: what a server says to garbage is worth a script, too.
        case send(String)
        /// `<` the next frame matches.
        case next(FramePattern, within: Duration)
        /// `<<` a frame that comes matches; those before it are passed over.
        case eventually(FramePattern, within: Duration)
        /// `!` no frame that is unread or comes in this time matches. They stay unread.
        case never(FramePattern, during: Duration)
        case wait(Duration)
        /// Drops the connection as a lost network does: no Close frame.
        case cut
        /// Connects anew.
        case open
    }

    /// How long `<` and `<<` wait unless `within` says otherwise.
    static let patience = Duration.seconds(5)

    /// From 1.
    let line: Int
    /// The letter before the arrow; empty for the connection without one.
    let connection: String
    let action: Action
}
