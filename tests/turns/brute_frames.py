"""The turns of frames once more, as plain enumeration: shares no code with the package."""

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, cached_property, partial
from itertools import product
from math import factorial
from typing import Any, NamedTuple

from tests.board.polygons import polygon_distance
from tests.systems.frames.brute import pool_dice, pools, unfolded
from tests.systems.frames.brute_table import Measurements, at_most, base, measure

from .tree import AttackOver, Dice, Json, Lazy, Same, Tree, choice, yes_or_no

Point = tuple[float, float]
Roll = tuple[tuple[int, ...], ...]
Best = tuple[int, int, tuple[int, ...], tuple[int, ...]]
"""The best green and yellow die, the red dice and the rockets that matter."""
"""What the dice of each colour show, from high to low."""


class Frame(NamedTuple):
    """What can change of a frame."""

    names: tuple[str, ...]
    white: int
    rockets: int
    spot: int
    defense: int | None
    acted: bool
    abandoned: int
    at: Point | None


class State(NamedTuple):
    frames: tuple[Frame, ...]
    hits: tuple[int, ...]
    holders: tuple[str | None, ...]


class Fight(NamedTuple):
    """An attack that is being resolved: how it stands, and how often each frame has fled in it."""

    shot: int
    state: State
    fled: tuple[int, ...]
    move: int = 0
    spot: int = 0

    def with_frame(self, place: int, **marks: object) -> "Fight":
        return self._replace(state=change(self.state, place, **marks))


