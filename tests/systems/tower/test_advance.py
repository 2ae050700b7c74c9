"""Step 9: the attacker's move onto the defender's tile."""

from tests.systems.tower.battles import attack, left, prompt, unit

RED, BLUE = unit("red", 4, 4, attack=3), unit("blue", 5, 4)
ASKED = 'red decides: Does the red advance? ("yes", "no")'


def test_9_the_attacker_may_move_onto_the_tile_of_a_defender_that_was_pushed_off() -> None:
    assert prompt(attack(RED, BLUE), [6, 6, 1]) == ASKED
    assert left(attack(RED, BLUE), [6, 6, 1], "yes") == {"red": (3, [5, 4]), "blue": (1, [6, 4])}
    assert left(attack(RED, BLUE), [6, 6, 1])["red"] == (3, [4, 4])


def test_9_or_of_one_that_died() -> None:
    assert prompt(attack(RED, BLUE), [6, 6, 6]) == ASKED
    assert left(attack(RED, BLUE), [6, 6, 6], "yes") == {"red": (3, [5, 4]), "blue": (0, None)}


def test_9_but_not_where_the_defender_stands() -> None:
    assert prompt(attack(RED, BLUE), [1, 1, 1], "no") == "over"
    held = attack(RED, BLUE, size=(5, 5), off_the_board="stays")
    assert prompt(held, [6, 6, 1], "no") == "over"


def test_9_nor_if_it_died_in_the_counterattack() -> None:
    source = attack(unit("red", 4, 4, attack=3, health=1), unit("blue", 5, 4, range=1))
    assert prompt(source, [6, 6, 1], "yes", [6, 6]) == "over"


def test_9_from_afar_unless_the_table_says_otherwise() -> None:
    units = unit("red", 4, 4, attack=3, range=2), unit("blue", 7, 4)
    assert left(attack(*units), [6, 6, 6], "yes")["red"] == (3, [7, 4])
    assert prompt(attack(*units, ranged_advance=False), [6, 6, 6]) == "over"
    assert left(attack(RED, BLUE, ranged_advance=False), [6, 6, 6], "yes")["red"] == (3, [5, 4])
