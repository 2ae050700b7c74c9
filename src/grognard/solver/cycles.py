"""Circles of rolls: positions that can come round to themselves through others, solved by elimination."""

from collections.abc import Sequence

from grognard.core.distributions import Probability
from grognard.core.errors import Endless

Rolls = dict[int, dict[int, Probability]]


def unwind(rolls: Rolls, children: Sequence[tuple[int, ...]], start: int) -> list[int]:
    """Rewrite, in place, every circle of rolls into rolls that lead straight out of it.

    Each roll of a circle is in turn replaced, wherever the later ones lead to it, by what it leads to: Gaussian
    elimination. Returns all places reached from the start, parents first. A circle that goes through a
    decision has no such solution and is refused.
    """
    for circle in _circles(children, start):
        members = set(circle)
        if not members <= rolls.keys():
            raise Endless("a decision that can lead back to itself: exact odds need a battle that moves on")
        for done, place in enumerate(circle):
            _roll_again_until_elsewhere(place, rolls[place])
            for later in circle[done + 1 :]:
                _replace(rolls[later], place, rolls[place])
    return _parents_first(
        [tuple(rolls[place]) if place in rolls else ways for place, ways in enumerate(children)], start
    )


def _roll_again_until_elsewhere(place: int, towards: dict[int, Probability]) -> None:
    if towards.pop(place, None) is not None:
        left = sum(towards.values())
        if not left:
            raise Endless("rolls that always lead back to themselves")
        for child in towards:
            towards[child] /= left


def _replace(towards: dict[int, Probability], place: int, by: dict[int, Probability]) -> None:
    share = towards.pop(place, None)
    if share is not None:
        for child, probability in by.items():
            towards[child] = towards.get(child, 0) + share * probability


def _parents_first(children: Sequence[tuple[int, ...]], start: int) -> list[int]:
    """All places reached from the start; each comes after those that lead to it."""
    finished: list[int] = []
    seen: set[int] = {start}
    stack = [(start, iter(children[start]))]
    while stack:
        place, ways = stack[-1]
        for child in ways:
            if child not in seen:
                seen.add(child)
                stack.append((child, iter(children[child])))
                break
        else:
            stack.pop()
            finished.append(place)
    return finished[::-1]


def _circles(children: Sequence[tuple[int, ...]], start: int) -> list[list[int]]:
    """Sets of places that all lead to each other, or one that leads to itself.

    Kosaraju's way: a walk forwards, then one backwards in the order of the first.
    """
    order = _parents_first(children, start)
    parents: dict[int, list[int]] = {place: [] for place in order}
    for place in order:
        for child in children[place]:
            parents[child].append(place)
    circles: list[list[int]] = []
    seen: set[int] = set()
    for root in order:
        if root in seen:
            continue
        seen.add(root)
        circle = [root]
        for place in circle:  # grows while it is walked
            for parent in parents[place]:
                if parent not in seen:
                    seen.add(parent)
                    circle.append(parent)
        if len(circle) > 1 or root in children[root]:
            circles.append(circle)
    return circles
