"""Cycles of a graph: its strongly connected components, and the solution of each by elimination."""

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
    """State reduction of a Markov chain: the members of a cycle are eliminated one after the other.

    The row of a member has the probability of each node that it leads to. Once a member is eliminated, its row leads to
    later members and out of the cycle only. Probabilities are never subtracted, so that floats keep their precision
    (the algorithm of Grassmann, Taksar and Heyman).
    """

    def __init__(self, rows: Mapping[int, Mapping[int, Probability]]) -> None:
        self.rows = {member: dict(row) for member, row in rows.items()}
        self.members = list(rows)
        self.leaving: dict[int, Probability] = {}
        """The probability with which each member led to another node when it was eliminated."""
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
        """The value of each member, from the known values of the nodes outside the cycle."""
        values: dict[int, Probability] = {}
        for member in reversed(self.members):
            row = self.rows[member].items()
            values[member] = sum(p * (values[child] if child in values else known[child]) for child, p in row)
        return values

    def flow(self, entering: Mapping[int, Probability]) -> tuple[dict[int, Probability], dict[int, Probability]]:
        """The expected visits to each member, and the probability of each node by which the cycle is left.

        `entering` is the probability of entering the cycle at each member.
        """
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
    """A member of a cycle from which there is no way out."""

    def __init__(self, member: int) -> None:
        super().__init__(member)
        self.member = member
