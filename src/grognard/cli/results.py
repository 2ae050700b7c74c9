"""Results as people read them: what is the same in all of them, and what is not."""

from collections.abc import Mapping, Sequence

from grognard.core.systems import Json

Place = tuple[str, ...]


def leaves(result: Json, above: Place = ()) -> dict[Place, str]:
    """Everything that a result says, by the keys that lead to it."""
    found: dict[Place, str] = {}
    for key, value in result.items():
        if isinstance(value, dict) and value:
            found |= leaves(value, (*above, str(key)))
        else:
            found[(*above, str(key))] = in_a_word(value)
    return found


def in_a_word(value: object) -> str:
    """`–` for nothing."""
    match value:
        case None | [] | {}:
            return "–"
        case bool():
            return "yes" if value else "no"
        case list():
            return ", ".join(in_a_word(part) for part in value)
    return str(value)


def headings(paths: Sequence[Place]) -> dict[Place, str]:
    """A heading for each place in a result, without the name of the table it is in where that is clear."""
    short = {path: " ".join(path[1:] or path) for path in paths}
    heads = list(short.values())
    return {path: head if heads.count(head) == 1 else " ".join(path) for path, head in short.items()}


def varying(results: Sequence[Mapping[Place, str]]) -> list[Place]:
    """The places at which the results differ."""
    first = results[0]
    return [path for path in first if any(result.get(path) != first[path] for result in results)]


def in_a_line(result: Mapping[Place, str], paths: Sequence[Place]) -> str:
    """`Red 1 · Blue 3 · possession Blue`."""
    heads = headings(paths)
    return " · ".join(f"{heads[path]} {result.get(path, '–')}" for path in paths)
