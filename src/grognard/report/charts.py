"""Charts as SVG inside the page, coloured by its style sheet. Beside each stands a table with the same numbers."""

from collections.abc import Sequence
from html import escape

from grognard.report.parts import Html

HEIGHT = 150
COLUMN = 34
TOP, BOTTOM = 18, 22


def columns(name: str, bars: Sequence[tuple[str, float, str]], side: str | None) -> Html:
    """A column for each value: its label, its chance and the chance in words. The highest fills the height."""
    most = max(chance for _, chance, _ in bars)
    width = COLUMN * len(bars)
    drawn = []
    for place, (label, chance, said) in enumerate(bars):
        height = (HEIGHT - TOP - BOTTOM) * chance / most
        top = HEIGHT - BOTTOM - height
        middle = COLUMN * place + COLUMN / 2
        drawn.append(f'<rect x="{middle - 12:g}" y="{top:.1f}" width="24" height="{height:.1f}" rx="1.5"/>')
        drawn.append(_text(middle, top - 5, said, "small"))
        drawn.append(_text(middle, HEIGHT - 6, label, "label"))
    base = f'<path class="axis" d="M0 {HEIGHT - BOTTOM + 0.5}H{width}"/>'
    return _picture(name, width, HEIGHT, "".join(drawn) + base, f"chart {side or 'neither'}")


def bar(share: float, side: str | None) -> Html:
    """A bar of so much of its full length."""
    return Html(
        f'<svg class="bar {side or "neither"}" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect width="{100 * share:.2f}" height="10"/></svg>'
    )


def tornado(change: float, most: float) -> Html:
    """A bar from the middle: to the right if it favours the attacker, else to the left."""
    length = 50 * abs(change) / most
    side, start = ("attacker", 50.0) if change > 0 else ("defender", 50 - length)
    return Html(
        f'<svg class="bar wide {side}" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect x="{start:.2f}" width="{length:.2f}" height="10"/><path class="axis" d="M50 -1V11"/></svg>'
    )


def _text(x: float, y: float, said: str, kind: str) -> str:
    return f'<text x="{x:g}" y="{y:.1f}" text-anchor="middle" class="{kind}">{escape(said)}</text>'


def _picture(name: str, width: int, height: int, inside: str, kind: str) -> Html:
    return Html(
        f'<svg class="{kind}" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        f'aria-label="{escape(name)}">{inside}</svg>'
    )
