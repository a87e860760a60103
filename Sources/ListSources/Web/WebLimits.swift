/// What an answer from the web may cost, and where it may come from.
public struct WebLimits: Hashable, Sendable {
    /// How long an answer may take, from the first attempt to its last byte. 20 s unless set.
    public var timeout: Duration
    /// The most that is read, in bytes, unpacked. 16 MiB unless set.
    public var size: Int
    /// Whether addresses of this machine and of private networks may be asked. Where not, names that lead to them are
    /// refused, of redirects too: it is the address that counts to which a connection is really made.
    public var allowsPrivateAddresses: Bool

    /// 20 s, 16 MiB and any address, unless said otherwise.
    public init(timeout: Duration = .seconds(20), size: Int = 16 << 20, allowsPrivateAddresses: Bool = true) {
        self.timeout = timeout
        self.size = size
        self.allowsPrivateAddresses = allowsPrivateAddresses
    }
}
