import WebSockets

/// What is at `/metrics`, and for whom.
struct MetricsPage: Sendable {
    let metrics: ServerMetrics
    let readers: MetricsReaders

    /// From a loop's thread; answers later.
    func answer(_ request: HTTPRequest, by visitor: Visitor, _ exchange: HTTPExchange) {
        if let refusal = refusal(of: request, by: visitor) { return exchange.answer(refusal) }
        metrics.print { text in
            exchange.answer(
                HTTPResponse(
                    status: 200,
                    headers: ["Content-Type": PrometheusMetrics.contentType, "Cache-Control": "no-store"],
                    body: Array(text.utf8)))
        }
    }

    private func refusal(of request: HTTPRequest, by visitor: Visitor) -> HTTPResponse? {
        if readers == .off { return .text(404, "There is nothing at \(request.path).") }
        guard request.method == "GET" || request.method == "HEAD" else { return .notAllowed(request, "GET, HEAD") }
        if readers == .all || request.isLocal && !visitor.isOnlooker { return nil }
        return .text(
            403,
            "Only programs on this machine may read the metrics. Start the server with --metrics all, or set metrics, to "
                + "let others.")
    }
}
