"""Check every link of the documentation: files exist, anchors name a heading. Nothing is fetched.

python scripts/check_docs.py
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken(page: Path) -> list[str]:
    """What is wrong with a page's links."""
    faults = []
    for link in LINK.findall(CODE.sub("", page.read_text(encoding="utf-8"))):
        if link.startswith(("http://", "https://", "mailto:")):
            continue
        place, _, anchor = link.partition("#")
        target = (page.parent / place).resolve() if place else page
        if not target.exists():
            faults.append(f"{page.relative_to(ROOT)}: {link}: no such file")
        elif anchor and target.suffix == ".md" and anchor not in anchors(target):
            faults.append(f"{page.relative_to(ROOT)}: {link}: no such heading")
    return faults


def main() -> int:
    """Print the faults; 1 if there are any."""
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    faults = [fault for page in sorted(pages) for fault in broken(page)]
    print("\n".join(faults) or f"{len(pages)} pages, every link holds")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
