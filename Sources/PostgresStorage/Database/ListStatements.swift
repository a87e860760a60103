/// The SQL of one list. Each is one statement, so that it sees the database at one moment and is done whole or not at all.
enum ListStatements {
    /// Makes the line of a list: $1 name, $2 epoch, $3 identity.
    static let create = """
        INSERT INTO refreshable.lists (name, epoch, identity) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING
        """

    /// Reads a list from a place on: $1 name, $2 epoch, $3 revision; `UpdateReader` takes its rows, of which the first column
    /// says what they are. The revision 0, or one that is not remembered, gives all.
    static let read = """
        WITH line AS MATERIALIZED (
            SELECT *, CASE WHEN epoch = $2 AND $3 BETWEEN floor AND revision THEN $3 ELSE 0 END AS since
            FROM refreshable.lists WHERE name = $1
        )
        SELECT 0::bigint, convert_to(identity, 'UTF8'), id, epoch, revision, floor, tag, checksum, runs, updated_at, stale_since, since,
            last_run FROM line
        UNION ALL
        SELECT 1, key, position, fields_revision, position_revision, rows.checksum, NULL, NULL, NULL, NULL, NULL, NULL,
            fields FROM line JOIN refreshable.rows ON rows.list = line.id AND rows.revision > line.since
        UNION ALL
        SELECT 2, key, tombstones.revision, removed_at, tombstones.checksum, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
            FROM line JOIN refreshable.tombstones ON tombstones.list = line.id AND tombstones.revision > line.since
        UNION ALL
        SELECT 3, key, begun_at, action_runs.checksum, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
            convert_to(run || ' ', 'UTF8') || state
            FROM line JOIN refreshable.action_runs ON action_runs.list = line.id WHERE line.since = 0
        UNION ALL
        SELECT 4, person, unread.checksum, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, keys
            FROM line JOIN refreshable.unread ON unread.list = line.id WHERE line.since = 0
        """

    /// Keeps what is newer than a revision, and facts: $1 list, $2 epoch, $3 revision, $4 identity; $5 the new revision, $6 floor,
    /// $7 tag, $8 the sum of the checksums of what is written; $9 to $12 facts; $13 to $18 rows, $19 to $22 tombstones, $23 to
    /// $27 runs of actions, $28 to $30 what people have not seen. One row where the list was there, else none.
    ///
    /// What is counted off the sum is as it was before the statement, and is that: whoever had changed it would have changed
    /// the revision with it.
    static let commit = """
        WITH former AS (
            SELECT coalesce((SELECT sum(checksum) FROM refreshable.rows WHERE list = $1 AND key = ANY ($13::bytea[] || $19)), 0)
                + coalesce((SELECT sum(checksum) FROM refreshable.tombstones
                    WHERE list = $1 AND (revision <= $6 OR key = ANY ($13 || $19))), 0) AS checksum
        ), line AS (
            UPDATE refreshable.lists SET revision = $5, floor = greatest(floor, $6),
                tag = CASE WHEN $5 > $3 THEN $7 ELSE tag END,
                checksum = lists.checksum + $8 - former.checksum,
                runs = greatest(runs, $9), updated_at = $10, stale_since = $11, last_run = $12
            FROM former WHERE id = $1 AND epoch = $2 AND revision = $3 AND identity = $4
            RETURNING id
        ), forgotten AS (
            DELETE FROM refreshable.tombstones USING line
            WHERE list = line.id AND (revision <= $6 OR key = ANY ($13)) AND NOT key = ANY ($19)
        ), removed AS (
            DELETE FROM refreshable.rows USING line WHERE list = line.id AND key = ANY ($19)
        ), placed AS (
            INSERT INTO refreshable.rows AS old (list, key, position, fields_revision, position_revision, fields, checksum)
            SELECT line.id, new.* FROM line,
                unnest($13::bytea[], $14::bigint[], $15::bigint[], $16::bigint[], $17::bytea[], $18::bigint[]) AS new
            ON CONFLICT (list, key) DO UPDATE SET position = excluded.position, fields = excluded.fields,
                fields_revision = excluded.fields_revision, position_revision = excluded.position_revision,
                checksum = excluded.checksum
        ), buried AS (
            INSERT INTO refreshable.tombstones (list, key, revision, removed_at, checksum)
            SELECT line.id, new.* FROM line, unnest($19::bytea[], $20::bigint[], $21::bigint[], $22::bigint[]) AS new
            ON CONFLICT (list, key) DO UPDATE SET revision = excluded.revision, removed_at = excluded.removed_at,
                checksum = excluded.checksum
        ), tagged AS (
            INSERT INTO refreshable.commits SELECT line.id, $5, $7 FROM line WHERE $5 > $3
        ), untagged AS (
            DELETE FROM refreshable.commits USING line WHERE list = line.id AND commits.revision <= $5 - \(remembered)
        ), \(additions)
        SELECT id FROM line
        """

