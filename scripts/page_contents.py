"""Write a list of contents under the title of each long page of the documentation.

    python scripts/page_contents.py [PAGE ...]

Without arguments it goes through `docs/`. `check_docs.py` refuses a long page whose list is missing or out of date.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LONGEST = 120
"""Lines of two screens: a longer page has a list of contents."""
WIDTH = 120
BEGINNING = "**Contents:** "
_LIST = re.compile(rf"^{re.escape(BEGINNING)}.*?\n\n", re.DOTALL | re.MULTILINE)
_FENCED = re.compile(r"^( *)```.*?^\1```", re.DOTALL | re.MULTILINE)


def headings(text: str, least: int = 1, most: int = 6) -> list[str]:
    """Return the headings of a page between two levels, those in blocks of code left out."""
    return re.findall(rf"^#{{{least},{most}}} (.+)$", _FENCED.sub("", text), re.MULTILINE)


def anchor(heading: str) -> str:
    """Return the anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def contents(text: str) -> str:
    """Return the list of a page's sections, in lines of at most `WIDTH` characters where a link allows it."""
    lines, line = [], BEGINNING
    links = [f"[{heading}](#{anchor(heading)})" for heading in headings(text, 2, 2)]
    for number, link in enumerate(links):
        piece = link + (" ·" if number < len(links) - 1 else "")
        if len(line) + len(piece) > WIDTH and line != BEGINNING:
            lines.append(line.rstrip())
            line = ""
        line += f"{piece} "
    return "\n".join([*lines, line.rstrip()])


def with_contents(text: str) -> str:
    """Return a page with its list of contents under the title if it is long, and without one if it is not."""
    plain = _LIST.sub("", text, count=1)
    if len(plain.splitlines()) <= LONGEST or not headings(plain, 2, 2):
        return plain
    title, _, rest = plain.partition("\n")
    return f"{title}\n\n{contents(plain)}\n{rest}"


def main(pages: list[Path]) -> None:
    """Write the lists of these pages, or of all if there are none."""
    for page in pages or sorted((ROOT / "docs").rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        if with_contents(text) != text:
            page.write_text(with_contents(text), encoding="utf-8")
            print(page)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", type=Path, nargs="*", metavar="PAGE", help="[default: all of docs/]")
    main(parser.parse_args().pages)
