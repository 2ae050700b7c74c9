"""HTML read strictly: every element closed where it should be, and what it says as plain lists."""

from html.parser import HTMLParser

VOID = {"meta", "br", "hr", "img", "link", "input"}
LOADING = {"src", "href", "srcset", "data", "action", "poster", "background", "xlink:href"}


class Page(HTMLParser):
    """A page or a piece of one; refuses what is not well-formed."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.text = text
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.outside: list[str] = []
        self.rows: list[list[str]] = []
        self.captions: list[str] = []
        self.headings: list[str] = []
        self.styles: list[str] = []
        self.feed(text)
        self.close()
        assert [] == self.open, f"never closed: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        names = [name for name, _ in attrs]
        assert len(set(names)) == len(names), f"<{tag}> has an attribute twice: {names}"
        self.outside += [f"{tag} {name}={value}" for name, value in attrs if name in LOADING or name.startswith("on")]
        self.outside += [f"{tag} {value}" for _, value in attrs if value and ("url(" in value or "//" in value)]
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
        elif tag == "caption":
            self.captions.append("")
        elif tag in ("h1", "h2", "h3"):
            self.headings.append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert tag == self.open.pop(), f"</{tag}> closes something else"

    def handle_data(self, data: str) -> None:
        text = data.replace("\u00a0", " ")
        if "style" in self.open:
            self.styles.append(text)
        elif "td" in self.open or "th" in self.open:
            self.rows[-1][-1] += text
        elif "caption" in self.open:
            self.captions[-1] += text
        elif {"h1", "h2", "h3"} & set(self.open):
            self.headings[-1] += text

    @property
    def cells(self) -> set[str]:
        """All that stands in tables."""
        return {cell for row in self.rows for cell in row}
