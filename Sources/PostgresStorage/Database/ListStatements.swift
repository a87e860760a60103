/// The SQL of one list. Each is one statement, so that it sees the database at one moment and is done whole or not at all.
enum ListStatements {
    /// Says in a line which transaction has written it, and which one before.
    static let own = "written = pg_current_xact_id()::xid, previous = lists.written"
    /// Whether a server has written it where it is. What a dump has put back, or a hand has changed, is of another transaction than
    /// it says.
    private static let isOwn = "written = lists.xmin"
    /// The identity of the database whose history a line continues; empty: of none.
    private static let history = "CASE WHEN \(isOwn) THEN identity ELSE '' END"

    /// Makes the line of a list: $1 name, $2 epoch, $3 identity.
    static let create = """
        INSERT INTO refreshable.lists (name, epoch, identity) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING
        """

    /// Reads a list from a place on: $1 name, $2 epoch, $3 revision, $4 this server, $5 the keys of requests whose answers it waits
    /// for, $6 whether (1) it wants to know what everybody has not seen, or else $7 people of whom it knows that, $8 with which
    /// checksum; `UpdateReader` takes its rows, of which the first column says what they are. The revision 0, or one that is not
    /// remembered, gives all.
    static let read = """
        WITH line AS MATERIALIZED (
            SELECT *, lists.xmin::text::bigint AS version, \(history) AS history,
                CASE WHEN epoch = $2 AND $3 BETWEEN floor AND revision THEN $3 ELSE 0 END AS since
            FROM refreshable.lists WHERE name = $1
        )
        SELECT 0::bigint, convert_to(history, 'UTF8'), id, epoch, revision, floor, tag, checksum, runs, updated_at, stale_since, since,
            last_run FROM line
        UNION ALL
        SELECT 5, convert_to(coalesce(leader, ''), 'UTF8'), fence, (leader IS NOT NULL AND EXISTS (
            SELECT FROM refreshable.nodes WHERE node = leader AND alive_until > clock_timestamp()))::int, version,
            NULL, NULL, NULL, NULL, NULL, NULL, NULL, state FROM line
        UNION ALL
        SELECT 6, convert_to(node, 'UTF8'), watchers, is_wanted::int, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
            FROM line JOIN refreshable.interest ON interest.list = line.id JOIN refreshable.nodes USING (node)
            WHERE node <> $4 AND alive_until > clock_timestamp()
        UNION ALL
        SELECT 7, key, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, request
            FROM line JOIN refreshable.requests ON requests.list = line.id WHERE answer IS NULL
        UNION ALL
        SELECT 8, key, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, answer
            FROM line JOIN refreshable.requests ON requests.list = line.id AND key = ANY ($5) WHERE answer IS NOT NULL
        UNION ALL
        SELECT 1, key, position, fields_revision, position_revision, rows.checksum, NULL, NULL, NULL, NULL, NULL, NULL,
            fields FROM line JOIN refreshable.rows ON rows.list = line.id AND rows.revision > line.since
        UNION ALL
        SELECT 2, key, tombstones.revision, removed_at, tombstones.checksum, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
            FROM line JOIN refreshable.tombstones ON tombstones.list = line.id AND tombstones.revision > line.since
        UNION ALL
        SELECT 3, key, begun_at, action_runs.checksum, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
            convert_to(run || ' ', 'UTF8') || action_runs.state
            FROM line JOIN refreshable.action_runs ON action_runs.list = line.id
            WHERE line.since = 0 OR key = ANY ($5)
        UNION ALL
        SELECT 4, person, unread.checksum, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, keys
            FROM line JOIN refreshable.unread ON unread.list = line.id WHERE line.since = 0 OR $6 = 1
        UNION ALL
        SELECT 4, person, unread.checksum, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, keys
            FROM line, unnest($7::bytea[], $8::bigint[]) AS known (who, sum) JOIN refreshable.unread ON person = who
            WHERE unread.list = line.id AND sum <> unread.checksum
        """

