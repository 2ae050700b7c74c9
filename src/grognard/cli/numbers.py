"""Numbers as people read them: chances, values, bars."""

from collections.abc import Mapping
from fractions import Fraction
from math import sqrt

from grognard.core.distributions import Probability

LONGEST = 40
"""A fraction of more characters is left to --json."""


def percent(chance: Probability) -> str:
    """`40.15 %`. Only what is certain is 100, only what is impossible 0."""
    shown = f"{100 * float(chance) + 0.0:.2f} %"  # adding zero, for there is a negative one
    if shown == "100.00 %" and chance < 1 - 1e-12:
        return ">99.99 %"
    if shown == "0.00 %" and chance > 0:
        return "<0.01 %"
    return shown


def signed(value: Probability) -> str:
    """`+0.1318`, `−0.5000`, `0`."""
    number = float(value)
    return f"{number:+.4f}".replace("-", "−") if round(number, 4) else "0"


def whole(value: int) -> str:
    """`+2`, `−1`, `0`."""
    return f"{value:+d}".replace("-", "−") if value else "0"


def plain(value: Probability) -> str:
    """`1.08`."""
    return f"{float(value):.2f}".replace("-", "−")


def fraction(number: Probability) -> str:
    """`7/36`, if that is short enough to be read."""
    text = str(number).replace("-", "−")
    return text if len(text) <= LONGEST else f"a fraction of {len(text):,} characters, see --json"


def word(value: int | str | bool) -> str:
    """A measure's value."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def is_numeric(chances: Mapping[int | str | bool, Probability]) -> bool:
    """Whether these are the chances of numbers, so that there is a mean, and an "at least"."""
    return all(type(value) is int for value in chances)


def mean_and_deviation(chances: Mapping[int, Probability]) -> tuple[Probability, float]:
    """The mean, and the standard deviation around it."""
    zero = Fraction(0)
    mean = sum((chance * value for value, chance in chances.items()), zero)
    variance = sum((chance * (value - mean) ** 2 for value, chance in chances.items()), zero)
    return mean, sqrt(variance)


def bar(share: float, width: int, blocks: bool) -> str:
    """A bar of so much of the width, in eighths of a character where the terminal has them."""
    if not blocks:
        return "#" * max(round(share * width), 1 if share else 0)
    eighths = max(round(share * width * 8), 1 if share else 0)
    return "█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8].strip()
