import ListSources

/// What a list asks of a web server.
struct WebSettings: Hashable {
    var request: WebRequest
    var layout: RowLayout
    var next: WebPaging?
    var limits = WebLimits()
}