    /// Keeps what is newer than a revision, and facts: $1 list, $2 epoch, $3 revision, $4 identity; $5 the new revision, or NULL,
    /// $6 floor, $7 tag, $8 the sum of the checksums of what is written; $9 to $12 facts; $13 to $18 rows, $19 to $22 tombstones,
    /// $23 to $27 runs of actions, $28 to $30 what people have not seen, $31 the fence of its leader, or NULL, $32 the leader's
    /// state, $33 and $34 answers to requests, $35 the keys that must not be answered yet. The version of the list's line, and
    /// the one before, where it was there, else no row.
    ///
    /// What is counted off the sum is as it was before the statement, and is that: whoever had changed it would have changed
    /// the revision with it.
    ///
    /// Rows are looked up key by key, and none where none is removed. For `key = ANY` it would go through all rows of a list that
    /// was just loaded, until it has counted them (autovacuum does, within a minute).
    static let commit = """
        WITH former AS (
            SELECT coalesce((SELECT sum((SELECT checksum FROM refreshable.rows WHERE list = $1 AND rows.key = changed.key))
                    FROM unnest($13::bytea[] || $19) AS changed (key)), 0)
                + coalesce((SELECT sum(checksum) FROM refreshable.tombstones
                    WHERE list = $1 AND (revision <= $6 OR key = ANY ($13 || $19))), 0) AS checksum
        ), line AS (
            UPDATE refreshable.lists SET revision = coalesce($5, revision), floor = greatest(floor, $6),
                tag = CASE WHEN $5 IS NULL THEN tag ELSE $7 END, checksum = lists.checksum + $8 - former.checksum,
                runs = CASE WHEN $31 IS NULL THEN runs ELSE greatest(runs, $9) END,
                updated_at = CASE WHEN $31 IS NULL THEN updated_at ELSE $10 END,
                stale_since = CASE WHEN $31 IS NULL THEN stale_since ELSE $11 END,
                last_run = CASE WHEN $31 IS NULL THEN last_run ELSE $12 END,
                state = CASE WHEN $31 IS NULL THEN state ELSE $32 END, \(own)
            FROM former WHERE id = $1 AND \(isOwn) AND epoch = $2 AND identity = $4 AND ($5 IS NULL OR revision = $3)
                AND ($31 IS NULL OR fence = $31) AND NOT EXISTS (
                    SELECT FROM refreshable.requests WHERE list = $1 AND key = ANY ($35) AND answer IS NOT NULL)
            RETURNING id, previous
        ), forgotten AS (
            DELETE FROM refreshable.tombstones USING line
            WHERE list = line.id AND (revision <= $6 OR key = ANY ($13)) AND NOT key = ANY ($19)
        ), removed AS (
            DELETE FROM refreshable.rows USING line WHERE list = line.id AND key = ANY ($19) AND cardinality($19) > 0
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
            INSERT INTO refreshable.commits SELECT line.id, $5, $7 FROM line WHERE $5 IS NOT NULL
        ), untagged AS (
            DELETE FROM refreshable.commits USING line WHERE list = line.id AND commits.revision <= $5 - \(remembered)
        ), \(additions)
        SELECT pg_current_xact_id()::xid::text::bigint, previous::text::bigint FROM line
        """

