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

    static let query = """
        SELECT (SELECT system_identifier FROM pg_control_system())::text || '-' ||
                CASE WHEN pg_is_in_recovery() THEN 'standby' ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END,
            extract(epoch FROM pg_postmaster_start_time())::text,
            CASE WHEN pg_is_in_recovery() THEN 0 ELSE pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint END,
            pg_is_in_recovery(), current_setting('fsync') = 'on',
            current_setting('synchronous_standby_names') = '' AND EXISTS (SELECT FROM pg_stat_replication),
            current_setting('server_version_num')::bigint
        """

    init(_ row: PostgresRow) {
        identity = DatabaseIdentity(history: row.text(0) ?? "", startedAt: row.text(1) ?? "")
        position = row.int(2) ?? 0
        isStandby = row.bool(3) ?? false
        isDurable = row.bool(4) ?? true
        hasTrailingStandby = row.bool(5) ?? false
        version = row.int(6) ?? 0
    }
}
