"""What every frame from a server must look like: its members, their types and values, by the document."""

import json
import math

ANY = "*"


class WrongFrame(AssertionError):
    """A frame that the document does not allow."""


def whole(value):
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53


def number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def text(value):
    return isinstance(value, str)


def name(value):
    return isinstance(value, str) and value != ""


def truth(value):
    return isinstance(value, bool)


def among(*values):
    return lambda value: value in values


def each(of):
    return lambda value: isinstance(value, list) and all(of(member) for member in value)


def shape(required, optional=None):
    """An object with exactly these members, some of which may be missing."""

    def matches(value):
        try:
            check_members("", value, required, optional or {})
        except WrongFrame:
            return False
        return True

    return matches


def check_members(what, value, required, optional):
    if not isinstance(value, dict):
        raise WrongFrame(f"{what} is not an object: {value!r}")
    for member in required:
        if member not in value:
            raise WrongFrame(f"{what} lacks '{member}': {json.dumps(value)}")
    for member, content in value.items():
        rule = required.get(member) or optional.get(member)
        if rule is None:
            raise WrongFrame(f"{what} has '{member}', which the document does not know: {json.dumps(value)}")
        if not rule(content):
            raise WrongFrame(f"{what} has a wrong '{member}' {content!r}: {json.dumps(value)}")


CHANGES = shape({"inserted": whole, "changed": whole, "moved": whole, "removed": whole})
ERROR = shape({"code": name, "message": name}, {"values": each(text), "retryAfter": whole})
LAST = shape(
    {
        "run": name,
        "outcome": among("success", "failure", "timeout", "cancelled"),
        "duration": number,
        "changes": CHANGES,
    },
    {"error": ERROR, "cause": among("more")},
)
PULL = shape(
    {
        "trigger": among("release", "return", "crossing"),
        "threshold": number, "minimum": number, "hold": number, "hysteresis": number,
    },
    {"haptics": truth, "indicator": text, "texts": lambda value: isinstance(value, dict)},
)  # fmt: skip
FORMS = lambda value: isinstance(value, dict) and all(map(text, value.values())) and "other" in value  # noqa: E731
NOUN = lambda value: isinstance(value, dict) and all(map(FORMS, value.values()))  # noqa: E731
SECTION = lambda value: isinstance(value, dict) and len(value) == 1 and all(key in ("day", "field") and name(value[key]) for key in value)  # noqa: E731
POSITION = lambda value: whole(value) and value > 0  # noqa: E731
ROW = shape({"key": name, "position": POSITION}, {"fields": lambda value: isinstance(value, dict)})
CAUSE = among("initial", "pull", "refresh", "code", "timer", "more")
REASON = among("belowThreshold", "tooSoon", "refused", "spent", "exhausted", "gone")
EFFECT = lambda value: value == "remove" or isinstance(value, dict)  # noqa: E731
ACTION = shape({"name": name, "title": name}, {"effect": EFFECT, "undo": among(True), "destructive": among(True)})
# A list without actions says nothing of them.
ACTIONS = lambda value: each(ACTION)(value) and len({one["name"] for one in value}) == len(value) > 0  # noqa: E731
CODE = among(
    "badJSON", "badType", "badField", "tooLarge", "unknownList", "unknownRow", "notWatching", "notRefreshable", "tooManyLists",
    "rateLimited", "unauthorised", "forbidden", "unavailable", "internal",
)  # fmt: skip

PRIVATE_STATE = (
    {"list": name, "phase": among("waiting", "primed", "loading", "closing"), "gesture": whole,
     "progress": lambda value: number(value) and 0 <= value <= 1},
    {},
)  # fmt: skip
LIST_STATE = (
    {"list": name, "phase": among("waiting", "loading", "closing")},
    {"run": name, "cause": CAUSE, "startedAt": whole, "updatedAt": whole, "staleSince": whole, "more": truth, "last": LAST},
)

FRAMES = {
    "welcome": (
        {"protocol": among("refreshable.v1"), "session": name, "now": whole, "heartbeat": whole,
         "limits": lambda value: isinstance(value, dict) and all(number(member) for member in value.values())},
        {},
    ),
    "ok": (
        {},
        {"id": name, "list": name, "begin": among("snapshot", "resume", "live"), "epoch": name, "revision": whole,
         "count": whole, "first": whole, "total": whole, "searching": among(True), "crc32": whole, "title": name, "refreshable": truth, "pull": PULL, "noun": NOUN,
         "section": SECTION,
         "actions": ACTIONS, "unread": truth,
         "run": lambda value: value is None or name(value), "joined": truth, "reason": REASON, "message": text,
         "session": name, "resumed": truth},
    ),
    "snapshot": (
        {"list": name, "epoch": name, "revision": whole, "rows": each(ROW), "last": truth}, {"first": whole, "total": whole, "searching": among(True)}
    ),
    "patch": (
        {"list": name, "epoch": name, "from": whole, "revision": whole, "last": truth},
        {"set": each(ROW), "remove": each(name), "run": name, "count": whole, "first": whole, "total": whole},
    ),
    "progress": ({"list": name, "run": name, "completed": whole}, {"total": whole, "note": text}),
    "act": (
        {"list": name, "run": name, "action": name, "row": name, "phase": among("loading", "closing")},
        {"undoes": name, "completed": whole, "total": whole, "note": text,
         "outcome": among("success", "failure", "timeout", "cancelled"), "revision": whole, "undo": POSITION, "error": ERROR},
    ),
    "error": (
        {"code": CODE, "message": name, "retry": among("never", "now", "later")},
        {"id": name, "after": whole, "list": name},
    ),
    "settings": ({"list": name, "title": name, "refreshable": truth, "pull": PULL}, {"noun": NOUN, "section": SECTION, "actions": ACTIONS, "unread": truth}),
    "unread": ({"list": name, "keys": each(name)}, {}),
    "unwatched": (
        {"list": name, "code": CODE, "message": name, "retry": among("never", "now", "later")}, {"after": whole}
    ),
    "goodbye": (
        {"code": whole, "message": name, "reconnect": truth},
        {"after": lambda value: isinstance(value, list) and len(value) == 2 and all(map(whole, value))},
    ),
}  # fmt: skip


