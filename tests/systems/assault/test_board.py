"""Facts that follow from the board: range, line of sight, terrain, arc, area of impact; and falling back on it."""

from functools import cache
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from grognard.board.hexes import distance, neighbours, squared_distance
from grognard.board.tiles import Tile, is_inside
from grognard.core.rules import End
from grognard.core.systems import Json
from grognard.systems.assault.damage import FallbackField, fallback_end
from grognard.systems.assault.state import State

from .battles import GUN, HMG, MORTAR, RIFLES, TANK, fate, fight, gathered, played, sentences

US_TANK: Json = {"id": "sherman", "side": "us", "card": "medium tank"}


def on_board(by: Json, on: Json, *others: Json, hexes: list[Json] | None = None, **attack: Any) -> Json:
    """An attack on a board of 12 by 9, from [2, 5] on [6, 5] unless told otherwise."""
    source = fight({"at": [2, 5], **by}, {"at": [6, 5], **on}, *others, **{"range": None, **attack})
    return {**source, "board": {"size": [12, 9], "hexes": hexes or []}}


def test_attack_1_0_range_and_terrain_are_read_off_the_board() -> None:
    play = played(on_board(RIFLES, HMG, hexes=[{"at": [6, 5], "terrain": "brush"}]))
    assert sentences(play, "attack 1.0") == ["rifles on hmg: range 4, terrain brush, line of sight clear"]


def test_attack_1_0_what_the_file_says_goes_before_the_board() -> None:
    source = on_board(
        RIFLES, HMG, hexes=[{"at": [4, 5], "terrain": "brush"}], range=7, terrain="rocky", hindering=2, spotted=True
    )
    assert gathered(source) == ("YG", "YYGGB")


@pytest.mark.parametrize(
    ("hexes", "hindering"),
    [
        ([], 0),
        ([{"at": [4, 5], "terrain": "light forest"}], 1),
        ([{"at": [4, 5], "smoke": True}], 1),
        ([{"at": [4, 5], "terrain": "light forest", "smoke": True}], 1),
        ([{"at": [3, 5], "terrain": "brush"}, {"at": [5, 5], "smoke": True}], 2),
        ([{"at": [2, 5], "terrain": "brush"}], 0),
        ([{"at": [4, 6], "terrain": "brush"}], 0),
    ],
)
def test_defence_3_0_hindering_hexes_and_smoke_between_are_counted(hexes: list[Json], hindering: int) -> None:
    assert gathered(on_board(RIFLES, HMG, hexes=hexes))[1] == "YG" + "G" * hindering


@pytest.mark.parametrize(
    ("hills", "hindering"), [({}, 1), ({(2, 5): 3, (6, 5): 3}, 0), ({(2, 5): 1, (6, 5): 1}, 1), ({(4, 5): -1}, 1)]
)
def test_defence_3_0_elevation_lets_units_see_over_what_hinders(
    hills: dict[tuple[int, int], int], hindering: int
) -> None:
    hexes: list[Json] = [{"at": [4, 5], "terrain": "light forest", "elevation": hills.get((4, 5), 0)}]
    hexes += [{"at": list(at), "elevation": level} for at, level in hills.items() if at != (4, 5)]
    assert gathered(on_board(RIFLES, HMG, hexes=hexes))[1] == "YG" + "G" * hindering


@pytest.mark.parametrize(
    ("at", "facing", "dice"),
    [
        ([2, 5], "northwest", "YG"),
        ([2, 5], "southwest", "YG"),
        ([2, 5], "north", "G"),
        ([2, 5], "south", "G"),
        ([2, 5], "northeast", "B"),
        ([2, 5], "southeast", "B"),
        ([6, 3], "northeast", "G"),  # straight from the north, on the boundary of front and flank
        ([6, 3], "north", "YG"),
        ([6, 3], "southeast", "B"),  # on the boundary of flank and rear
    ],
)
def test_defence_1_0_the_area_of_impact_is_where_the_line_of_sight_enters_and_the_weaker_on_a_boundary(
    at: list[int], facing: str, dice: str
) -> None:
    bazooka = {"id": "bazooka", "side": "us", "card": "US Bazooka", "at": at}
    assert gathered(on_board(bazooka, {**TANK, "facing": facing}))[1] == dice


