import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Why a web server gave no answer, in words for people: its name, and neither path nor query.
enum WebProblem {
    static func timeout(_ url: WebURL, _ limit: Duration) -> SourceError {
        SourceError(
            message: "\(url.host) did not answer within \(limit.components.seconds) s.",
            detail: "It was asked for \(url.plain).")
    }

    static func tooLarge(_ url: WebURL, _ limit: Int) -> SourceError {
        SourceError(
            message: "\(url.host) answered with more than \(ByteCount.text(limit)).",
            detail: "It was asked for \(url.plain). Ask for fewer rows, or page by page.")
    }

    static func redirects(_ url: WebURL) -> SourceError {
        SourceError(
            message: "\(url.host) sends from URL to URL, and none has the rows.",
            detail: "It was asked for \(url.plain).")
    }

    static func privateAddress(_ url: WebURL) -> SourceError {
        SourceError(
            message: "\(url.host) is on a private network, which this list may not ask.",
            detail: "Private addresses are refused by its settings.")
    }

    static func cutShort(_ url: WebURL) -> SourceError {
        SourceError(
            message: "\(url.host) broke off in the middle of its answer.", detail: "It was asked for \(url.plain).")
    }

    /// What URLSession says went wrong.
    ///
    /// - Parameter hasBegun: whether the head of the answer had come.
    static func explain(_ error: any Error, _ url: WebURL, hasBegun: Bool) -> SourceError {
        if hasBegun { return cutShort(url) }
        let detail = "It was asked for \(url.plain): \((error as NSError).localizedDescription)"
        guard let code = (error as? URLError)?.code else {
            return SourceError(message: "\(url.host) could not be asked.", detail: detail)
        }
        let problem =
            switch code {
            case .cannotFindHost, .dnsLookupFailed: "can't be found"
            case .cannotConnectToHost, .notConnectedToInternet: "can't be reached"
            case .timedOut: "did not answer in time"
            case .networkConnectionLost: "broke off in the middle of its answer"
            case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
                .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
                .clientCertificateRequired:
                "could not prove who it is"
            case .httpTooManyRedirects, .redirectToNonExistentLocation:
                "sends from URL to URL, and none has the rows"
            // On Linux these have no code of their own, only libcurl's words.
            case _ where detail.contains("SSL") || detail.contains("certificate"): "could not prove who it is"
            default: "could not be asked"
            }
        return SourceError(message: "\(url.host) \(problem).", detail: detail)
    }
}