def check(frame):
    """Fails if this frame is not one that the document describes."""
    if not isinstance(frame, dict) or not isinstance(frame.get("type"), str):
        raise WrongFrame(f"not an object with a type: {frame!r}")
    kind = frame["type"]
    members = {member: value for member, value in frame.items() if member != "type"}
    if kind == "state":
        required, optional = PRIVATE_STATE if "gesture" in frame else LIST_STATE
        check_members("a state", members, required, optional)
        if "gesture" not in frame:
            check_list_state(frame)
        return
    if kind not in FRAMES:
        raise WrongFrame(f"the document knows no frame of type '{kind}'")
    check_members(f"'{kind}'", members, *FRAMES[kind])
    if kind in ("snapshot", "patch", "ok") and ("first" in frame) != ("total" in frame):
        raise WrongFrame(f"'first' and 'total' go with each other: {frame}")
    if frame.get("searching") and "total" not in frame:
        raise WrongFrame(f"only what is found in a window may be incomplete: {frame}")
    if kind == "snapshot" and "total" not in frame and any("fields" not in row for row in frame["rows"]):
        raise WrongFrame(f"a row without fields in a snapshot that is of no window: {frame}")
    if kind == "patch":
        check_patch(frame)
    if kind == "ok":
        check_ok(frame)
    if kind == "act":
        check_act(frame)
    if kind == "error" and "after" in frame and frame["retry"] != "later":
        raise WrongFrame(f"'after' goes with retry 'later' alone: {frame}")


def check_list_state(frame):
    if frame["phase"] == "loading":
        for member in ("run", "cause", "startedAt"):
            if member not in frame:
                raise WrongFrame(f"loading lacks '{member}': {frame}")
    if frame["phase"] == "closing" and not ("run" in frame and frame.get("last")):
        raise WrongFrame(f"closing lacks its run and what came of it: {frame}")
    last = frame.get("last")
    if last and last["outcome"] == "failure" and "error" not in last:
        raise WrongFrame(f"a failure without an error: {frame}")
    if last and last["outcome"] == "success" and "error" in last:
        raise WrongFrame(f"a success with an error: {frame}")


def check_patch(frame):
    if frame["revision"] < frame["from"]:
        raise WrongFrame(f"a patch that leads back: {frame}")
    if frame["last"] and "count" not in frame:
        raise WrongFrame(f"the last part of a patch lacks 'count': {frame}")
    both = {row["key"] for row in frame.get("set", [])} & set(frame.get("remove", []))
    if both:
        raise WrongFrame(f"a key that is set and removed: {both}")


def check_ok(frame):
    if "begin" in frame:
        for member in ("list", "epoch", "revision", "count", "title", "refreshable"):
            if member not in frame:
                raise WrongFrame(f"the ok to a watch lacks '{member}': {frame}")
    if "crc32" in frame:
        for member in ("list", "epoch", "revision", "count"):
            if member not in frame:
                raise WrongFrame(f"the ok to a digest lacks '{member}': {frame}")
    if "run" in frame:
        wanted = "reason" if frame["run"] is None else "joined"
        if wanted not in frame:
            raise WrongFrame(f"an ok with this run lacks '{wanted}': {frame}")


def check_act(frame):
    """Each phase has members of its own."""
    if frame["phase"] == "loading":
        required, others = {"completed"}, {"outcome", "revision", "undo", "error"}
    else:
        required, others = {"outcome"}, {"completed", "total", "note"}
    for member in required - set(frame):
        raise WrongFrame(f"an act in the phase {frame['phase']} lacks '{member}': {frame}")
    for member in others & set(frame):
        raise WrongFrame(f"an act in the phase {frame['phase']} has '{member}': {frame}")
    if frame["phase"] == "loading":
        return
    is_success = frame["outcome"] == "success"
    if is_success != ("revision" in frame) or "undo" in frame and not is_success:
        raise WrongFrame(f"a success has the revision of its effect, and alone can be undone: {frame}")
    if ("error" in frame) != (frame["outcome"] in ("failure", "timeout")):
        raise WrongFrame(f"what went wrong has an error, and nothing else: {frame}")
    if "undo" in frame and "undoes" in frame:
        raise WrongFrame(f"an undoing that can be undone: {frame}")


def matches(frame, pattern):
    """Whether a frame has at least what the pattern has; ANY is any value."""
    if pattern == ANY:
        return True
    if isinstance(pattern, dict):
        return isinstance(frame, dict) and all(
            member in frame and matches(frame[member], value) for member, value in pattern.items()
        )
    if isinstance(pattern, list):
        return isinstance(frame, list) and len(frame) == len(pattern) and all(map(matches, frame, pattern))
    return type(frame) is type(pattern) and frame == pattern or number(frame) and number(pattern) and frame == pattern