def test_defence_2_0_a_bunker_protects_as_its_unit_faces() -> None:
    for facing, dice in (("northwest", "RRYY"), ("north", "RYYY"), ("northeast", "RRY"), (None, "RRYY")):
        unit = {**HMG, **({"facing": facing} if facing else {})}
        source = on_board(RIFLES, unit, hexes=[{"at": [6, 5], "terrain": "bunker"}])
        assert gathered(source)[1] == dice


def test_attack_5_0_a_turret_fires_out_of_the_arc() -> None:
    assert gathered(on_board({**US_TANK, "facing": "northeast"}, HMG)) == ("YG", "YG")
    assert gathered(on_board({**US_TANK, "facing": "northwest"}, HMG, fire="turret_firing")) == ("YG", "YGB")


def test_attack_5_0_who_does_not_say_how_it_faces_faces_the_enemy() -> None:
    assert gathered(on_board(US_TANK, TANK)) == gathered(on_board(US_TANK, TANK, in_arc=True, area="front"))
    assert gathered(on_board(MORTAR, HMG)) == gathered(on_board(MORTAR, HMG, in_arc=True))
    assert gathered(on_board(RIFLES, GUN)) == gathered(on_board(RIFLES, GUN, area="front"))


def test_attack_5_0_an_adjacent_friend_has_its_own_range_and_line_of_sight() -> None:
    friend = {"id": "friend", "side": "us", "card": "US Rangers 43", "at": [3, 5]}
    assert gathered(on_board(RIFLES, HMG, friend, joint="friend"))[0] == "RRR"
    hexes = [{"at": [5, 5], "terrain": "brush"}]
    assert gathered(on_board(RIFLES, HMG, friend, joint="friend", hexes=hexes))[0] == "RRY"


def test_attack_1_0_indirect_fire_needs_no_line_of_sight() -> None:
    hexes = [{"at": [4, 5], "terrain": "heavy forest"}]
    assert gathered(on_board({**MORTAR, "facing": "northeast"}, HMG, fire="indirect", hexes=hexes)) == ("GGG", "YG")


def fallen_back(
    on: Json, *others: Json, hexes: list[Json] | None = None, from_: list[int] | None = None, **where: Any
) -> tuple[Any, tuple[int, str, bool]]:
    """Where a suppressed unit is after one Suppression more, and how it fares."""
    source = on_board(
        {**RIFLES, "at": from_ or [2, 5]},
        {**on, "status": "suppressed", **where},
        *others,
        hexes=hexes,
        dice="B",
        defense="",
    )
    play = played(source, ["X"])
    assert isinstance(play.pending, End)
    assert isinstance(play.pending.state, State)
    return play.pending.state.target.at, fate(source, ["X"])


def test_defence_9_0_falling_back_is_base_move_and_one_more_hex_away_from_the_enemy() -> None:
    assert fallen_back(HMG) == ((9, 5), (0, "fallback", False))
    assert fallen_back({**HMG, "move": 4}) == ((11, 5), (0, "fallback", False))
    assert fallen_back({"id": "cars", "side": "ge", "kind": "infantry", "strength": 3}) == (
        (9, 5),
        (0, "fallback", False),
    )


def test_defence_9_0_the_way_back_bends_round_what_is_in_it() -> None:
    enemy = {"id": "rangers", "side": "us", "card": "US Rangers 43", "at": [8, 5]}
    friend = {**HMG, "id": "friend", "at": [8, 5]}
    assert fallen_back(HMG, enemy)[0] == (9, 4)
    assert fallen_back(HMG, friend)[0] == (9, 5)
    assert fallen_back(HMG, hexes=[{"at": [8, 5], "terrain": "deep water"}])[0] == (9, 4)


