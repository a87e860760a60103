/// The SQL of who wants to be notified. Each statement is done whole or not at all, and done twice it has the effect of once.
///
/// Lines of `subscriptions` are locked in one order before they are changed, so that no two servers wait for each other.
enum SubscriptionStatements {
    private static let transaction = "pg_current_xact_id()::text::bigint"

    /// Reads what was written by a transaction that was under way when this server read before, or began since: $1 the oldest of
    /// these, or 0 for all; $2 when that was, in milliseconds of the database's clock. The first column says what a row is.
    ///
    /// What is not seen yet was written by a transaction that is not over, and so is no older than `next`. What a dump has put back
    /// may have a number that is still to come: it is read with all, and not again each time.
    static let read = """
        WITH place AS MATERIALIZED (
            SELECT *, CASE WHEN since = 0 THEN \(Int64.max) ELSE pg_snapshot_xmax(pg_current_snapshot())::text::bigint END AS till
            FROM (SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS next,
                (extract(epoch FROM statement_timestamp()) * 1000)::bigint AS moment,
                CASE WHEN to_timestamp($2 / 1000.0) > statement_timestamp() - interval '30 min' THEN $1 ELSE 0 END AS since
            ) AS now
        )
        SELECT 0::bigint, next, moment, since, NULL::bytea, NULL::bytea, NULL::bytea, NULL::bytea, NULL::bytea, NULL::bytea,
            NULL::bytea, NULL::bytea, NULL::bytea FROM place
        UNION ALL
        SELECT CASE WHEN removed_at IS NULL THEN 1 ELSE 2 END, seen, told, NULL, list, id, endpoint, public_key, secret, owner,
            convert_to(sign_in::text, 'UTF8'), language, site
            FROM place JOIN refreshable.subscriptions ON written >= since AND written < till
            WHERE since > 0 OR removed_at IS NULL
        UNION ALL
        SELECT 3, revision, total, epoch, list, key, title, NULL, NULL, NULL, NULL, NULL, NULL
            FROM place JOIN refreshable.arrivals ON written >= since AND written < till
        """

    /// Keeps who asks: $1 lists, $2 ids, $3 endpoints, $4 and $5 keys, $6 owners, $7 signings in, $8 languages, $9 sites. They have
    /// seen, and were told, what has come so far; where they had asked before, what they had.
    ///
    /// A list of which nobody wanted to be told is counted from where it is now. Its line is there.
    static let subscribe = """
        WITH new AS MATERIALIZED (
            SELECT * FROM unnest($1::bytea[], $2::bytea[], $3::bytea[], $4::bytea[], $5::bytea[], $6::bytea[], $7::bytea[],
                $8::bytea[], $9::bytea[]) AS new (list, id, endpoint, public_key, secret, owner, sign_in, language, site)
        ), first AS (
            INSERT INTO refreshable.arrivals AS old (list, epoch, revision, total, written)
            SELECT DISTINCT new.list, epoch, revision, 0, \(transaction) FROM new JOIN refreshable.lists ON name = new.list
            ON CONFLICT (list) DO UPDATE SET epoch = excluded.epoch, revision = excluded.revision, written = excluded.written
                WHERE NOT EXISTS (
                    SELECT FROM refreshable.subscriptions AS others WHERE others.list = old.list AND removed_at IS NULL)
        )
        INSERT INTO refreshable.subscriptions AS old (
            list, id, endpoint, public_key, secret, owner, sign_in, language, site, seen, told, written)
        SELECT new.list, id, endpoint, public_key, secret, owner, nullif(convert_from(sign_in, 'UTF8'), '')::bigint, language,
            site, coalesce(total, 0), coalesce(total, 0), \(transaction)
            FROM new LEFT JOIN refreshable.arrivals USING (list) ORDER BY new.list, id
        ON CONFLICT (list, id) DO UPDATE SET endpoint = excluded.endpoint, public_key = excluded.public_key,
            secret = excluded.secret, owner = excluded.owner, sign_in = excluded.sign_in, language = excluded.language,
            site = excluded.site, removed_at = NULL, written = excluded.written,
            seen = CASE WHEN old.removed_at IS NULL THEN old.seen ELSE greatest(old.seen, excluded.seen) END,
            told = CASE WHEN old.removed_at IS NULL THEN old.told ELSE greatest(old.told, excluded.told) END,
            teller = CASE WHEN old.removed_at IS NULL THEN old.teller ELSE '' END
        """

    /// Keeps who asks no more: $1 lists, $2 ids.
    static let unsubscribe = """
        WITH locked AS MATERIALIZED (\(lock("unnest($1::bytea[], $2::bytea[]) AS new (list, id)")))
        UPDATE refreshable.subscriptions AS old SET endpoint = '', public_key = '', secret = '', owner = '', sign_in = NULL,
            site = '', removed_at = clock_timestamp(), written = \(transaction)
        FROM locked WHERE old.list = locked.list AND old.id = locked.id AND removed_at IS NULL
        """

