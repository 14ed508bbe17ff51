"""A page's elements in order, read with Python's own HTML parser."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "link", "br", "img", "input", "hr"}


@dataclass
class Element:
    """An element with its attributes, the words inside it and the names of what it stands in."""

    name: str
    attributes: dict[str, str]
    inside: tuple[str, ...]
    words: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).split())


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.all: list[Element] = []
        self.open: list[Element] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs}, tuple(part.name for part in self.open))
        self.all.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open[-1].name == tag, f"</{tag}> closes <{self.open[-1].name}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        for element in self.open:
            element.words.append(data)


def elements(html: str) -> list[Element]:
    """Every element in order; fails where tags are not balanced."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert not reader.open, f"{[element.name for element in reader.open]} are never closed"
    return reader.all


def named(html: str, name: str) -> list[Element]:
    """The elements of one name."""
    return [element for element in elements(html) if element.name == name]
