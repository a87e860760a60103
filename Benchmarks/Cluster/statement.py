"""The statement of a commit as a node sends it, for pgbench: its text and a set of its values are taken from the server's log."""

import json
import re
import subprocess
import time
from dataclasses import dataclass

from nodes import set_all
from postgres_processes import PROGRAMS, as_ordinary_user

LOGGING = {"logging_collector": "on", "log_destination": "jsonlog", "log_parameter_max_length": -1}
# How the values that grow with each commit are made; all others are as they were logged. The numbers are those of
# `ListStatements.commit`.
CHANGING = {
    1: ":list", 3: ":revision", 5: ":next", 7: ":tag", 15: "ARRAY[:next::bigint]",
}  # fmt: skip
MICRO = 1e-6
SCRIPT = """
\\set list :first + :client_id + :client_count * (:round % :each)
\\set revision 1 + :round / :each
\\set next :revision + 1
\\set tag random(1, 1000000000)
\\set round :round + 1
{statement} \\gset
"""


@dataclass
class CommitStatement:
    """A commit of one row that was there before."""

    text: str
    values: dict[int, str | None]

    @classmethod
    def logged(cls, postgres, push):
        """What a node sends for a push."""
        set_all(postgres, {"log_statement": "all"})
        push()
        set_all(postgres, {"log_statement": "none"})
        logs = [file.read_text().splitlines() for file in (postgres.data / "log").glob("*.json")]
        entries = [json.loads(line) for log in logs for line in log if "UPDATE refreshable.lists SET revision" in line]
        text = re.sub(r"^execute \S+: ", "", entries[-1]["message"])
        values = re.findall(r"\$(\d+) = (?:(NULL)|'((?:[^']|'')*)')", entries[-1]["detail"])
        return cls(text, {int(number): None if null else value for number, null, value in values})

    def script(self, postgres):
        """For pgbench: each client has lists of its own, and commits to them in turn."""
        types = self._types(postgres)

        def value(match):
            number = int(match[1])
            if number in CHANGING:
                return f"({CHANGING[number]}::{types[number - 1]})"
            return f"({literal(self.values[number])}::{types[number - 1]})"

        return SCRIPT.format(statement=re.sub(r"\$(\d+)\b", value, self.text))

    def _types(self, postgres):
        """As PostgreSQL infers them. Where it can't, it is a number."""
        types = ["unknown"] * len(self.values)
        while True:
            prepare = f"PREPARE found ({', '.join(types)}) AS {self.text}"
            try:
                return json.loads(postgres.sql(f"{prepare}; SELECT array_to_json(parameter_types) FROM pg_prepared_statements"))
            except AssertionError as error:
                unknown = re.search(r"could not determine data type of parameter \$(\d+)", str(error))
                if not unknown or types[int(unknown[1]) - 1] == "bigint":
                    raise
                types[int(unknown[1]) - 1] = "bigint"


def literal(value):
    """As SQL has it, without a colon, for pgbench would take what follows it as the name of a variable."""
    if value is None:
        return "NULL"
    return f"'{value}'" if ":" not in value else "U&'" + value.replace("\\", "\\\\").replace(":", "\\003A") + "'"


class BenchLists:
    """Lists that no node knows, each a copy of one that a node has, for pgbench to commit to."""

    def __init__(self, postgres, name, count, statement):
        self.postgres, self.count = postgres, count
        self.file = postgres.folder / f"commit-{count}.sql"
        self.file.write_text(statement.script(postgres))
        columns = "epoch, identity, floor, tag, checksum, runs, updated_at, stale_since, last_run, leader, fence, state"
        # Whoever writes a line says so in it, where it has a column for that.
        self.written = ", written = pg_current_xact_id()::xid" if self._has("written") else ""
        self.first = int(postgres.sql(f"""
            WITH made AS (
                INSERT INTO refreshable.lists (name, {columns})
                SELECT convert_to('pgbench' || {count} || '-' || number, 'UTF8'), {columns}
                FROM refreshable.lists, generate_series(1, {count}) AS number WHERE name = '{name}' RETURNING id
            ), filled AS (
                INSERT INTO refreshable.rows (list, key, position, fields_revision, position_revision, fields, checksum)
                SELECT made.id, key, position, 1, 1, fields, rows.checksum FROM made,
                    refreshable.rows JOIN refreshable.lists ON lists.id = list WHERE name = '{name}'
            ) SELECT min(id) FROM made"""))  # fmt: skip

    def _has(self, column):
        return self.postgres.sql(f"""
            SELECT count(*) FROM information_schema.columns
            WHERE table_schema = 'refreshable' AND table_name = 'lists' AND column_name = '{column}'""") != "0"

    def transactions(self):
        """How many have changed any list so far. PostgreSQL counts them within a second."""
        time.sleep(1.2)
        return int(self.postgres.sql("SELECT n_tup_upd FROM pg_stat_user_tables WHERE relname = 'lists'"))

    def run(self, clients, seconds):
        """Commits a second, of so many clients. Each commit must have found its list as it left it."""
        return float(re.search(r"tps = ([\d.]+)", self._run(clients, seconds))[1])

    def times(self, clients, seconds, rate):
        """Seconds of each commit, from when it was due, at a fixed rate."""
        logs = self.postgres.folder / "commits"
        self._run(clients, seconds, "-R", rate, "--log", f"--log-prefix={logs}")
        lines = [line for file in logs.parent.glob("commits.*") for line in file.read_text().splitlines()]
        return [int(line.split()[2]) * MICRO for line in lines]

    def _run(self, clients, seconds, *options):
        mine = f"list BETWEEN {self.first} AND {self.first + self.count - 1}"
        self.postgres.sql(f"""
            UPDATE refreshable.lists SET revision = 1, floor = 0{self.written} WHERE {mine.replace('list', 'id')};
            UPDATE refreshable.rows SET fields_revision = 1 WHERE {mine};
            DELETE FROM refreshable.commits WHERE {mine}""")
        values = {"first": self.first, "client_count": clients, "each": self.count // clients, "round": 0}
        command = [
            PROGRAMS / "pgbench", "-n", "-M", "prepared", "-f", self.file, "-c", clients, "-j", min(2, clients), "-T", seconds, *options,
            *(word for name, value in values.items() for word in ("-D", f"{name}={value}")),
            "-h", self.postgres.folder, "-p", self.postgres.port, "-U", "app", "lists",
        ]  # fmt: skip
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, **as_ordinary_user())
        committed = int(self.postgres.sql(f"SELECT sum(revision - 1) FROM refreshable.lists WHERE {mine.replace('list', 'id')}"))
        processed = re.search(r"actually processed: (\d+)", done.stdout)
        if done.returncode or not processed or int(processed[1]) != committed:
            raise RuntimeError(f"pgbench made {committed} commits: {done.stdout[-500:]}{done.stderr[-500:]}")
        return done.stdout
