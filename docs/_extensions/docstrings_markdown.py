"""Two habits of Markdown in docstrings, as reStructuredText has them: indented blocks of code, and `Name`s."""

from __future__ import annotations

import re

NAME = re.compile(r"(?<!`)`([^`]+)`(?=\w)")
INDENT = "    "


def translate(lines: list[str]) -> list[str]:
    """Return the lines of a docstring with its code blocks and names as reStructuredText has them."""
    translated: list[str] = []
    last = ""  # the last line that is not empty
    for number, line in enumerate(lines):
        begins = line.startswith(INDENT) and number > 0 and not lines[number - 1].strip()
        if begins and not last.startswith(" ") and not last.endswith(":"):
            translated += [".. code-block:: python", ""]
        translated.append(NAME.sub(r"`\1`\\ ", line))
        last = line if line.strip() else last
    return translated
