"""Numbers as people read them: chances, values, sizes."""

from math import log10

from grognard.core.distributions import Probability

LONGEST_FRACTION = 40
"""Longer fractions are shown only with --json."""
CONFIDENCE = 1.96
"""A 95 % confidence interval extends this many standard errors to either side."""


def percent(chance: Probability) -> str:
    """`40.15 %`. Only a certain event is `100.00 %`, only an impossible one `0.00 %`."""
    text = f"{100 * float(chance) + 0.0:.2f} %"  # adding zero, for there is a negative one
    if text == "100.00 %" and chance < 1 - 1e-12:
        return ">99.99 %"
    if text == "0.00 %" and chance > 0:
        return "<0.01 %"
    return text


def points(change: Probability) -> str:
    """A change of a chance in percentage points: `+10.00`."""
    return f"{100 * float(change):+.2f}".replace("-", "−")


def signed(value: Probability, digits: int = 4) -> str:
    """`+0.1318`, `−0.5000`, `0`."""
    number = float(value)
    return f"{number:+.{digits}f}".replace("-", "−") if round(number, digits) else "0"


def signed_whole(value: Probability) -> str:
    """`+2`, `−1`, `0`; a number that is not whole is shown with four digits."""
    if value != int(value):
        return signed(value)
    return f"{int(value):+d}".replace("-", "−") if value else "0"


def decimal(value: Probability) -> str:
    """`1.08`."""
    return f"{float(value):.2f}".replace("-", "−")


def fraction(number: Probability) -> str:
    """`7/36`; a fraction that is too long is described by its length."""
    text = str(number).replace("-", "−")
    return text if len(text) <= LONGEST_FRACTION else f"a fraction of {len(text):,} characters, see --json"


def count(number: int, noun: str, plural: str = "") -> str:
    """`1 die`, `2 dice`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def ordinal(number: int) -> str:
    """`2nd`, `3rd`, `11th`."""
    last = 0 if number % 100 in (11, 12, 13) else number % 10
    return f"{number:,}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(last, 'th') }"


def magnitude(number: int) -> str:
    """How large a number is, in words: `950`, `about 25 million`, `about 10^24`."""
    if number < 10_000:
        return f"{number:,}"
    for size, word in ((10**12, "trillion"), (10**9, "billion"), (10**6, "million"), (10**3, "thousand")):
        if size <= number < 1000 * size:
            return f"about {number / size:.3g} {word}"
    return f"about 10^{_digits(number) - 1}"


def _digits(number: int) -> int:
    """How many decimal digits a large number has, without writing it out."""
    shift = max(number.bit_length() - 64, 0)
    return int(log10(number >> shift) + shift * log10(2)) + 1


def duration(seconds: float) -> str:
    """`40 s`, `12 min`, `3 h 20 min`."""
    minutes = round(seconds / 60)
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"
