"""Decisions by seed: each actor draws from a stream of its own, so that no timing changes what it decides."""

import random
from dataclasses import dataclass


def stream(seed, *names):
    """The decisions of one actor. The same seed and names give the same ones on every machine."""
    return random.Random("/".join(map(str, (seed, *names))))


# What a person does next, and how often.
DEEDS = {
    "pull": 24,
    "release": 22,
    "cancel": 5,
    "refresh": 10,
    "stop": 6,
    "watch": 6,
    "look": 8,
    "unwatch": 4,
    "ping": 5,
    "digest": 4,
    "nonsense": 2,
    "leave": 3,
    "wait": 9,
}


@dataclass(frozen=True)
class Step:
    """One thing that a person does. How many numbers are drawn for it does not depend on what it is."""

    deed: str
    place: float
    """Which of the lists, as a part of their number."""
    offset: float
    pause: float
    """How long the person waits before it, in seconds."""
    is_sent_twice: bool
    luck: float
    """What the deed itself has to decide."""

    @classmethod
    def draw(cls, dice):
        deed = dice.choices(list(DEEDS), list(DEEDS.values()))[0]
        return cls(
            deed=deed, place=dice.random(), offset=round(dice.uniform(-20, 140), 1),
            pause=dice.expovariate(1 / 0.12), is_sent_twice=dice.random() < 0.15, luck=dice.random(),
        )  # fmt: skip


@dataclass(frozen=True)
class Line:
    """What befalls one connection on its way: where it is cut, and how it is read."""

    cut_down: int | None
    """After so many bytes from the server."""
    cut_up: int | None
    """After so many bytes to the server."""
    stall: float
    """Nothing is read from the server for so many seconds, again and again."""
    is_slow: bool
    resumes: bool
    says_hello: bool
    deflates: bool

    @classmethod
    def draw(cls, dice):
        kind = dice.random()
        cut = int(dice.paretovariate(0.6) * 200)
        stall = dice.uniform(0.2, 1.5)
        return cls(
            cut_down=cut if kind < 0.25 else None, cut_up=cut // 8 if 0.25 <= kind < 0.4 else None, stall=stall,
            is_slow=0.4 <= kind < 0.6, resumes=dice.random() < 0.9, says_hello=dice.random() < 0.8,
            deflates=dice.random() < 0.3,
        )  # fmt: skip
