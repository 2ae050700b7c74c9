"""The chapter once more, as one plain recursion over fractions: shares no code with the package.

`solve(battle, attacker, defender, objective)` takes a battle as a dictionary, and gives the value and the
probability of each result, keyed by the result's JSON. Damage dice are walked one by one, from low to high.
"""

import json
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial
from itertools import combinations_with_replacement, product
from math import factorial
from typing import Any

from .brute_table import measure

Json = dict[str, Any]
Solved = tuple[Fraction, dict[str, Fraction]]
Leaf = Callable[[], Solved]
Frame = tuple[tuple[str, ...], int, int]
"""Names of systems, white dice, how often it abandoned its position."""
Turn = tuple[int, int, int, int, int]
"""Defense, move, spot die, rockets left, spot on the target; all zero outside a turn."""
State = tuple[tuple[Frame, ...], tuple[int, ...], Turn]

LETTERS = {"B": "defense", "G": "movement", "Y": "spotting"}
WEAPONS = {"h": "hand", "d": "direct", "a": "artillery"}


def mix(branches: list[tuple[Fraction, Solved]]) -> Solved:
    value, outcomes = Fraction(0), dict[str, Fraction]()
    for chance, (worth, results) in branches:
        value += chance * worth
        for result, p in results.items():
            outcomes[result] = outcomes.get(result, Fraction(0)) + chance * p
    return value, outcomes


def unfolded(frame: Json) -> Json:
    """A frame with its loadout written out."""
    word = frame.get("loadout")
    if word is None:
        systems = [s if isinstance(s, str) else s["name"] for s in frame.get("systems", [])]
        kinds = [s if isinstance(s, str) else s["kind"] for s in frame.get("systems", [])]
        whole = {"white": frame.get("white", 2), "rockets": frame.get("rockets", 0)}
        return {"id": frame["id"], "player": frame["player"], "names": systems, "kinds": kinds, **whole}
    kinds, rest = [], word.replace("G8", "").replace("R8r", "")
    while rest:
        if rest[0] == "W":
            rest = rest[1:]
        elif rest[0] in LETTERS:
            kinds.append(LETTERS[rest[0]])
            rest = rest[1:]
        elif rest.startswith("R8"):
            kinds.append(WEAPONS[rest[2]])
            rest = rest[3:]
        else:
            kinds.append(WEAPONS[rest[1]])
            rest = rest[4:]
    whole = {"white": word.count("W"), "rockets": word.count("R8r")}
    return {"id": frame["id"], "player": frame["player"], "names": kinds, "kinds": kinds, **whole}


def pool_dice(frame: Json, reach: str) -> dict[str, list[int]]:
    """The faces of every die in a frame's pool that can be of use, by colour."""
    kinds = frame["kinds"]
    weapons = kinds.count(reach)
    sprint = [] if "direct" in kinds or "artillery" in kinds else [8]
    return {
        "W": [6] * frame["white"],
        "B": [6] * kinds.count("defense"),
        "G": [6] * kinds.count("movement") + sprint,
        "Y": [6] * kinds.count("spotting"),
        "R": [[], [6, 6], [6, 6, 8]][weapons],
        "rocket ": [8] * frame["rockets"] if reach == "direct" else [],
    }


def pools(dice: dict[str, list[int]]) -> dict[tuple[tuple[int, ...], ...], Fraction]:
    """Every roll of a pool: for each colour what its dice show, from high to low."""
    every = [range(1, faces + 1) for colour in dice for faces in dice[colour]]
    count: Counter[tuple[tuple[int, ...], ...]] = Counter()
    for faces in product(*every):
        shown = list(faces)
        count[tuple(tuple(sorted((shown.pop(0) for _ in dice[colour]), reverse=True)) for colour in dice)] += 1
    return {roll: Fraction(ways, count.total()) for roll, ways in count.items()}


