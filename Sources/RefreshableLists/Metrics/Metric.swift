/// Every metric of a server, by its name in Prometheus. `Documentation/Metrics.md` describes each.
///
/// Labels are bounded: loops, the server's own lists, and words of ours. Nothing that a client sends becomes one.
enum Metric: String, CaseIterable {
    case lists = "refreshable_lists"
    case connections = "refreshable_connections"
    case sockets = "refreshable_sockets"
    case sessions = "refreshable_sessions"
    case acceptedConnections = "refreshable_accepted_connections_total"
    case openedSockets = "refreshable_opened_sockets_total"
    case closedSockets = "refreshable_closed_sockets_total"
    case refusals = "refreshable_refusals_total"
    case responses = "refreshable_http_responses_total"
    case sentFrames = "refreshable_sent_frames_total"
    case sentBytes = "refreshable_sent_bytes_total"
    case inflatedBytes = "refreshable_inflated_bytes_total"
    case receivedMessages = "refreshable_received_messages_total"
    case receivedBytes = "refreshable_received_bytes_total"
    case errors = "refreshable_message_errors_total"
    case subscriptions = "refreshable_subscriptions"
    case notifications = "refreshable_notifications_total"
    case broadcasts = "refreshable_broadcast_duration_seconds"
    case lag = "refreshable_loop_lag_seconds"
    case processorTime = "refreshable_loop_cpu_seconds_total"
    case watches = "refreshable_watches"
    case conflations = "refreshable_conflations_total"
    case rows = "refreshable_rows"
    case revisions = "refreshable_revisions_total"
    case patches = "refreshable_patches_total"
    case runs = "refreshable_runs_total"
    case runDurations = "refreshable_run_duration_seconds"
    case running = "refreshable_run_in_progress"
    case overdueHandlers = "refreshable_overdue_handlers"
    case rememberedAnswers = "refreshable_remembered_answers"
    case updatedAt = "refreshable_updated_timestamp_seconds"
    case isStale = "refreshable_stale"
    // Where servers share a store.
    case leads = "refreshable_leads"
    case leadChanges = "refreshable_lead_changes_total"
    case storeIsAvailable = "refreshable_store_available"
    case storeConnections = "refreshable_store_connections"
    case storeDurations = "refreshable_store_duration_seconds"
    case storeErrors = "refreshable_store_errors_total"
    case storeConflicts = "refreshable_store_conflicts_total"
    case storeLag = "refreshable_store_lag_seconds"
    case storeLagRevisions = "refreshable_store_lag_revisions"
    case renewedEpochs = "refreshable_renewed_epochs_total"

    /// Its meaning, for the `HELP` line.
    var help: String {
        switch self {
        case .lists: "Lists that are served."
        case .connections: "Connections of all kinds, now."
        case .sockets: "WebSockets, now."
        case .sessions: "Sessions with state: of connected clients, and for ten minutes of disconnected ones."
        case .acceptedConnections: "Accepted connections."
        case .openedSockets: "WebSockets that were opened."
        case .closedSockets: "WebSockets that ended, by the code of their Close frame (0: a code of the client's own)."
        case .refusals: "Rejected connections, handshakes and requests, by reason."
        case .responses: "Responses to HTTP requests and rejected handshakes, by status."
        case .sentFrames: "WebSocket frames that were sent, pings included."
        case .sentBytes: "Bytes of sent WebSocket frames on the wire, before TLS."
        case .inflatedBytes: "Bytes of the compressed frames before compression."
        case .receivedMessages: "Whole WebSocket messages that came in."
        case .receivedBytes: "Payload bytes of received WebSocket frames."
        case .errors: "Messages answered with an error, by code."
        case .subscriptions: "Browsers that want to be notified of a list, times lists."
        case .notifications: "Notifications that were due, by outcome."
        case .broadcasts: "Time until what is new of a list was offered to all who watch it on a loop."
        case .lag: "How late timers of a loop fire, measured once a second."
        case .processorTime: "CPU time of a loop's thread."
        case .watches: "Connections that watch the list, now."
        case .conflations: "Times that somebody who was behind got one patch in place of several."
        case .rows: "Rows of the list; absent until it was first read."
        case .revisions: "Committed changes of the list."
        case .patches: "Encoded patches and snapshots, each once for all its receivers."
        case .runs: "Ended runs, by outcome."
        case .runDurations: "Duration of runs, by outcome."
        case .running: "1 while a run is under way, else 0."
        case .overdueHandlers: "Handlers that have not returned although their run has ended."
        case .rememberedAnswers: "Responses that are remembered for ten minutes, so that a retry has no effect."
        case .updatedAt:
            "When the list was last refreshed with success, in seconds since 1970; absent before the first."
        case .isStale: "1 if the list could not be refreshed since, else 0."
        case .leads: "1 if this server leads the list, else 0."
        case .leadChanges: "Times that this server took the lead of the list, lost it to another, or resigned."
        case .storeIsAvailable: "1 if the store can be reached and used, else 0."
        case .storeConnections: "Connections to the store for statements, open or being opened."
        case .storeDurations: "Time of operations of the store, waiting for a connection included."
        case .storeErrors: "Operations of the store that failed."
        case .storeConflicts: "Changes that were made again, as another server was sooner."
        case .storeLag: "Time from hearing that another server has changed a list until its rows were taken over."
        case .storeLagRevisions: "Revisions by which a list was behind when another server's changes were taken over."
        case .renewedEpochs: "Lists that this server gave a new epoch."
        }
    }

    /// The names of its labels, in the order in which values are given.
    var labels: [String] {
        switch self {
        case .lists, .sessions, .subscriptions, .storeIsAvailable, .storeConnections, .storeConflicts,
            .storeLagRevisions, .renewedEpochs:
            []
        case .notifications: ["outcome"]
        case .connections, .sockets, .acceptedConnections, .openedSockets, .inflatedBytes, .receivedMessages,
            .receivedBytes, .broadcasts, .lag, .processorTime:
            ["loop"]
        case .sentFrames, .sentBytes: ["loop", "compression"]
        case .closedSockets, .responses, .errors: ["code"]
        case .refusals: ["reason"]
        case .watches, .conflations, .rows, .revisions, .running, .overdueHandlers, .rememberedAnswers, .updatedAt,
            .isStale, .leads:
            ["list"]
        case .patches: ["list", "kind"]
        case .runs, .runDurations: ["list", "outcome"]
        case .leadChanges: ["list", "change"]
        case .storeDurations, .storeErrors: ["operation"]
        case .storeLag: ["signal"]
        }
    }

    /// The upper bounds of a histogram's buckets, in seconds or what its name says; nil where it is none.
    var bounds: [Double]? {
        switch self {
        case .broadcasts, .lag, .storeDurations, .storeLag:
            [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]
        case .runDurations: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]
        case .storeLagRevisions: [1, 2, 5, 10, 25, 50, 100, 250, 1000]
        default: nil
        }
    }
}
