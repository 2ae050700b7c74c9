"""Cycles: positions that can be reached again from themselves. Elimination solves each strongly connected component."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence

from grognard.core.distributions import Probability

Children = Sequence[tuple[int, ...]]


def strongly_connected(children: Children, start: int) -> list[list[int]]:
    """The strongly connected components of a graph, parents before children (Tarjan's algorithm)."""
    components: list[list[int]] = []
    entered: dict[int, int] = {start: 0}
    lowest: dict[int, int] = {start: 0}
    path, on_path = [start], {start}
    stack = [(start, iter(children[start]))]
    while stack:
        number, rest = stack[-1]
        for child in rest:
            if child not in entered:
                entered[child] = lowest[child] = len(entered)
                path.append(child)
                on_path.add(child)
                stack.append((child, iter(children[child])))
                break
            if child in on_path:
                lowest[number] = min(lowest[number], entered[child])
        else:
            stack.pop()
            if stack:
                parent = stack[-1][0]
                lowest[parent] = min(lowest[parent], lowest[number])
            if lowest[number] == entered[number]:
                place = bisect_left(path, entered[number], key=entered.__getitem__)
                components.append(sorted(path[place:]))
                on_path.difference_update(path[place:])
                del path[place:]
    return components[::-1]


class Elimination:
    """The members of a cycle, eliminated one after the other: what remains of each row leads on or out.

    Each row says how likely a member leads to each node. Probabilities are only added, multiplied and divided, never
    subtracted, so that floats keep their digits (the algorithm of Grassmann, Taksar and Heyman).
    """

    def __init__(self, rows: Mapping[int, Mapping[int, Probability]]) -> None:
        self.rows = {member: dict(row) for member, row in rows.items()}
        self.members = list(rows)
        self.leaving: dict[int, Probability] = {}
        """How likely each member was to lead to another node when it was eliminated."""
        self.incoming: dict[int, dict[int, Probability]] = {}
        sources: dict[int, set[int]] = {member: set() for member in self.members}
        for member, row in self.rows.items():
            for child in row:
                if child in sources:
                    sources[child].add(member)
        done: set[int] = set()
        for member in self.members:
            row = self.rows[member]
            row.pop(member, None)
            leaving = self.leaving[member] = sum(row.values())
            if not leaving:
                raise NeverLeft(member)
            for child in row:
                row[child] /= leaving
            done.add(member)
            incoming = self.incoming[member] = {}
            for source in sources[member] - done:
                share = incoming[source] = self.rows[source].pop(member)
                for child, probability in row.items():
                    self.rows[source][child] = self.rows[source].get(child, 0) + share * probability
                    if child in sources:
                        sources[child].add(source)

    def values(self, known: Sequence[Probability]) -> dict[int, Probability]:
        """The value of each member, from the values of the nodes that the cycle leads to."""
        values: dict[int, Probability] = {}
        for member in reversed(self.members):
            row = self.rows[member].items()
            values[member] = sum(p * (values[child] if child in values else known[child]) for child, p in row)
        return values

    def flow(self, entering: Mapping[int, Probability]) -> tuple[dict[int, Probability], dict[int, Probability]]:
        """How often each member is visited, and how likely each node is that the cycle leads to."""
        passing = dict(entering)
        leaving: dict[int, Probability] = {}
        for member in self.members:
            here = passing[member]
            if here:
                for child, probability in self.rows[member].items():
                    towards = passing if child in passing else leaving
                    towards[child] = towards.get(child, 0) + here * probability
        visits: dict[int, Probability] = {}
        for member in reversed(self.members):
            returning = sum(p * visits[source] for source, p in self.incoming[member].items())
            visits[member] = (passing[member] + returning) / self.leaving[member]
        return visits, leaving


class NeverLeft(Exception):
    """A member of a cycle from which nothing leads out."""

    def __init__(self, member: int) -> None:
        super().__init__(member)
        self.member = member
