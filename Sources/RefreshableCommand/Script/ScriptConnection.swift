/// One connection of a script. A socket, or in a test a table of answers.
protocol ScriptConnection: Sendable {
    /// The frames that came, in order.
    var inbox: FrameInbox { get }

    /// Sends one text frame.
    func send(_ text: String) async

    /// Closes the connection, waiting for the end.
    func close() async

    /// Drops the connection without a Close frame.
    func cut() async
}