    /// How many run numbers a new epoch skips. A backup that is put back may be a week old: 604,800 runs at one a second.
    static let skippedRuns = 1_000_000
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
        ), answered AS (
            INSERT INTO refreshable.requests AS old (list, key, answer)
            SELECT line.id, new.* FROM line, unnest($33::bytea[], $34::bytea[]) AS new
            ON CONFLICT (list, key) DO UPDATE SET answer = excluded.answer WHERE old.answer IS NULL
        )
        """

    /// Asks the leader of a list, and wakes it: $1 list, $2 this server, $3 how many watch here, $4 keys, $5 requests, $6 the notice.
    /// How many of them were not asked before.
    ///
    /// It waits for no disk, as what is lost is asked again, so the notice can be of the same transaction.
    static let ask = """
        WITH interested AS (
            INSERT INTO refreshable.interest VALUES ($1, $2, $3, true)
            ON CONFLICT (list, node) DO UPDATE SET watchers = excluded.watchers, is_wanted = true
        ), asked AS (
            INSERT INTO refreshable.requests (list, key, request)
            SELECT $1, new.* FROM unnest($4::bytea[], $5::bytea[]) AS new
            ON CONFLICT (list, key) DO NOTHING RETURNING key
        )
        SELECT (SELECT count(*) FROM asked), pg_notify('\(NoticeChannel.name)', $6),
            set_config('synchronous_commit', 'off', true)
        """

    /// Makes this server the leader of a list that has none, or one whose server is gone: $1 list, $2 this server, $3 identity,
    /// $4 the epoch in which it knows it. The new fence, or no row.
    ///
    /// The time is the database's, and taken when the line is had.
    static let lead = """
        UPDATE refreshable.lists SET leader = $2, fence = fence + 1, \(own)
        WHERE id = $1 AND \(isOwn) AND identity = $3 AND epoch = $4
            AND (leader IS NULL OR NOT EXISTS (
                SELECT FROM refreshable.nodes WHERE node = leader AND node <> $2 AND alive_until > clock_timestamp()))
            AND EXISTS (SELECT FROM refreshable.nodes WHERE node = $2 AND alive_until > clock_timestamp())
        RETURNING fence
        """

    /// This server leads a list no more: $1 list, $2 this server.
    static let resign = """
        UPDATE refreshable.lists SET leader = NULL, \(own) WHERE id = $1 AND \(isOwn) AND leader = $2 RETURNING id
        """

    /// Says that this server is there, and what it is interested in, and looks at the lists that it has: $1 this server, $2 lists,
    /// $3 how many watch each here, $4 of which a run is wanted here, as 0 and 1. How far the log is, and of each list its number
    /// and what changes when something does; once without a list, where there is none.
    static let look = """
        WITH me AS (
            INSERT INTO refreshable.nodes VALUES ($1, clock_timestamp() + interval '5 s')
            ON CONFLICT (node) DO UPDATE SET alive_until = excluded.alive_until
        ), mine AS MATERIALIZED (
            SELECT * FROM unnest($2::bigint[], $3::bigint[], $4::bigint[]) AS new (list, watchers, wanted)
        ), interested AS (
            INSERT INTO refreshable.interest SELECT list, $1, watchers, wanted > 0 FROM mine
            ON CONFLICT (list, node) DO UPDATE SET watchers = excluded.watchers, is_wanted = excluded.is_wanted
            WHERE interest.watchers <> excluded.watchers OR interest.is_wanted <> excluded.is_wanted
        )
        SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint, lists.id, lists.xmin::text::bigint,
            (SELECT count(*) FROM refreshable.requests WHERE requests.list = lists.id AND answer IS NULL),
            (SELECT coalesce(sum(interest.watchers + 1000003 * is_wanted::int), 0)::bigint FROM refreshable.interest
                JOIN refreshable.nodes USING (node)
                WHERE interest.list = lists.id AND node <> $1 AND alive_until > clock_timestamp()),
            (SELECT count(*) FROM refreshable.nodes WHERE node = leader AND alive_until > clock_timestamp())
        FROM (SELECT) AS here LEFT JOIN (mine JOIN refreshable.lists ON lists.id = mine.list) ON true
        """

    /// What is no longer needed: answers after ten minutes, servers after a minute, subscriptions that have ended after an hour.
    static let tidy = """
        WITH answers AS (DELETE FROM refreshable.requests WHERE asked_at < clock_timestamp() - interval '10 min'),
        gone AS (DELETE FROM refreshable.nodes WHERE alive_until < clock_timestamp() - interval '1 min' RETURNING node),
        ended AS (DELETE FROM refreshable.subscriptions WHERE removed_at < clock_timestamp() - interval '1 h'),
        looked AS (DELETE FROM refreshable.looks WHERE until < clock_timestamp() - interval '1 min')
        DELETE FROM refreshable.interest USING gone WHERE interest.node = gone.node RETURNING 1::bigint
        """

    /// This server is gone: $1. The lists that it led.
    static let leave = """
        WITH gone AS (DELETE FROM refreshable.nodes WHERE node = $1),
        nothing AS (DELETE FROM refreshable.interest WHERE node = $1)
        UPDATE refreshable.lists SET leader = NULL, \(own) WHERE leader = $1 AND \(isOwn) RETURNING id
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
        UPDATE refreshable.lists SET identity = $2, \(own)
        WHERE id = $1 AND \(isOwn) AND identity = $3 AND revision >= $4 AND EXISTS (
            SELECT FROM refreshable.commits WHERE list = $1 AND commits.revision = $4 AND commits.tag = $5)
        RETURNING id
        """

    /// Gives a list a new epoch: $1 list, $2 identity, $3 epoch, $4 revision and $5 identity as they are, $6 the new epoch, $7
    /// the least revision that it is beyond, $8 tag.
    ///
    /// Of runs whose numbers people were told, some may be lost: the numbers of the next ones are beyond all those.
    static let renew = """
        WITH line AS (
            UPDATE refreshable.lists SET epoch = $6, identity = $2, \(own), revision = greatest(revision, $7) + 1,
                floor = greatest(revision, $7) + 1, runs = runs + \(skippedRuns), tag = $8, checksum = lists.checksum - coalesce(
                    (SELECT sum(tombstones.checksum) FROM refreshable.tombstones WHERE list = $1), 0)
            WHERE id = $1 AND epoch = $3 AND revision = $4 AND \(history) = $5
            RETURNING id, revision
        ), forgotten AS (DELETE FROM refreshable.tombstones USING line WHERE list = line.id),
        untagged AS (DELETE FROM refreshable.commits USING line WHERE list = line.id)
        SELECT id FROM line
        """
}
