"""Names of sides, units and places in sentences."""


def the(name: str) -> str:
    """`the guns`; a name that begins with a capital or a digit has no article: `Osprey`."""
    return f"the {name}" if name[:1].islower() else name


def capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


def side_name(side: str) -> str:
    """`Blue`; one or two letters are a nation: `US`."""
    return side.upper() if len(side) <= 2 else capitalized(side)


def of_side(side: str, name: str) -> str:
    """`Blue rifles`; a name that begins with its side stays as it is: `US bazooka`."""
    return name if name.startswith(f"{side_name(side)} ") else f"{side_name(side)} {name}"


def tile_name(tile: tuple[int, int]) -> str:
    """`column 4, row 6`."""
    return f"column {tile[0]}, row {tile[1]}"


def count_of(number: int, noun: str) -> str:
    """`1 unit`, `2 units`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
