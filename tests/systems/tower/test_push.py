"""Step 6: the push, the bump, and what may be in the way."""

import pytest

from tests.systems.tower.battles import Json, attack, left, unit

RED = unit("red", 4, 4, attack=2)
BLUE = unit("blue", 5, 4)


def test_6_at_half_its_health_or_below_the_primary_defender_moves_one_tile_on() -> None:
    assert left(attack(RED, BLUE), [6, 6]) == {"red": (3, [4, 4]), "blue": (1, [6, 4])}


@pytest.mark.parametrize(
    ("health", "full_health", "faces", "at"),
    [
        (4, 4, [6, 1], [5, 4]),  # 3 of 4
        (4, 4, [6, 6], [6, 4]),  # 2 of 4, just half
        (5, 5, [6, 6], [5, 4]),  # 3 of 5
        (3, 7, [1, 1], [5, 4]),  # below half before, but not hurt now
        (3, 7, [6, 1], [6, 4]),
    ],
)
def test_6_only_damage_that_leaves_half_of_the_full_health_or_less_pushes(
    health: int, full_health: int, faces: list[int], at: list[int]
) -> None:
    source = attack(RED, unit("blue", 5, 4, health=health, full_health=full_health, defense=2))
    assert left(source, faces)["blue"][1] == at


def test_6_reinforcements_are_not_pushed() -> None:
    source = attack(unit("red", 4, 4, attack=5), BLUE, unit("b1", 5, 3))
    assert left(source, "yes", [6] * 5)["b1"] == (1, [5, 3])


@pytest.mark.parametrize(
    ("direction", "at"), [("north", [5, 3]), ("east", [6, 4]), ("south", [5, 5]), ("west", None), (None, [6, 4])]
)
def test_6_the_push_is_in_the_direction_of_the_attackers_movement(direction: str | None, at: list[int] | None) -> None:
    source = attack(RED, BLUE, direction=direction)
    assert left(source, [6, 6])["blue"][1] == at  # westwards is the attacker itself, an enemy


def test_6_of_a_shot_the_longer_axis_is_the_direction() -> None:
    source = attack(unit("red", 4, 4, attack=2, range=2), unit("blue", 5, 6))
    assert left(source, [6, 6])["blue"][1] == [5, 7]


@pytest.mark.parametrize(
    ("direction", "at"), [(None, [6, 4]), ("northeast", [5, 3]), ("southwest", [4, 5]), ("northwest", [4, 3])]
)
def test_6_on_hexes_there_are_six_directions(direction: str | None, at: list[int]) -> None:
    source = attack(RED, BLUE, direction=direction, board="hexes")
    assert left(source, [6, 6])["blue"][1] == at


def test_6_a_friend_in_the_way_is_bumped_and_so_on_down_the_line() -> None:
    source = attack(RED, BLUE, unit("b2", 7, 4), unit("b1", 6, 4))
    units = left(source, "no", [6, 6])
    assert units == {"red": (3, [4, 4]), "blue": (1, [6, 4]), "b2": (3, [8, 4]), "b1": (3, [7, 4])}


def test_6_a_gap_ends_the_line() -> None:
    source = attack(RED, BLUE, unit("b1", 6, 4), unit("b2", 8, 4), unit("b3", 9, 4))
    units = left(source, "no", [6, 6])
    assert [units[name][1] for name in ("blue", "b1", "b2", "b3")] == [[6, 4], [7, 4], [8, 4], [9, 4]]


@pytest.mark.parametrize("enemy", ["r1", "green"])
def test_6_an_enemy_in_the_way_kills_the_primary_defender(enemy: str) -> None:
    source = attack(RED, BLUE, unit(enemy, 6, 4))
    reinforcements = ["no"] if enemy == "r1" else []
    assert left(source, *reinforcements, [6, 6]) == {"red": (3, [4, 4]), "blue": (0, None), enemy: (3, [6, 4])}


