import ListStorage

/// The tables, in a schema of their own, and what leads to them from an empty database or an earlier version.
///
/// Keys and fields are `bytea`: bytes in, the same bytes out. A line of `lists` is all that a list has beside its rows; whoever
/// changes the list changes it, so it is what servers compare and set. It leaves room in its page (`fillfactor`), so that a
/// commit touches no index of it (heap-only tuples).
///
/// A step is never changed once it was released.
enum Schema {
    /// The version that this program writes.
    static var version: Int { steps.count }

    /// Held while the tables are made or changed: a number of our own, "RfLs".
    static let lock = 0x5266_4C73

    /// What leads from each version to the next.
    static let steps = [
        """
        CREATE SCHEMA refreshable;
        CREATE TABLE refreshable.store (is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only), version bigint NOT NULL);
        INSERT INTO refreshable.store (version) VALUES (0);
        CREATE TABLE refreshable.lists (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name bytea NOT NULL UNIQUE,
            epoch bigint NOT NULL, identity text NOT NULL,
            written xid NOT NULL DEFAULT pg_current_xact_id()::xid, previous xid, revision bigint NOT NULL DEFAULT 0,
            floor bigint NOT NULL DEFAULT 0, tag bigint NOT NULL DEFAULT 0, checksum bigint NOT NULL DEFAULT 0,
            runs bigint NOT NULL DEFAULT 0, updated_at bigint, stale_since bigint, last_run bytea,
            leader text, fence bigint NOT NULL DEFAULT 0, state bytea
        ) WITH (fillfactor = 50);
        CREATE TABLE refreshable.rows (
            list bigint NOT NULL, key bytea NOT NULL, position bigint NOT NULL, fields_revision bigint NOT NULL,
            position_revision bigint NOT NULL, fields bytea NOT NULL, checksum bigint NOT NULL,
            revision bigint GENERATED ALWAYS AS (greatest(fields_revision, position_revision)) STORED,
            PRIMARY KEY (list, key));
        CREATE INDEX rows_by_revision ON refreshable.rows (list, revision);
        CREATE INDEX rows_by_position ON refreshable.rows (list, position);
        CREATE TABLE refreshable.tombstones (
            list bigint NOT NULL, key bytea NOT NULL, revision bigint NOT NULL, removed_at bigint NOT NULL,
            checksum bigint NOT NULL, PRIMARY KEY (list, key));
        CREATE INDEX tombstones_by_revision ON refreshable.tombstones (list, revision);
        CREATE TABLE refreshable.commits (
            list bigint NOT NULL, revision bigint NOT NULL, tag bigint NOT NULL, PRIMARY KEY (list, revision));
        CREATE TABLE refreshable.action_runs (
            list bigint NOT NULL, key bytea NOT NULL, run text NOT NULL, begun_at bigint NOT NULL,
            state bytea NOT NULL, checksum bigint NOT NULL, PRIMARY KEY (list, key));
        CREATE INDEX action_runs_by_time ON refreshable.action_runs (list, begun_at);
        CREATE TABLE refreshable.unread (
            list bigint NOT NULL, person bytea NOT NULL, keys bytea NOT NULL, checksum bigint NOT NULL,
            PRIMARY KEY (list, person));
        CREATE TABLE refreshable.requests (
            list bigint NOT NULL, key bytea NOT NULL, request bytea, answer bytea,
            asked_at timestamptz NOT NULL DEFAULT clock_timestamp(), PRIMARY KEY (list, key));
        CREATE INDEX unanswered_requests ON refreshable.requests (list) WHERE answer IS NULL;
        CREATE INDEX requests_by_time ON refreshable.requests (asked_at);
        CREATE UNLOGGED TABLE refreshable.nodes (node text PRIMARY KEY, alive_until timestamptz NOT NULL);
        CREATE UNLOGGED TABLE refreshable.interest (
            list bigint NOT NULL, node text NOT NULL, watchers bigint NOT NULL, is_wanted boolean NOT NULL,
            PRIMARY KEY (list, node));
        """,
        // Who wants to be notified. `written` is the transaction, by which servers find what is new. Removed ones stay for an
        // hour, without what is secret of them, so that all servers hear of it. `teller` is the server that has told `told`.
        """
        CREATE TABLE refreshable.subscriptions (
            list bytea NOT NULL, id bytea NOT NULL, endpoint bytea NOT NULL, public_key bytea NOT NULL,
            secret bytea NOT NULL, owner bytea NOT NULL, sign_in bigint, language bytea NOT NULL, site bytea NOT NULL,
            seen bigint NOT NULL, told bigint NOT NULL, teller text NOT NULL DEFAULT '', removed_at timestamptz,
            written bigint NOT NULL, PRIMARY KEY (list, id));
        CREATE INDEX subscriptions_by_transaction ON refreshable.subscriptions (written);
        CREATE TABLE refreshable.arrivals (
            list bytea PRIMARY KEY, epoch bigint, revision bigint NOT NULL, total bigint NOT NULL, key bytea, title bytea,
            written bigint NOT NULL);
        CREATE UNLOGGED TABLE refreshable.looks (
            list bytea NOT NULL, id bytea NOT NULL, until timestamptz NOT NULL, PRIMARY KEY (list, id));
        CREATE TABLE refreshable.notification_key (
            is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only), pem bytea NOT NULL);
        """,
    ]

    /// What brings a database from one version to the newest, in one transaction. Whoever comes second finds it done.
    static func migration(from found: Int) -> String {
        "BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '1min'; "
            + "SELECT pg_advisory_xact_lock(\(lock)); \(steps[found...].joined())"
            + "UPDATE refreshable.store SET version = \(version) WHERE version = \(found); COMMIT"
    }
}
