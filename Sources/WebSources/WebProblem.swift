import CCurl
import ListSources

/// Why a web server sent no response, as a message with its host, and neither path nor query.
enum WebProblem {
    static func timeout(_ url: WebURL, _ limit: Duration) -> SourceError {
        SourceError(
            message: "\(url.host) did not answer within \(limit.components.seconds) s.",
            detail: "The URL was \(url.plain)."
        ).coded("noAnswer", url.host, "\(limit.components.seconds)")
    }

    static func tooLarge(_ url: WebURL, _ limit: Int) -> SourceError {
        SourceError(
            message: "\(url.host) answered with more than \(ByteCount.text(limit)).",
            detail: "The URL was \(url.plain). Ask for fewer rows, or page by page.")
    }

    static func redirects(_ url: WebURL) -> SourceError {
        SourceError(
            message: "\(url.host) sends from URL to URL, and none has the rows.",
            detail: "The URL was \(url.plain).")
    }

    static func privateAddress(_ url: WebURL) -> SourceError {
        SourceError(
            message: "\(url.host) is on a private network, which this list may not ask.",
            detail: "Private addresses are refused by its settings.")
    }

    static func manyHeaders(_ url: WebURL, _ limit: Int) -> SourceError {
        SourceError(
            message: "\(url.host) answered with more than \(ByteCount.text(limit)) of headers.",
            detail: "The URL was \(url.plain).")
    }

    /// The error that libcurl reports.
    ///
    /// - Parameter hasBegun: whether the head of the answer had begun.
    static func explain(_ code: CURLcode, _ url: WebURL, hasBegun: Bool) -> SourceError {
        let detail = "The URL was \(url.plain): \(String(cString: curl_easy_strerror(code)))."
        let problem =
            switch code {
            case CURLE_COULDNT_RESOLVE_HOST: "can't be found"
            case CURLE_COULDNT_RESOLVE_PROXY: "can't be asked: the proxy before it can't be found"
            case CURLE_COULDNT_CONNECT: "can't be reached"
            case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
                CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
                "could not prove who it is"
            case CURLE_SSL_CACERT_BADFILE: "could not prove who it is: the certificates of authorities can't be read"
            case CURLE_BAD_CONTENT_ENCODING: "answered with what can't be unpacked"
            case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL: "does not speak HTTP"
            case _ where hasBegun: "broke off in the middle of its answer"
            case CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_PARTIAL_FILE, CURLE_HTTP2,
                CURLE_HTTP2_STREAM:
                "broke off before it answered"
            default: "could not be asked"
            }
        return SourceError(message: "\(url.host) \(problem).", detail: detail).coded("unreachable", url.host)
    }
}
