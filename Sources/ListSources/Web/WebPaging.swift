/// How a web server is asked for the rows that follow.
public enum WebPaging: Hashable, Sendable {
    /// At the URL of the header `Link` whose `rel` is `next`: RFC 8288.
    case link
    /// At the URL that stands there in the answer; none, or null: there are no more.
    case url(JSONPointer)
    /// With what stands there in the answer, as this parameter of the query.
    case cursor(JSONPointer, parameter: String)
    /// With the number of the page, as this parameter of the query: one more than in the URL, where 1 is meant if it has
    /// none. A page without rows is the last.
    case page(parameter: String)
}
