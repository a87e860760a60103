/// Which servers a client of ours believes to be what they say.
public struct ServerTrust: Hashable, Sendable {
    /// A PEM file of the authorities that are trusted, instead of those that the system trusts. Nil: the system's.
    public var authorities: String?
    /// Whether the server's certificate is checked at all. Without, anybody on the way can read and change everything.
    public var isChecked = true
    /// What a person can do about a server that is not trusted; ends the error.
    package var hint = "Trust its authority, or do not check."

    /// The authorities that the system trusts.
    public init() {}

    /// - Throws: where the file of the authorities can't be read.
    func check() throws(SocketError) {
        guard let authorities else { return }
        _ = try PEMFile(authorities).certificates()
    }
}
