/// Who may do what with the lists of a server.
public enum Access: Hashable, Sendable {
    /// Whoever reaches the server may read and refresh every list. Pushes are a matter of `pushToken`.
    case open
    /// Whoever shows one of these tokens may do what that allows.
    ///
    /// `anonymous` is what others may do: nothing, unless it is said.
    case tokens([AccessToken], anonymous: AccessRights = [:])
}
