import PostgresConnections

/// Which database a connection speaks to, and since when it has run: a history of it is vouched for by this.
///
/// The system identifier is another for a database that was made anew or restored from a dump; the timeline after a promotion and a
/// restore in time, where the name of the current segment tells it at once, and `pg_control_checkpoint()` only after the next
/// checkpoint. A copy of its folder that is put back has both unchanged, but was started since.
struct DatabaseIdentity: Hashable, Sendable {
    /// The system identifier and the timeline.
    let history: String
    /// When its postmaster was started, as PostgreSQL writes it.
    let startedAt: String

    /// Whether it is what the other was before a promotion.
    func isFormer(of other: DatabaseIdentity) -> Bool {
        let (mine, theirs) = (history.split(separator: "-"), other.history.split(separator: "-"))
        guard mine.count == 2, theirs.count == 2, mine[0] == theirs[0] else { return false }
        return (Int(mine[1], radix: 16) ?? 0) < (Int(theirs[1], radix: 16) ?? 0)
    }

    /// As it stands beside the epoch of a list.
    var text: String { "\(history) \(startedAt)" }

    init(history: String, startedAt: String) {
        self.history = history
        self.startedAt = startedAt
    }

    /// Reads what `text` wrote.
    init?(_ text: String) {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        (history, startedAt) = (String(parts[0]), String(parts[1]))
    }
}

/// What a connection finds at its beginning.
struct DatabaseFacts: Sendable {
    var identity: DatabaseIdentity
    /// How far its log is, in bytes.
    var position: Int
    var isStandby: Bool
    /// Whether commits are on the disk when they are acknowledged.
    var isDurable: Bool
    /// Whether a standby follows that commits do not wait for.
    var hasTrailingStandby: Bool
    /// Such as 150012.
    var version: Int
    /// Whether a pooler answers in the place of the server.
    var isPooled: Bool
    /// When the server's process for the connection was started, in seconds since 1970: its number may be another's later.
    var backendStart: String

    /// Asks for all of it, given the number of the server's process as the connection was told it, and sets the connection up in the
    /// same transaction. Behind a pooler nothing is set: its other clients would be given that.
    ///
    /// A commit that was acknowledged is on the disk, whatever the database is set up to do otherwise. And statements are planned
    /// once: PostgreSQL believes that it gains by planning each commit anew for its values, which takes four times as long as the
    /// commit.
    static let query = """
        SELECT (SELECT system_identifier FROM pg_control_system())::text || '-' ||
                CASE WHEN pg_is_in_recovery() THEN 'standby' ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END,
            extract(epoch FROM pg_postmaster_start_time())::text,
            CASE WHEN pg_is_in_recovery() THEN 0 ELSE pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint END,
            pg_is_in_recovery(), current_setting('fsync') = 'on',
            current_setting('synchronous_standby_names') = '' AND EXISTS (SELECT FROM pg_stat_replication),
            current_setting('server_version_num'),
            CASE WHEN pg_backend_pid()::text = $1 THEN concat(
                CASE WHEN current_setting('synchronous_commit') IN ('off', 'local')
                    THEN set_config('synchronous_commit', 'on', false) END,
                set_config('statement_timeout', '60000', false), set_config('lock_timeout', '2000', false),
                set_config('idle_in_transaction_session_timeout', '5000', false),
                set_config('default_transaction_isolation', 'read committed', false),
                set_config('plan_cache_mode', 'force_generic_plan', false)) END,
            (SELECT extract(epoch FROM backend_start) FROM pg_stat_activity WHERE pid = pg_backend_pid())::text
        """

    init(_ row: PostgresRow) {
        identity = DatabaseIdentity(history: row.text(0) ?? "", startedAt: row.text(1) ?? "")
        position = row.text(2).flatMap { Int($0) } ?? 0
        isStandby = row.text(3) == "t"
        isDurable = row.text(4) != "f"
        hasTrailingStandby = row.text(5) == "t"
        version = row.text(6).flatMap { Int($0) } ?? 0
        isPooled = row.bytes(7) == nil
        backendStart = row.text(8) ?? ""
    }
}