    /// Keeps how much people have seen: $1 lists, $2 ids, $3 how many they have seen, $4 of how many they were told; $5 for how
    /// many milliseconds more they look, or −1 where they did not say. Who said so has seen what is counted, whichever server
    /// has counted it.
    static let see = """
        WITH new AS MATERIALIZED (
            SELECT * FROM unnest($1::bytea[], $2::bytea[], $3::bigint[], $4::bigint[], $5::bigint[])
                AS new (list, id, seen, told, looks)
        ), looked AS (
            INSERT INTO refreshable.looks SELECT list, id, clock_timestamp() + looks * interval '1 ms' FROM new
                WHERE looks >= 0 ORDER BY list, id
            ON CONFLICT (list, id) DO UPDATE SET until = excluded.until
        ), locked AS MATERIALIZED (\(lock("new"))), known AS (
            SELECT new.list, new.id, greatest(new.seen, counted) AS seen, greatest(new.told, counted) AS told
            FROM locked JOIN new USING (list, id), LATERAL (
                SELECT max(total) AS counted FROM refreshable.arrivals WHERE arrivals.list = new.list AND looks >= 0) AS arrived
        )
        UPDATE refreshable.subscriptions AS old SET seen = greatest(old.seen, known.seen), told = greatest(old.told, known.told),
            teller = CASE WHEN old.told < known.told THEN '' ELSE old.teller END, written = \(transaction)
        FROM known WHERE old.list = known.list AND old.id = known.id AND removed_at IS NULL
            AND (old.seen < known.seen OR old.told < known.told)
        """

    /// Keeps how many rows have come to lists that this server leads: $1 this server, $2 lists, $3 epochs, $4 revisions, $5 how many
    /// have come, $6 keys, empty for none, $7 titles, $8 whether there is one, as 0 and 1.
    ///
    /// A former leader changes nothing, and nothing goes back.
    static let count = """
        UPDATE refreshable.arrivals AS old SET epoch = new.epoch, revision = new.revision, total = greatest(old.total, new.total),
            key = nullif(new.key, ''), title = CASE WHEN has_title > 0 THEN new.title END, written = \(transaction)
        FROM unnest($2::bytea[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bytea[], $7::bytea[], $8::bigint[])
            AS new (list, epoch, revision, total, key, title, has_title)
        WHERE old.list = new.list AND (old.epoch IS DISTINCT FROM new.epoch OR old.revision <= new.revision)
            AND EXISTS (SELECT FROM refreshable.lists WHERE name = new.list AND leader = $1)
        """

    /// Keeps what people are told by this server: $1 this server, $2 lists, $3 ids, $4 how many they have seen, $5 of how many they
    /// are told. Of those that this server tells, list, id and how many they have seen; of those that look, list, id and for how
    /// many milliseconds more.
    ///
    /// Only who leads the list tells of it. It tells what it has written before: the answer may have been lost, and it asks only for
    /// what it has not sent.
    static let tell = """
        WITH new AS MATERIALIZED (
            SELECT * FROM unnest($2::bytea[], $3::bytea[], $4::bigint[], $5::bigint[]) AS new (list, id, seen, told)
        ), looking AS MATERIALIZED (
            SELECT list, id, until FROM refreshable.looks JOIN new USING (list, id) WHERE until > statement_timestamp()
        ), locked AS MATERIALIZED (\(lock("new"))), told AS (
            UPDATE refreshable.subscriptions AS kept SET seen = greatest(kept.seen, new.seen), told = new.told, teller = $1,
                written = \(transaction)
            FROM locked JOIN new USING (list, id)
            WHERE kept.list = new.list AND kept.id = new.id AND removed_at IS NULL
                AND (kept.told < new.told OR kept.told = new.told AND teller = $1)
                AND EXISTS (SELECT FROM refreshable.lists WHERE name = new.list AND leader = $1)
                AND NOT EXISTS (SELECT FROM looking WHERE looking.list = new.list AND looking.id = new.id)
            RETURNING kept.list, kept.id, kept.seen
        )
        SELECT list, id, seen, NULL::bigint FROM told
        UNION ALL
        SELECT list, id, NULL, (extract(epoch FROM until - statement_timestamp()) * 1000)::bigint + 1 FROM looking
        """

    /// The key by which push services know the servers.
    static let key = "SELECT pem FROM refreshable.notification_key"

    /// Keeps a key, if there is none: $1.
    static let makeKey = "INSERT INTO refreshable.notification_key (pem) VALUES ($1) ON CONFLICT DO NOTHING"

    /// Locks the subscriptions that are named, in order.
    private static func lock(_ names: String) -> String {
        """
        SELECT list, id FROM refreshable.subscriptions JOIN \(names) USING (list, id) ORDER BY list, id
            FOR UPDATE OF subscriptions
        """
    }
}