class Frames:
    def __init__(self, source: Json) -> None:
        self.source, self.rules = source, source.get("rules", {})
        self.frames = [unfolded(frame) for frame in source["frames"]]
        self.terrain, self.stations = source.get("terrain", []), source.get("stations", [])
        self.shots, self.player = source["turn"].get("shots", []), source["turn"]["player"]
        self.place = {frame["id"]: number for number, frame in enumerate(self.frames)}
        self.piece = {piece["id"]: number for number, piece in enumerate(self.terrain)}
        self.measured: dict[object, Measurements] = {}
        self.walked: dict[object, Tree] = {}
        self.ended: dict[Fight, Tree] = {}

    @cached_property
    def start(self) -> State:
        frames = tuple(
            Frame(
                tuple(frame["names"]),
                frame["white"],
                frame["rockets"],
                entry.get("spot", 0),
                entry.get("defense"),
                entry.get("acted", False),
                0,
                tuple(entry["at"]) if "at" in entry else None,
            )
            for frame, entry in zip(self.frames, self.source["frames"], strict=True)
        )
        hits = tuple(piece["hits"] for piece in self.terrain)
        return State(frames, hits, tuple(station.get("holder") for station in self.stations))

    def left(self, state: State) -> dict[str, int]:
        pairs = zip(self.frames, state.frames, strict=True)
        return {frame["id"]: len(now.names) + now.white for frame, now in pairs}

    def result(self, state: State) -> Json:
        result: Json = {"frames": {}, "abandoned": []}
        for frame, now in zip(self.frames, state.frames, strict=True):
            shown: Json = {"systems": sorted(now.names), "white": now.white}
            if "at" in self.source["frames"][self.place[frame["id"]]]:
                shown["at"] = list(now.at) if now.white and now.at else None
            result["frames"][frame["id"]] = shown
            result["abandoned"] += [frame["id"]] * bool(now.abandoned)
        result["terrain"] = {piece["id"]: {"hits": hits} for piece, hits in zip(self.terrain, state.hits, strict=True)}
        if self.stations:
            pairs = zip(self.stations, state.holders, strict=True)
            result["stations"] = {station["id"]: {"holder": holder} for station, holder in pairs}
        return result

    # What is measured

    def file(self, state: State, shot: int) -> Json:
        """The file as it stands, with this shot."""
        frames = [
            {**entry, "at": now.at} if now.at else entry
            for entry, now in zip(self.source["frames"], state.frames, strict=True)
        ]
        return {**self.source, "terrain": self.terrain, "frames": frames, "activation": self.shots[shot]}

    def measure(self, state: State, shot: int) -> Measurements:
        key = shot, tuple(frame.at for frame in state.frames)
        if key not in self.measured:
            self.measured[key] = measure(self.file(state, shot))
        return self.measured[key]

    def reach(self, state: State, shot: int) -> str:
        return str(self.shots[shot].get("range") or self.measure(state, shot).range)

    def covers(self, state: State, shot: int) -> list[str]:
        """What covers the target and still stands."""
        given = self.shots[shot].get("cover", self.measure(state, shot).covers)
        listed = [given] if isinstance(given, str) else given
        return [
            name
            for name in listed
            if (state.frames[self.place[name]].white if name in self.place else state.hits[self.piece[name]])
        ]

    def stations_of(self, state: State, shot: int, place: int) -> list[str]:
        """The stations from which a frame moves away, in turn, if it flees."""
        if self.given(shot, place) in self.shots[shot]:
            return []
        return self.measure(state, shot).near.get(self.frames[place]["id"], [])

    def given(self, shot: int, place: int) -> str:
        return "near_station" if self.place.get(self.shots[shot]["on"]) == place else "covering_near_station"

    def dodges(self, state: State, shot: int, place: int) -> int:
        """How often a frame may flee in this attack."""
        given = self.given(shot, place)
        if given != "near_station" and not self.rules.get("covering_frame_may_abandon", True):
            return 0
        stations = len(self.stations_of(state, shot, place))
        if given in self.shots[shot]:
            stations = max(0, int(self.shots[shot][given]) - state.frames[place].abandoned)
        return stations if self.rules.get("abandon_per_attack") == "once_per_station" else min(1, stations)

    # Which shots are possible

    def ids(self) -> list[str]:
        names = [f"{shot['by']} on {shot['on']}" for shot in self.shots]
        times = Counter(name for shot, name in zip(self.shots, names, strict=True) if "id" not in shot)
        return [
            shot.get("id", f"{name} at {shot['range']}" if times[name] > 1 and "range" in shot else name)
            for shot, name in zip(self.shots, names, strict=True)
        ]

    def attacks(self, state: State) -> dict[str, Lazy]:
        shots = [number for number in range(len(self.shots)) if self.is_possible(state, number)]
        return {self.ids()[number]: partial(self.activate, state, number) for number in shots}

    def is_possible(self, state: State, number: int) -> bool:
        shot = self.shots[number]
        acting = state.frames[self.place[shot["by"]]]
        if acting.acted or not acting.white:
            return False
        if shot["on"] in self.place:
            target = state.frames[self.place[shot["on"]]]
            defense, spot = shot.get("defense"), shot.get("spot")
            if not target.white or (defense is None and target.defense is None):
                return False
            if defense not in (None, "not yet") and target.defense not in (None, defense):
                return False
            if spot is not None and target.spot not in (0, spot):
                return False
        if "table" in self.source and "range" in shot and not self.is_within(state, number):
            return False
        reach, kinds = self.reach(state, number), self.kinds(state, self.place[shot["by"]])
        return reach == "hand" or reach in kinds or (reach == "direct" and acting.rockets > 0)

    def is_within(self, state: State, number: int) -> bool:
        file, shot = self.file(state, number), self.shots[number]
        things = {thing["id"]: thing for thing in (*file["terrain"], *file["frames"])}
        gap = polygon_distance(base(things[shot["by"]]), base(things[shot["on"]]))
        if shot["range"] == "artillery":
            return not at_most(gap, 7.95)
        return at_most(gap, {"hand": 1.05, "direct": 8.05}[shot["range"]])

    def kinds(self, state: State, place: int) -> list[str]:
        frame = self.frames[place]
        kind = dict(zip(frame["names"], frame["kinds"], strict=True))
        return [kind[name] for name in state.frames[place].names]

    def side(self, place: int) -> str:
        return "attacker" if self.frames[place]["player"] == self.player else "defender"

    # An activation

    def pool(self, state: State, place: int, reach: str) -> dict[str, list[int]]:
        now = state.frames[place]
        return pool_dice({"kinds": self.kinds(state, place), "white": now.white, "rockets": now.rockets}, reach)

    def activate(self, state: State, number: int) -> Tree:
        shot = self.shots[number]
        by = self.place[shot["by"]]
        fight = Fight(number, state, (0,) * len(self.frames))
        fight = fight.with_frame(by, acted=True)
        if shot["on"] in self.place:
            on = self.place[shot["on"]]
            if shot.get("defense") not in (None, "not yet"):
                fight = fight.with_frame(on, defense=shot["defense"])
            if "spot" in shot:
                fight = fight.with_frame(on, spot=shot["spot"])
        reach = self.reach(state, number)
        dice = self.pool(state, by, reach)
        others = [weapon for weapon in ("hand", "direct", "artillery") if weapon != reach]
        unread = sum([0, 2, 3][self.kinds(state, by).count(weapon)] for weapon in others)
        return rolled(dice, unread, lambda roll: self.set_defense(fight, roll), self.own_covers(fight))

    def set_defense(self, fight: Fight, roll: Roll) -> Tree:
        white, blue, green, yellow, red, rocket = roll
        most = None if self.own_covers(fight) else 1
        reds, rockets = (tuple(sorted(dice, reverse=True))[:most] for dice in (red, rocket))
        best = max(green, default=0), max(yellow, default=0), reds, rockets

        def then(die: tuple[str, int]) -> Tree:
            return self.set_attack(
                fight, without(white, die), best
            )  # its own defense matters in no attack of this turn

        return choice("attacker", options(candidates("B", max(blue, default=0), white), then))

    def own_covers(self, fight: Fight) -> bool:
        """Whether damage could hit a frame of the attacker's own in this turn: then fewer dice can be better."""
        shot = self.shots[fight.shot]
        if self.reach(fight.state, fight.shot) == "hand" or shot["on"] in self.piece:
            return False
        covers = shot.get("cover", self.measure(fight.state, fight.shot).covers)
        names = [covers] if isinstance(covers, str) else list(covers)
        if "cover" not in shot and self.source.get("stations"):  # frames may move
            names = [frame["id"] for frame in self.source["frames"] if "at" in frame]
        others = [self.place[name] for name in names if name in self.place and name not in (shot["by"], shot["on"])]
        return any(self.side(place) == "attacker" for place in others)

    def set_attack(self, fight: Fight, white: tuple[int, ...], best: Best) -> Tree:
        return Same((fight, white, best), lambda: self.set_attack_once(fight, white, best))

    def set_attack_once(self, fight: Fight, white: tuple[int, ...], best: Best) -> Tree:
        green, yellow, red, rocket = best
        by = self.place[self.shots[fight.shot]["by"]]
        reach = self.reach(fight.state, fight.shot)
        beside_rocket = self.rules.get("white_with_rocket_only", False) and reach == "direct" and rocket
        may_use_white = reach == "hand" or reach in self.kinds(fight.state, by) or beside_rocket

        def then(die: tuple[str, int]) -> Tree:
            return self.set_move(fight, die[1], without(white, die), green, yellow)

        whites = white if may_use_white else ()
        if self.own_covers(fight):
            dice = all_candidates("R", red, whites, rocket)
        else:
            dice = candidates("R", max(red, default=0), whites, max(rocket, default=0))
        return choice("attacker", options([*dice, NO_DIE], then))

    def set_move(self, fight: Fight, attack: int, white: tuple[int, ...], green: int, yellow: int) -> Tree:
        def then(die: tuple[str, int]) -> Tree:
            return self.set_spot(fight._replace(move=die[1]), attack, without(white, die), yellow)

        return choice("attacker", options(candidates("G", green, white) or [NO_DIE], then, none=not green))

    def set_spot(self, fight: Fight, attack: int, white: tuple[int, ...], yellow: int) -> Tree:
        if not self.can_reach(fight):
            return self.fire(fight._replace(move=0), attack)

        def then(die: tuple[str, int]) -> Tree:
            return self.fire(fight._replace(move=0, spot=die[1]), attack)

        return choice("attacker", options(candidates("Y", yellow, white) or [NO_DIE], then, none=not yellow))

    def eyes(self, fight: Fight) -> int:
        return self.kinds(fight.state, self.place[self.shots[fight.shot]["by"]]).count("spotting")

    def can_reach(self, fight: Fight) -> bool:
        is_near = self.reach(fight.state, fight.shot) != "artillery" or self.eyes(fight) == 2
        return self.shots[fight.shot]["on"] in self.place and is_near

    # The attack

    def fire(self, fight: Fight, attack: int) -> Tree:
        by = self.place[self.shots[fight.shot]["by"]]
        fight = fight.with_frame(by, rockets=0)  # it fires no more
        return Same((fight, attack), lambda: self.fire_once(fight, attack))

    def fire_once(self, fight: Fight, attack: int) -> Tree:
        if not attack:
            return self.over(fight)
        name = self.shots[fight.shot]["on"]
        if name in self.piece:
            return self.damage(fight, attack, None)
        on = self.place[name]
        target = fight.state.frames[on]
        if target.defense is not None:
            return self.use_spot(fight, attack, target.defense)
        dice = {colour: dice for colour, dice in self.pool(fight.state, on, "hand").items() if colour in "WB"}
        kinds = self.kinds(fight.state, on)
        weapons = sum([0, 2, 3][kinds.count(weapon)] for weapon in ("hand", "direct", "artillery"))
        sprint = "direct" not in kinds and "artillery" not in kinds
        unread = weapons + kinds.count("movement") + kinds.count("spotting") + sprint

        def then(roll: Roll) -> Tree:
            def set_to(die: tuple[str, int]) -> Tree:
                return self.use_spot(fight.with_frame(on, defense=die[1]), attack, die[1])

            white, blue = roll
            if self.own_covers(fight):
                return choice(
                    self.side(on), options(all_candidates("B", tuple(sorted(blue, reverse=True)), white), set_to)
                )
            return choice(self.side(on), options(candidates("B", max(blue, default=0), white), set_to))

        return rolled(dice, unread, then, self.own_covers(fight))

    def use_spot(self, fight: Fight, attack: int, defense: int) -> Tree:
        on = self.place[self.shots[fight.shot]["on"]]
        spot = fight.state.frames[on].spot
        if not spot:
            return self.strike(fight, attack - defense)
        used = fight.with_frame(on, spot=0)
        return yes_or_no(
            "attacker",
            lambda: self.strike(used, attack + spot - defense),
            lambda: self.strike(fight, attack - defense),
        )

    def strike(self, fight: Fight, dice: int) -> Tree:
        return Same((fight, "strike", dice), lambda: self.strike_once(fight, dice)) if dice > 0 else self.over(fight)

    def strike_once(self, fight: Fight, dice: int) -> Tree:
        covers = self.covers(fight.state, fight.shot)
        both = self.rules.get("both_covers", "owner_picks")
        if len({name in self.place for name in covers}) == 2 and both != "owner_picks":
            covers = [name for name in covers if (name in self.place) == (both == "frame")]
        if self.reach(fight.state, fight.shot) == "hand" or not covers:
            return self.damage(fight, dice, None)
        owner = self.side(self.place[self.shots[fight.shot]["on"]])
        return choice(owner, {name: partial(self.damage, fight, dice, name) for name in covers})

    def damage(self, fight: Fight, dice: int, cover: str | None) -> Tree:
        def count(faces: Sequence[int]) -> tuple[int, ...]:
            return tuple(sorted(max(3, face) for face in faces))

        return Dice(hands(dice), count, lambda hand: self.walk(fight, hand, cover))

    def walk(self, fight: Fight, dice: tuple[int, ...], cover: str | None) -> Tree:
        """Damage dice from low to high, each by the chart that counts when it is its turn."""
        if not dice:
            return self.over(fight)
        key = fight, dice, cover
        if key not in self.walked:
            self.walked[key] = self.walk_once(fight, dice, cover)
        return self.walked[key]

    def walk_once(self, fight: Fight, dice: tuple[int, ...], cover: str | None) -> Tree:
        name, face = self.shots[fight.shot]["on"], dice[0]

        def go_on(after: Fight) -> Tree:
            return self.walk(after, dice[1:], cover)

        if name in self.piece:
            return go_on(self.less_terrain(fight, name) if face >= 4 else fight)
        on = self.place[name]
        if self.reach(fight.state, fight.shot) == "hand":
            return self.hurt(fight, on, go_on) if face >= 4 else go_on(fight)
        if cover is not None and cover in self.piece and fight.state.hits[self.piece[cover]]:
            if face in (4, 5):
                return go_on(self.less_terrain(fight, cover))
            return self.hurt(fight, on, go_on) if face == 6 else go_on(fight)
        if cover in self.place and fight.state.frames[self.place[cover]].white:
            if face == 5:
                is_safe = self.kinds(fight.state, self.place[cover]).count("defense") == 2
                return go_on(fight) if is_safe else self.hurt(fight, self.place[cover], go_on)
            return self.hurt(fight, on, go_on) if face == 6 else go_on(fight)
        return self.hurt(fight, on, go_on) if face >= 5 else go_on(fight)

    def less_terrain(self, fight: Fight, name: str) -> Fight:
        place, hits = self.piece[name], fight.state.hits
        left = (*hits[:place], max(0, hits[place] - 1), *hits[place + 1 :])
        return fight._replace(state=fight.state._replace(hits=left))

    def hurt(self, fight: Fight, place: int, then: Callable[[Fight], Tree]) -> Tree:
        """One damage on a frame."""
        now, owner = fight.state.frames[place], self.side(place)
        if not now.white:
            return then(fight)

        def lose() -> Tree:
            after: dict[str, Lazy] = {}
            for name in dict.fromkeys(now.names):
                left = list(now.names)
                left.remove(name)
                after[name] = partial(then, fight.with_frame(place, names=tuple(left)))
            if not now.names or (self.rules.get("drop_white_first", False) and now.white > 1):
                gone = {"spot": 0, "defense": None} if now.white == 1 else {}
                after["white"] = partial(then, fight.with_frame(place, white=now.white - 1, **gone))
            return choice(owner, after)

        def flee() -> Tree:
            return then(fight._replace(fled=(*fight.fled[:place], fight.fled[place] + 1, *fight.fled[place + 1 :])))

        # Where everybody stands is as it was when the attack began.
        may_flee = fight.fled[place] < self.dodges(fight.state, fight.shot, place)
        return yes_or_no(owner, flee, lose) if may_flee else lose()

    def over(self, fight: Fight) -> Tree:
        """The spot is placed, frames that have fled move, and stations are lost."""
        if fight not in self.ended:
            self.ended[fight] = self.over_once(fight)
        return self.ended[fight]

    def over_once(self, fight: Fight) -> Tree:
        name = self.shots[fight.shot]["on"]
        if self.can_reach(fight) and fight.state.frames[self.place[name]].white:
            target = fight.state.frames[self.place[name]]
            if self.eyes(fight) or not self.covers(fight.state, fight.shot):
                fight = fight.with_frame(self.place[name], spot=max(target.spot, fight.spot))
        before, state = fight.state, fight.state
        left = {
            (station, place)
            for place, times in enumerate(fight.fled)
            for station in self.stations_of(before, fight.shot, place)[:times]
        }
        for place, times in enumerate(fight.fled):
            now = state.frames[place]
            if times and now.at is not None:
                stations = self.stations_of(before, fight.shot, place)[:times]
                table, file = self.measure(before, fight.shot), self.file(before, fight.shot)
                x, y = table.place(file, self.frames[place]["id"], stations)
                state = change(state, place, at=(round(x, 3) + 0.0, round(y, 3) + 0.0))
            state = change(state, place, abandoned=now.abandoned + times)
        holders = tuple(
            None if self.is_lost(before, state, fight, station, left) else holder
            for station, holder in zip(self.stations, state.holders, strict=True)
        )
        return AttackOver(state._replace(holders=holders))

    def is_lost(self, before: State, state: State, fight: Fight, station: Json, left: set[tuple[str, int]]) -> bool:
        """Whether a frame of its holder has fled from a station, and none of the others is near."""
        holder = before.holders[self.stations.index(station)]
        own = [place for place, frame in enumerate(self.frames) if frame["player"] == holder]
        if not any((station["id"], place) in left for place in own):
            return False
        file = self.file(state, fight.shot)
        guards = [
            place
            for place in own
            if (station["id"], place) not in left and state.frames[place].white and state.frames[place].at
        ]
        return not any(Measurements().is_near(file, place, [], station) for place in guards)


