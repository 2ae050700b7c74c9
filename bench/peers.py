"""Measurements of peers that take more than one call."""

from functools import cache

from icepool import d


@cache
def to_the_death(attack: int, defence: int, faces: int = 10) -> float:
    """The chance that the attacker wins a battle of several exchanges, from icepool's odds of each."""
    if not attack or not defence:
        return float(attack > 0)
    pairs = min(attack, defence)
    won = d(faces).pool(attack).highest(pairs).sort_pair(">", d(faces).pool(defence).highest(pairs)).size()
    return float(
        sum(
            float(won.probability(falls)) * to_the_death(attack - (pairs - falls), defence - falls, faces)
            for falls in range(pairs + 1)
        )
    )