def test_defence_9_0_who_cannot_fall_back_far_enough_stops_and_takes_a_damage() -> None:
    assert fallen_back(HMG, at=[11, 5]) == ((12, 3), (1, "fallback", False))
    assert fallen_back(HMG, at=[12, 1], from_=[8, 1]) == ((12, 1), (1, "fallback", False))


def test_defence_9_0_that_damage_may_eliminate_it() -> None:
    assert fallen_back({**HMG, "damage": 2}, at=[12, 1], from_=[8, 1])[1] == (3, "eliminated", False)


def test_defence_2_0_on_a_boundary_the_area_with_fewer_symbols_expected_counts_card_and_terrain_by_themselves() -> None:
    on = {"id": "schützen", "side": "ge", "card": "GE Rifles 43", "at": [4, 4], "facing": "northeast"}
    source = on_board({**RIFLES, "at": [2, 3]}, on, hexes=[{"at": [4, 4], "terrain": "bunker"}])
    assert gathered(source)[1] == "RRY"  # the bunker's rear RR is weaker than its flank RYY; Y is the card's own
    tank = {**TANK, "at": [4, 4], "facing": "northeast", "defense": dict.fromkeys(("front", "above"), "R")}
    tank["defense"] |= {"flank": "B", "rear": "GB"}
    struck = on_board({**US_TANK, "at": [2, 3]}, tank, hexes=[{"at": [4, 4], "terrain": "bunker"}])
    assert gathered(struck)[1] == "B"


TILES = st.tuples(st.integers(1, 9), st.integers(1, 9))


@given(TILES, TILES, st.integers(0, 12), st.frozensets(TILES, max_size=25))
def test_defence_9_0_the_way_back_is_a_longest_one_and_as_straight_as_can_be(
    enemy: Tile, start: Tile, hexes: int, blocked: frozenset[Tile]
) -> None:
    assume(enemy != start)
    field = FallbackField(enemy, (9, 9), blocked)
    assert fallback_end(field, start, hexes) == plain_way(field, start, hexes)
    open_field = FallbackField(enemy, (9, 9), frozenset())
    assert fallback_end(open_field, start, hexes) == plain_way(open_field, start, hexes)


def plain_way(field: FallbackField, start: Tile, hexes: int) -> tuple[Tile, int]:
    """Step by step, with the longest way from every hex worked out anew."""

    @cache
    def longest(tile: Tile, left: int) -> int:
        return max((1 + longest(other, left - 1) for other in farther(tile)), default=0) if left else 0

    def farther(tile: Tile) -> list[Tile]:
        here = distance(field.enemy, tile)
        return [
            other
            for other in neighbours(tile)
            if distance(field.enemy, other) > here and is_inside(other, field.size) and other not in field.blocked
        ]

    tile, length = start, longest(start, hexes)
    for left in range(length, 0, -1):
        tile = max(
            (other for other in farther(tile) if longest(other, left - 1) == left - 1),
            key=lambda other: squared_distance(field.enemy, other),
        )
    return tile, length


def test_defence_9_0_a_long_way_back_is_found_at_once() -> None:
    field = FallbackField((1, 1), (10**6, 10**6), frozenset())
    assert fallback_end(field, (3, 1), 10**6) == ((10**6, 7), 10**6)
    assert fallen_back({**HMG, "move": 3_000})[1] == (1, "fallback", False)


def test_defence_9_0_the_move_is_told() -> None:
    source = on_board(RIFLES, {**HMG, "delayed": True}, dice="B", defense="")
    assert sentences(played(source, ["X"]), "defence 9.0") == ["hmg: falling back", "hmg: to column 9, row 5"]