NO_DIE = ("none", 0)


def options(
    dice: list[tuple[str, int]], then: Callable[[tuple[str, int]], Tree], none: bool = False
) -> dict[str, Lazy]:
    offered = [*dice, NO_DIE] if none and NO_DIE not in dice else dice
    return {"none" if die == NO_DIE else f"{die[0]}{die[1]}": partial(then, die) for die in offered}


def candidates(colour: str, own: int, white: tuple[int, ...], rocket: int = 0) -> list[tuple[str, int]]:
    """The best die of the right colour, and every better rocket and white die, from high to low."""
    dice = [(colour, own)] if own else []
    dice += [("rocket ", rocket)] if rocket > own else []
    dice += [("W", value) for value in sorted(set(white), reverse=True) if value > own]
    return sorted(dice, key=lambda die: -die[1])


def all_candidates(
    colour: str, own: tuple[int, ...], white: tuple[int, ...], rocket: tuple[int, ...] = ()
) -> list[tuple[str, int]]:
    """Every different die, from high to low; of equal ones the highest of each colour first."""
    dice = [(colour, value) for value in own[:1]] + [("rocket ", value) for value in rocket[:1]]
    dice += [("W", value) for value in sorted(white, reverse=True)]
    dice += [(colour, value) for value in own[1:]] + [("rocket ", value) for value in rocket[1:]]
    return sorted(dict.fromkeys(dice), key=lambda die: -die[1])