@pytest.mark.parametrize(
    ("switch", "blue", "b1", "b2"),
    [("primary_dies", (0, None), (3, [6, 4]), (3, [7, 4])), ("bumped_unit_dies", (1, [6, 4]), (3, [7, 4]), (0, None))],
)
def test_6_a_bumped_friend_with_an_enemy_in_its_way(
    switch: str, blue: tuple[int, object], b1: tuple[int, object], b2: tuple[int, object]
) -> None:
    source = attack(RED, BLUE, unit("b1", 6, 4), unit("b2", 7, 4), unit("r1", 8, 4), bumped_into_enemy=switch)
    units = left(source, "no", [6, 6])
    assert (units["blue"], units["b1"], units["b2"], units["r1"]) == (blue, b1, b2, (3, [8, 4]))


def test_6_with_bumped_unit_dies_an_enemy_right_ahead_still_kills_the_primary_defender() -> None:
    source = attack(RED, BLUE, unit("g1", 6, 4), bumped_into_enemy="bumped_unit_dies")
    assert left(source, [6, 6])["blue"] == (0, None)


EDGE: Json = attack(RED, BLUE, size=(5, 5))
EDGE_WITH_FRIEND = attack(RED, BLUE, unit("b1", 6, 4), size=(6, 5))


def test_6_over_the_edge_is_death() -> None:
    assert left(EDGE, [6, 6])["blue"] == (0, None)


def test_6_a_friend_that_cannot_give_way_at_the_edge_stays_and_the_primary_defender_dies() -> None:
    units = left(EDGE_WITH_FRIEND, "no", [6, 6])
    assert (units["blue"], units["b1"]) == ((0, None), (3, [6, 4]))


@pytest.mark.parametrize("source", [EDGE, EDGE_WITH_FRIEND])
def test_6_with_stays_nobody_moves_at_the_edge_and_the_tile_is_not_free(source: Json) -> None:
    reinforcements = ["no"] * (len(source["units"]) - 2)
    units = left({**source, "rules": {"off_the_board": "stays"}}, *reinforcements, [6, 6])
    assert (units["blue"], units.get("b1", (3, [6, 4]))) == ((1, [5, 4]), (3, [6, 4]))


def test_6_with_wraps_the_opposite_edge_is_next() -> None:
    assert left({**EDGE, "rules": {"off_the_board": "wraps"}}, [6, 6])["blue"] == (1, [1, 4])
    units = left({**EDGE_WITH_FRIEND, "rules": {"off_the_board": "wraps"}}, "no", [6, 6])
    assert (units["blue"], units["b1"]) == ((1, [6, 4]), (3, [1, 4]))


def test_6_with_wraps_an_enemy_at_the_opposite_edge_is_in_the_way() -> None:
    source = attack(RED, BLUE, unit("g1", 1, 4), size=(5, 5), off_the_board="wraps")
    assert left(source, [6, 6])["blue"] == (0, None)


def test_6_with_wraps_a_line_that_comes_round_to_its_start_does_not_move() -> None:
    column = [unit(f"b{row}", 5, row) for row in (1, 2, 3)]
    source = attack(RED, BLUE, *column, size=(5, 4), direction="south", off_the_board="wraps")
    units = left(source, "no", [6, 6])
    assert [units[name][1] for name in ("blue", "b1", "b2", "b3")] == [[5, 4], [5, 1], [5, 2], [5, 3]]


def test_6_half_of_the_health_before_this_attack() -> None:
    source = attack(RED, unit("blue", 5, 4, health=3, full_health=7), half_of="health_before_this_attack")
    assert left(source, [6, 1])["blue"] == (2, [5, 4])
    assert left(source, [6, 6])["blue"] == (1, [6, 4])


def test_6_without_ranged_push_only_an_adjacent_attacker_pushes() -> None:
    shot = attack(unit("red", 4, 4, attack=2, range=1), unit("blue", 6, 4, range=1), ranged_push=False)
    assert left(shot, [6, 6])["blue"] == (1, [6, 4])
    assert left(attack(RED, BLUE, ranged_push=False), [6, 6])["blue"] == (1, [6, 4])


def test_6_a_dead_defender_is_not_pushed_and_bumps_nobody() -> None:
    source = attack(unit("red", 4, 4, attack=3), BLUE, unit("b1", 6, 4))
    assert left(source, "no", [6] * 3)["b1"] == (3, [6, 4])
