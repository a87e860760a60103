"""What must hold of pushes: an acknowledged one is kept in its epoch, has its revision for itself, and only losses lose it."""

from collections import defaultdict

from cluster_history import Calm, Fault, Pushed, Seen


def acknowledged_pushes_are_kept(history):
    """In each content: of each key, the newest acknowledged write of that epoch, or one whose outcome nobody was told."""
    writes, lists = by_key(history)
    shown = defaultdict(list)
    for seen in history.of(Seen):
        if seen.list in lists:
            shown[seen.list, seen.epoch].append(seen)
    for (name, epoch), contents in shown.items():
        contents.sort(key=lambda seen: seen.revision)
        for key, pushes in writes[name].items():
            yield from key_is_kept(key, epoch, pushes, contents)


def key_is_kept(key, epoch, pushes, contents):
    acknowledged = sorted(
        ((push.acknowledged(epoch), push) for push in pushes if push.acknowledged(epoch) is not None), key=lambda one: one[0]
    )
    first_shown = {}
    for seen in contents:
        there = dict(seen.rows).get(key)
        before = [one for one in acknowledged if one[0] <= seen.revision]
        at, newest = before[-1] if before else (0, None)
        # Of removals nobody can tell which one it was.
        since = first_shown.setdefault(there, seen.revision) if there is not None else seen.revision
        yield "kept", is_explained(there, key, epoch, pushes, newest, at, seen, since), (
            lambda there=there, newest=newest, at=at, seen=seen:
            f"{seen.list} at {epoch}:{seen.revision}, shown to {seen.who}: {key} is {there}; acknowledged at {at} was {newest}"
        ), seen  # fmt: skip


def is_explained(there, key, epoch, pushes, newest, at, seen, since):
    """Whether some write may have put what is there."""
    if newest is not None and newest.effect[key] == there:
        return True
    if newest is None and there is None:
        return True
    for push in pushes:
        if push.effect[key] != there or push.at > seen.at:
            continue
        revision = push.acknowledged(epoch)
        if revision is None and newest is None:
            return True  # Of this epoch, or of the one that it began with.
        if revision is None and push.is_in_doubt and since > at:
            return True
    return False


def revisions_are_their_own(history):
    known = {}
    for push in history.of(Pushed):
        changes = any(text is not None for text in push.effect.values())
        for attempt in push.attempts:
            if attempt.status == 412:
                yield "revision", (attempt.epoch, attempt.revision) != push.condition, (
                    f"{attempt.node} refuses a push because the list is where it says: {push}"
                ), push
            if not attempt.is_done:
                continue
            if push.condition is not None:
                next_ = (push.condition[0], push.condition[1] + 1)
                is_next = (attempt.epoch, attempt.revision) in ([next_] if changes else [next_, push.condition])
                yield "revision", is_next, f"a push that was to follow {push.condition} is {attempt}", push
            if changes:
                other = known.setdefault((push.list, attempt.epoch, attempt.revision), push)
                yield "revision", other is push, f"{push} and {other} have one revision", push


def nothing_is_lost(history):
    """In a calm: no key is older than a write that was asked for after the last loss, and acknowledged."""
    writes, lists = by_key(history)
    losses = [fault for fault in history.of(Fault) if fault.loses]
    for calm in history.of(Calm):
        if calm.list not in lists:
            continue
        floor = max((loss.until for loss in losses if loss.at <= calm.at), default=0)
        rows = dict(next(iter(calm.shown.values()))[3])
        for key, pushes in writes[calm.list].items():
            done = [push for push in pushes if push.is_done and floor < push.at <= calm.at and push.finished <= calm.at]
            newest = max((push.at for push in done), default=None)
            if newest is None:
                continue
            there = rows.get(key)
            # Of concurrent ones, any may be the last.
            is_kept = any(
                push.effect[key] == there and push.finished >= newest and push.at <= calm.at for push in pushes
            )
            yield "lost", is_kept, f"{calm.list}: {key} is {there}; since the last loss was acknowledged: {done[-3:]}", calm


def by_key(history):
    """Pushes by list and key, and the lists whose rows only pushes write: they are called boards."""
    writes = defaultdict(lambda: defaultdict(list))
    for push in history.of(Pushed):
        for key in push.effect:
            writes[push.list][key].append(push)
    return writes, {name for name in writes if name.startswith("board")}
