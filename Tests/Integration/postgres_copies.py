"""Copies of a PostgreSQL server's data folder: a standby that follows, a cold copy, a base backup, and what is put back."""

import shutil

from postgres_processes import remove_shared_memory, run_program


class Copies:
    """What a PostgresServer does with its data folder. All of it belongs to the ordinary user, so programs do the work."""

    # MARK: Following

    def follow(self, primary):
        """Becomes an asynchronous standby of another server: whatever was in its data folder is gone."""
        self.wipe()
        run_program("pg_basebackup", "-R", "-D", self.data, "-X", "stream", "-c", "fast", "--no-sync", *primary.asked_by_socket)
        self.primary = primary
        self.start()

    @property
    def asked_by_socket(self):
        return "-h", self.folder, "-p", self.port, "-U", "postgres"

    # MARK: Copies

    def cold_copy(self, how="fast"):
        """Stops it, copies its data folder, and starts it again: gives the copy. `immediate` copies what a crash leaves."""
        self.stop(how)
        copy = self.next_copy()
        run_program("cp", "-a", self.data, copy)
        self.start()
        return copy

    def put_back(self, copy):
        """An older copy takes the place of the data. Neither the system's identifier nor the timeline tells."""
        self.wipe()
        run_program("cp", "-a", copy, self.data)
        self.start()

    def base_backup(self):
        """A copy that is taken while it runs."""
        copy = self.next_copy()
        run_program("pg_basebackup", "-D", copy, "-X", "stream", "-c", "fast", "--no-sync", *self.asked_by_socket)
        return copy

    def restore(self, backup, *, knows_timelines=True):
        """A restore in time: the data is that of a base backup, on a new timeline.

        A number of a timeline that was used meanwhile is passed over if `knows_timelines`, as with an archive of the log;
        without one, it is used once more.
        """
        self.stop()
        history = self.folder / "history"
        run_program("mkdir", "-p", history)
        if files := [*(self.data / "pg_wal").glob("*.history")]:
            run_program("cp", *files, history)
        self.wipe()
        run_program("cp", "-a", backup, self.data)
        source = f"cp '{history}/%f' '%p'" if knows_timelines else "false"
        settings = f"restore_command = '{source.replace(chr(39), chr(39) * 2)}'\nrecovery_target_timeline = 'current'\n"
        run_program("sh", "-c", f"cat >> '{self.data}/postgresql.auto.conf' <<'END'\n{settings}END")
        run_program("touch", self.data / "recovery.signal")
        self.start()
        self.await_end_of_recovery()

    def await_end_of_recovery(self):
        """It can be read while it recovers, and is a primary a moment later."""
        if self.sql(
            "DO $$ BEGIN FOR round IN 1..2000 LOOP EXIT WHEN NOT pg_is_in_recovery(); PERFORM pg_sleep(0.01); END LOOP; END $$;"
            "SELECT pg_is_in_recovery()", database="postgres", user="postgres",
        ) != "f":  # fmt: skip
            raise self.fault("the restore did not end within 20 s")

    def next_copy(self):
        self.copies += 1
        return self.folder / f"copy-{self.copies}"

    def wipe(self):
        """Ends it, and removes its data."""
        self.kill()
        remove_shared_memory(self.data)
        shutil.rmtree(self.data, ignore_errors=True)
