/// The SQL that puts a whole list in the place of another, in one transaction of several statements.
enum ReplaceStatements {
    /// Waits as long as it takes for a statement, and for the transaction of another process that was killed meanwhile, until the
    /// database has noticed that.
    static let begin = "SET statement_timeout = 0; SET lock_timeout = 60000; BEGIN"

    /// Locks the line of a list until the end of the transaction: $1 name. Its number, revision and runs.
    static let lock = "SELECT id, revision, runs FROM refreshable.lists WHERE name = $1 FOR UPDATE"

    /// Deletes all that a list has beside its line: $1 list.
    static let empty = """
        WITH rows AS (DELETE FROM refreshable.rows WHERE list = $1),
        tombstones AS (DELETE FROM refreshable.tombstones WHERE list = $1),
        commits AS (DELETE FROM refreshable.commits WHERE list = $1),
        action_runs AS (DELETE FROM refreshable.action_runs WHERE list = $1),
        requests AS (DELETE FROM refreshable.requests WHERE list = $1)
        DELETE FROM refreshable.unread WHERE list = $1
        """

    /// Writes rows: $1 list, $2 to $7 columns.
    static let place = """
        INSERT INTO refreshable.rows (list, key, position, fields_revision, position_revision, fields, checksum)
        SELECT $1, new.* FROM unnest($2::bytea[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bytea[], $7::bigint[]) AS new
        """

    /// Writes runs of actions: $1 list, $2 to $6 columns.
    static let act = """
        INSERT INTO refreshable.action_runs (list, key, run, begun_at, state, checksum)
        SELECT $1, key, convert_from(run, 'UTF8'), begun_at, state, checksum
        FROM unnest($2::bytea[], $3::bytea[], $4::bigint[], $5::bytea[], $6::bigint[])
            AS new (key, run, begun_at, state, checksum)
        """

    /// Writes what people have not seen: $1 list, $2 to $4 columns.
    static let see = """
        INSERT INTO refreshable.unread (list, person, keys, checksum)
        SELECT $1, new.* FROM unnest($2::bytea[], $3::bytea[], $4::bigint[]) AS new
        """

    /// Begins the new history: $1 list, $2 epoch, $3 identity, $4 revision, $5 tag, $6 the sum of the checksums, $7 to $10 facts.
    /// Who has led the list leads it no more.
    static let end = """
        UPDATE refreshable.lists SET \(ListStatements.own), epoch = $2, identity = $3, revision = $4, floor = $4, tag = $5, checksum = $6, runs = $7,
            updated_at = $8, stale_since = $9, last_run = $10, leader = NULL, fence = fence + 1, state = NULL
        WHERE id = $1
        """
}
