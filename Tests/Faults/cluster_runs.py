"""What must hold of runs and of what their handlers wrote: one effective execution each, and never one after a later run's."""

from collections import defaultdict

from cluster_history import Executed, Patched, Seen, execution_in


def patches_follow_their_runs(history):
    """The rows of a run come from one execution, those of an execution are in one run, and runs write one after the other."""
    executions, runs, patches = {}, {}, defaultdict(list)
    for patch in history.of(Patched):
        patches[patch.list, patch.epoch].append(patch)
        for mark in patch.executions:
            known = executions.setdefault((patch.list, patch.epoch, patch.run), mark)
            yield "effective", known == mark, (
                f"{patch.list} {patch.epoch} r{patch.run} has rows of two executions, {known} and {mark}"
            ), patch
            known = runs.setdefault((patch.list, patch.epoch, mark), patch.run)
            yield "effective", known == patch.run, (
                f"{patch.list} {patch.epoch}: the execution {mark} has written for r{known} and for r{patch.run}"
            ), patch
    for of_epoch in patches.values():
        of_epoch.sort(key=lambda patch: patch.revision)
        for one, other in zip(of_epoch, of_epoch[1:], strict=False):
            yield "fenced", one.run <= other.run, (
                f"{other.list} {other.epoch}: r{other.run} wrote revision {other.revision}, after r{one.run} wrote {one.revision}"
            ), other


def executions_write_in_order(history):
    """By what contents hold: an execution that began before another writes nothing once that one has written."""
    begun = {(one.list, one.who): one.begun for one in history.of(Executed)}
    shown = defaultdict(list)
    for seen in history.of(Seen):
        shown[seen.list, seen.epoch].append(seen)
    for (name, _), contents in shown.items():
        contents.sort(key=lambda seen: seen.revision)
        held, newest = set(), None
        for seen in contents:
            marks = {(key, mark) for key, text in seen.rows if (mark := execution_in(text))}
            written = {mark for _, mark in marks - held if (name, mark) in begun}
            held |= marks
            for mark in written:
                is_in_order = newest is None or begun[name, mark] >= begun[name, newest]
                yield "fenced", is_in_order, (
                    f"{name} at {seen.epoch}:{seen.revision}: a row of {mark}, begun at {begun[name, mark]}, is new after rows "
                    f"of {newest}, begun at {newest and begun[name, newest]}"
                ), seen
            newest = max(written | ({newest} - {None}), key=lambda mark: begun[name, mark], default=None)