    /// How many commits are known by their tags.
    static let remembered = 1000

    private static let additions = """
        acted AS (
            INSERT INTO refreshable.action_runs (list, key, run, begun_at, state, checksum)
            SELECT line.id, key, convert_from(run, 'UTF8'), begun_at, state, checksum FROM line,
                unnest($23::bytea[], $24::bytea[], $25::bigint[], $26::bytea[], $27::bigint[])
                    AS new (key, run, begun_at, state, checksum)
            ON CONFLICT (list, key) DO UPDATE SET run = excluded.run, begun_at = excluded.begun_at, state = excluded.state,
                checksum = excluded.checksum
        ), seen AS (
            INSERT INTO refreshable.unread (list, person, keys, checksum)
            SELECT line.id, new.* FROM line, unnest($28::bytea[], $29::bytea[], $30::bigint[]) AS new
            ON CONFLICT (list, person) DO UPDATE SET keys = excluded.keys, checksum = excluded.checksum
        )
        """

    /// Forgets runs of actions that are old: $1 list, $2 the oldest that is remembered, $3 how many are.
    static let forgetActionRuns = """
        DELETE FROM refreshable.action_runs WHERE list = $1 AND begun_at < greatest($2, coalesce(
            (SELECT begun_at FROM refreshable.action_runs WHERE list = $1 ORDER BY begun_at DESC LIMIT 1 OFFSET $3), 0))
        """

    /// Whether a commit is kept: $1 list, $2 epoch, $3 revision, $4 tag.
    static let find = """
        SELECT 1::bigint FROM refreshable.lists JOIN refreshable.commits ON commits.list = lists.id
        WHERE lists.id = $1 AND epoch = $2 AND commits.revision = $3 AND commits.tag = $4
        """

    /// Takes over a list of the database before it was started anew, for whoever finds there what it knows: $1 list, $2
    /// identity, $3 the one that is there, $4 revision, $5 tag.
    static let vouch = """
        UPDATE refreshable.lists SET identity = $2
        WHERE id = $1 AND identity = $3 AND revision >= $4 AND EXISTS (
            SELECT FROM refreshable.commits WHERE list = $1 AND commits.revision = $4 AND commits.tag = $5)
        RETURNING id
        """

    /// Gives a list a new epoch: $1 list, $2 identity, $3 epoch, $4 revision and $5 identity as they are, $6 the new epoch, $7
    /// the least revision that it is beyond, $8 tag.
    static let renew = """
        WITH line AS (
            UPDATE refreshable.lists SET epoch = $6, identity = $2, revision = greatest(revision, $7) + 1,
                floor = greatest(revision, $7) + 1, tag = $8, checksum = lists.checksum - coalesce(
                    (SELECT sum(tombstones.checksum) FROM refreshable.tombstones WHERE list = $1), 0)
            WHERE id = $1 AND epoch = $3 AND revision = $4 AND identity = $5
            RETURNING id, revision
        ), forgotten AS (DELETE FROM refreshable.tombstones USING line WHERE list = line.id),
        untagged AS (DELETE FROM refreshable.commits USING line WHERE list = line.id)
        SELECT id FROM line
        """
}