def without(white: tuple[int, ...], die: tuple[str, int]) -> tuple[int, ...]:
    left = list(white)
    if die[0] == "W":
        left.remove(die[1])
    return tuple(left)


def change(state: State, place: int, **marks: Any) -> State:
    frame = state.frames[place]._replace(**marks)
    return state._replace(frames=(*state.frames[:place], frame, *state.frames[place + 1 :]))


def best_of(roll: Roll) -> Roll:
    """All white dice, and the best of each other colour."""
    return (roll[0], *(dice[:1] for dice in roll[1:]))


def rolled(dice: dict[str, list[int]], unread: int, then: Callable[[Roll], Tree], is_whole: bool) -> Tree:
    """A roll of a pool, to which other dice belong that are of no use; whole, or the best dice alone."""
    numbers = [len(faces) for faces in dice.values()]

    def count(faces: Sequence[int]) -> Roll:
        assert len(faces) == sum(numbers) + unread
        left = list(faces)
        roll = tuple(tuple(sorted((left.pop(0) for _ in range(n)), reverse=True)) for n in numbers)
        return roll if is_whole else best_of(roll)

    return Dice(pool_chances(tuple((colour, tuple(faces)) for colour, faces in dice.items()), is_whole), count, then)


@cache
def pool_chances(dice: tuple[tuple[str, tuple[int, ...]], ...], is_whole: bool) -> dict[Roll, Fraction]:
    chances: dict[Roll, Fraction] = {}
    for roll, p in pools({colour: list(faces) for colour, faces in dice}).items():
        falling = tuple(tuple(sorted(colour, reverse=True)) for colour in roll)
        key = falling if is_whole else best_of(roll)
        chances[key] = chances.get(key, Fraction(0)) + p
    return chances


@cache
def hands(dice: int) -> dict[tuple[int, ...], Fraction]:
    """Damage dice from low to high. 1s and 2s are counted as 3s: they miss on every chart."""
    chances: dict[tuple[int, ...], Fraction] = {}
    for counts in product(range(dice + 1), repeat=4):
        if sum(counts) == dice:
            ways = factorial(dice) * 3 ** counts[0]
            for number in counts:
                ways //= factorial(number)
            hand = tuple(face for face, number in zip((3, 4, 5, 6), counts, strict=True) for _ in range(number))
            chances[hand] = Fraction(ways, 6**dice)
    return chances
