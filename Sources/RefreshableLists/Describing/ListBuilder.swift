/// Collects the lists that stand in the braces of a `RefreshableServer`.
@resultBuilder
public enum ListBuilder {
    /// One list.
    public static func buildExpression(_ list: RefreshableList) -> [RefreshableList] { [list] }
    /// Lists made elsewhere.
    public static func buildExpression(_ lists: [RefreshableList]) -> [RefreshableList] { lists }
    /// One after another.
    public static func buildBlock(_ lists: [RefreshableList]...) -> [RefreshableList] { lists.flatMap(\.self) }
    /// `if` without `else`.
    public static func buildOptional(_ lists: [RefreshableList]?) -> [RefreshableList] { lists ?? [] }
    /// `if`.
    public static func buildEither(first lists: [RefreshableList]) -> [RefreshableList] { lists }
    /// `else`.
    public static func buildEither(second lists: [RefreshableList]) -> [RefreshableList] { lists }
    /// `for`.
    public static func buildArray(_ lists: [[RefreshableList]]) -> [RefreshableList] { lists.flatMap(\.self) }
}