def solve(battle: Json, attacker: str, defender: str, objective: str) -> Solved:
    rules = battle.get("rules", {})
    frames = [unfolded(frame) for frame in battle.get("frames", [])]
    terrain = battle.get("terrain", [])
    acts = "activation" in battle
    aim = battle["activation"] if acts else battle["attack"]
    ids = {frame["id"]: place for place, frame in enumerate(frames)}
    pieces = {piece["id"]: place for place, piece in enumerate(terrain)}
    table = measure(battle)
    by, target, reach = aim.get("by"), ids.get(aim["on"], -1), aim.get("range") or table.range
    covers = [aim["cover"]] if isinstance(aim.get("cover"), str) else list(aim.get("cover", table.covers))
    marks = battle["frames"][target] if target >= 0 else {}
    spot_on_target = aim.get("spot", marks.get("spot")) or 0
    defense_die = aim.get("defense", marks.get("defense", 0))
    policies = {"attacker": attacker, "defender": defender}

    mine = frames[ids[by]]["player"] if by else None

    def side(player: str | None) -> str:
        return "attacker" if player == mine else "defender"

    def decide(player: str | None, optional: bool, leaves: list[Leaf]) -> Solved:
        policy = policies[side(player)]
        if policy == "eager" or len(leaves) == 1:
            return leaves[0]()
        if policy == "cautious":
            return leaves[-1 if optional else 0]()
        if policy == "random":
            return mix([(Fraction(1, len(leaves)), leaf()) for leaf in leaves])
        solved = [leaf() for leaf in leaves]
        return (max if side(player) == "attacker" else min)(solved, key=lambda one: one[0])

    def dodges(place: int) -> int:
        if place != target and not rules.get("covering_frame_may_abandon", True):
            return 0
        stations = int(aim.get("near_station" if place == target else "covering_near_station", len(moves(place))))
        return stations if rules.get("abandon_per_attack") == "once_per_station" else min(1, stations)

    def moves(place: int) -> list[str]:
        """The stations from which a frame moves away, in turn."""
        given = "near_station" if place == target else "covering_near_station"
        return [] if given in aim else table.near.get(frames[place]["id"], [])

    def with_frame(state: State, place: int, frame: Frame) -> State:
        return (*state[0][:place], frame, *state[0][place + 1 :]), state[1], state[2]

    def less_terrain(state: State, place: int) -> State:
        left = max(0, state[1][place] - 1)
        return state[0], (*state[1][:place], left, *state[1][place + 1 :]), state[2]

    def hurt(state: State, place: int, then: Callable[[State], Solved]) -> Solved:
        """One damage on a frame."""
        systems, white, abandoned = state[0][place]
        if not white:
            return then(state)
        owner = frames[place]["player"]

        def lose() -> Solved:
            after: list[Frame] = []
            for name in dict.fromkeys(systems):
                left = list(systems)
                left.remove(name)
                after.append((tuple(left), white, abandoned))
            if not systems or (rules.get("drop_white_first", False) and white > 1):
                after.append((systems, white - 1, abandoned))
            return decide(owner, False, [partial(then, with_frame(state, place, f)) for f in after])

        def dodge() -> Solved:
            return then(with_frame(state, place, (systems, white, abandoned + 1)))

        return decide(owner, True, [dodge, lose]) if abandoned < dodges(place) else lose()

    @cache
    def walk(state: State, dice: tuple[int, ...], cover: str | None) -> Solved:
        """Damage dice from low to high, each by the chart that counts when it is its turn."""
        if not dice:
            return resolved(state)
        face, rest = dice[0], dice[1:]

        def go_on(after: State) -> Solved:
            return walk(after, rest, cover)

        if target < 0:
            return go_on(less_terrain(state, pieces[aim["on"]]) if face >= 4 else state)
        if reach == "hand":
            return hurt(state, target, go_on) if face >= 4 else go_on(state)
        if cover in pieces and state[1][pieces[cover]]:
            if face in (4, 5):
                return go_on(less_terrain(state, pieces[cover]))
            return hurt(state, target, go_on) if face == 6 else go_on(state)
        if cover in ids and state[0][ids[cover]][1]:
            if face == 5:
                kind = dict(zip(frames[ids[cover]]["names"], frames[ids[cover]]["kinds"], strict=True))
                is_safe = sum(kind[name] == "defense" for name in state[0][ids[cover]][0]) == 2
                return go_on(state) if is_safe else hurt(state, ids[cover], go_on)
            return hurt(state, target, go_on) if face == 6 else go_on(state)
        return hurt(state, target, go_on) if face >= 5 else go_on(state)

    def roll_damage(state: State, dice: int, cover: str | None) -> Solved:
        """1s, 2s and 3s miss on every chart: they are counted as 3s, of which there are three then."""
        branches = []
        for hand in combinations_with_replacement((3, 4, 5, 6), dice):
            ways = factorial(dice) * 3 ** hand.count(3)
            for repeats in Counter(hand).values():
                ways //= factorial(repeats)
            branches.append((Fraction(ways, 6**dice), walk(state, hand, cover)))
        return mix(branches)

    @cache
    def strike(state: State, dice: int) -> Solved:
        if dice <= 0:
            return resolved(state)
        standing = [name for name in covers if name in ids or state[1][pieces[name]]]
        both = rules.get("both_covers", "owner_picks")
        if len({name in ids for name in standing}) == 2 and both != "owner_picks":
            standing = [name for name in standing if (name in ids) == (both == "frame")]
        if target < 0 or reach == "hand" or not standing:
            return roll_damage(state, dice, None)
        leaves: list[Leaf] = [partial(roll_damage, state, dice, name) for name in standing]
        return decide(frames[target]["player"], False, leaves)

    def attack(state: State, attack: int, defense: int) -> Solved:
        spot = spot_on_target
        if not spot:
            return strike(state, attack - defense)
        used = (state[0], state[1], (*state[2][:4], 0))
        leaves: list[Leaf] = [
            lambda: strike(used, attack + spot - defense),
            lambda: strike(state, attack - defense),
        ]
        return decide(mine, True, leaves)

    def resolved(state: State) -> Solved:
        if not acts:
            return end(state)
        defense, move, spot, rockets, lying = state[2]
        eyes = frames[ids[by]]["kinds"].count("spotting")
        covered = any(state[0][ids[name]][1] if name in ids else state[1][pieces[name]] for name in covers)
        near = reach != "artillery" or eyes == 2
        if target >= 0 and near and (eyes or not covered) and spot > lying:
            lying = spot
        if target >= 0 and not state[0][target][1]:
            lying = 0
        return end((state[0], state[1], (defense, move, lying, rockets, 0)))

    def end(state: State) -> Solved:
        result: Json = {
            "frames": {
                frame["id"]: {"systems": sorted(left[0]), "white": left[1]}
                for frame, left in zip(frames, state[0], strict=True)
            },
            "terrain": {piece["id"]: {"hits": hits} for piece, hits in zip(terrain, state[1], strict=True)},
            "abandoned": [frame["id"] for frame, left in zip(frames, state[0], strict=True) if left[2]],
        }
        for place, frame in enumerate(frames):
            if "at" in battle["frames"][place]:
                at = table.place(battle, frame["id"], moves(place)[: state[0][place][2]])
                result["frames"][frame["id"]]["at"] = (
                    [round(part, 3) + 0.0 for part in at] if state[0][place][1] else None
                )
        if battle.get("stations"):
            result["stations"] = {name: {"holder": holder} for name, holder in holders(state).items()}
        if acts:
            result["activation"] = dict(zip(("defense", "move", "spot", "rockets"), state[2][:4], strict=True))
        if "scores" in battle:
            result["scores"] = score(state)
        swing = sum(
            (-1 if frame["player"] == mine else 1) * (len(frame["names"]) + frame["white"] - len(left[0]) - left[1])
            for frame, left in zip(frames, state[0], strict=True)
        )
        kill = not state[0][target][1] if target >= 0 else not state[1][pieces[aim["on"]]]
        value = swing if objective == "swing" else int(kill)
        return Fraction(value), {json.dumps(result, sort_keys=True): Fraction(1)}

    def holders(state: State) -> dict[str, str | None]:
        """A station is lost once a frame of its holder has abandoned it and none of the holder's others is near."""
        held: dict[str, str | None] = {}
        for station in battle.get("stations", []):
            owner = station.get("holder")
            mine = [place for place, frame in enumerate(frames) if frame["player"] == owner]
            left = {place for place in mine if station["id"] in moves(place)[: state[0][place][2]]}
            near = [
                place
                for place in mine
                if place not in left and state[0][place][1] and "at" in battle["frames"][place]
                if table.is_near(battle, place, moves(place)[: state[0][place][2]], station)
            ]
            held[station["id"]] = None if left and not near else owner
        return held

    def score(state: State) -> dict[str, int]:
        all_players = battle["scores"]
        scores = {}
        for player, own in all_players.items():
            points = 5
            for asset in ("frames", "systems"):
                counts = [other[asset] for other in all_players.values()]
                points -= own[asset] == max(counts)
                points += own[asset] == min(counts)
            dead = [frame for frame, left in zip(frames, state[0], strict=True) if not left[1]]
            live = own["frames"] - own.get("lost", 0) - sum(frame["player"] == player for frame in dead)
            stations = list(holders(state).values()).count(player) if battle.get("stations") else own["stations"]
            scores[player] = points * (live + stations)
        return scores

    own_covers = reach != "hand" and any(name in ids and frames[ids[name]]["player"] == mine for name in covers)
    """Whether damage may hit a frame of the attacker's own: then fewer damage dice can be better."""

    def candidates(own: tuple[int, ...], white: tuple[int, ...], rocket: tuple[int, ...] = ()) -> list[tuple[str, int]]:
        """The best die of the right colour, and every better rocket and white die, from high to low."""
        best = max(own, default=0)
        scores = [("own", best)] if own else []
        scores += [("rocket", value) for value in rocket[:1] if value > best]
        scores += [("white", value) for value in sorted(set(white), reverse=True) if value > best]
        return sorted(scores, key=lambda die: -die[1])

    def all_candidates(
        own: tuple[int, ...], white: tuple[int, ...], rocket: tuple[int, ...] = ()
    ) -> list[tuple[str, int]]:
        """Every different die; of equal ones the highest of each colour first."""
        dice = [("own", value) for value in own[:1]] + [("rocket", value) for value in rocket[:1]]
        dice += [("white", value) for value in white]
        dice += [("own", value) for value in own[1:]] + [("rocket", value) for value in rocket[1:]]
        return sorted(dict.fromkeys(dice), key=lambda die: -die[1])

    for_attack = all_candidates if own_covers else candidates

    def falling(dice: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(dice, reverse=True))[: None if own_covers else 1]

    def without(white: tuple[int, ...], die: tuple[str, int]) -> tuple[int, ...]:
        left = list(white)
        if die[0] == "white":
            left.remove(die[1])
        return tuple(left)

    no_die = ("none", 0)

    def take_turn(state: State) -> Solved:
        frame = frames[ids[by]]
        return mix([(p, defend(state, roll)) for roll, p in pools(pool_dice(frame, reach)).items()])

    def defend(state: State, roll: tuple[tuple[int, ...], ...]) -> Solved:
        white, blue, green, yellow, red, rocket = roll
        left = 0 if rocket and rules.get("rocket_spent") == "when_rolled" else frames[ids[by]]["rockets"]
        leaves: list[Leaf] = [
            partial(
                assign_attack,
                (state[0], state[1], (die[1], 0, 0, left, state[2][4])),
                without(white, die),
                (max(green, default=0), max(yellow, default=0), falling(red), falling(rocket)),
            )
            for die in candidates(blue, white)
        ]
        return decide(mine, False, leaves)

    @cache
    def assign_attack(
        state: State, white: tuple[int, ...], best: tuple[int, int, tuple[int, ...], tuple[int, ...]]
    ) -> Solved:
        green, yellow, red, rocket = best
        frame = frames[ids[by]]
        may_use_white = reach == "hand" or reach in frame["kinds"]
        if reach == "direct" and frame["rockets"] and rules.get("white_with_rocket_only", False):
            may_use_white = True
        dice = for_attack(red, white if may_use_white else (), rocket)
        leaves: list[Leaf] = []
        for die in [*dice, no_die]:
            defense, move, spot, rockets, lying = state[2]
            if die[0] == "rocket" and rules.get("rocket_spent") != "when_rolled":
                rockets -= 1
            turn = (defense, move, spot, rockets, lying)
            leaves.append(partial(assign_move, (state[0], state[1], turn), die[1], without(white, die), green, yellow))
        return decide(mine, False, leaves)

    @cache
    def assign_move(state: State, attack: int, white: tuple[int, ...], green: int, yellow: int) -> Solved:
        dice = candidates((green,) if green else (), white) + ([] if green else [no_die])
        leaves: list[Leaf] = []
        for die in dice:
            turn = (state[2][0], die[1], *state[2][2:])
            leaves.append(partial(assign_spot, (state[0], state[1], turn), attack, without(white, die), yellow))
        return decide(mine, False, leaves)

    @cache
    def assign_spot(state: State, attack: int, white: tuple[int, ...], yellow: int) -> Solved:
        far = reach == "artillery" and frames[ids[by]]["kinds"].count("spotting") < 2
        if target < 0 or far:
            return open_fire(state, attack)
        dice = candidates((yellow,) if yellow else (), white) + ([] if yellow else [no_die])
        leaves: list[Leaf] = []
        for die in dice:
            turn = (*state[2][:2], die[1], *state[2][3:])
            leaves.append(partial(open_fire, (state[0], state[1], turn), attack))
        return decide(mine, False, leaves)

    @cache
    def open_fire(state: State, value: int) -> Solved:
        if not value:
            return resolved(state)
        if defense_die != "not yet":
            return attack(state, value, defense_die)
        dice = {colour: dice for colour, dice in pool_dice(frames[target], "hand").items() if colour in ("W", "B")}
        branches = []
        for (white, blue), p in pools(dice).items():
            candidates_now = for_attack(tuple(sorted(blue, reverse=True)), tuple(sorted(white, reverse=True)))
            leaves: list[Leaf] = [partial(attack, state, value, die[1]) for die in candidates_now]
            branches.append((p, decide(frames[target]["player"], False, leaves)))
        return mix(branches)

    start: State = (
        tuple((tuple(frame["names"]), frame["white"], 0) for frame in frames),
        tuple(piece["hits"] for piece in terrain),
        (0, 0, 0, 0, spot_on_target) if acts else (0, 0, 0, 0, 0),
    )
    return take_turn(start) if acts else attack(start, aim["attack"], defense_die)
