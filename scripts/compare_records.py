"""Compare two folders of JSON key by key: `python scripts/compare_records.py BEFORE/ AFTER/ [--aliases aliases.json]`.

Every difference is a line: the file, the way to the value, what it was and what it is. Exits 1 if there is one. Numbers
are compared exactly unless `--tolerance` is given. `aliases.json` holds names that were changed, old to new; they
count as one name wherever they are keys, and with `--values` also where they are whole texts.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

IGNORED = {
    "timings": "what the clock decides stands here in a record",
    "environment": "the machine, the day and the versions of packages",
    "seconds": "how long a run or a look took",
    "errors": "progress is told when the clock says so",
    "command": "a flag may have got another name",
    **{
        f"{name}_{batch}": "how fast a smaller model is"
        for name in ("milliseconds", "speedup", "speedup_least", "speedup_most")
        for batch in (1, 32)
    },
}
"""Keys that are not compared, wherever they stand, and why."""
MISSING = "nothing"
LONGEST = 160


@dataclass(frozen=True)
class Comparison:
    """The rules by which the values of two records are compared."""

    aliases: Mapping[str, str] = field(default_factory=dict)
    values: bool = False
    tolerance: float = 0.0

    def differences(self, before: Any, after: Any, keys: tuple[str, ...] = ()) -> Iterator[str]:  # noqa: ANN401 - JSON
        """Yield a line for each value that differs below two values of JSON."""
        if isinstance(before, list) and isinstance(after, list) and len(before) != len(after):
            before, after = _by_name(before), _by_name(after)
        if isinstance(before, dict) and isinstance(after, dict):
            yield from self._of_objects(before, after, keys)
        elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
            for index, pair in enumerate(zip(before, after, strict=True)):
                yield from self.differences(*pair, (*keys, str(index)))
        elif not self._same(before, after):
            yield f"{' > '.join(keys)}: {_short(before)} -> {_short(after)}"

    def _of_objects(self, before: dict[str, Any], after: dict[str, Any], keys: tuple[str, ...]) -> Iterator[str]:
        old, new = ({self.aliases.get(key, key): value for key, value in side.items()} for side in (before, after))
        for key in (*old, *(key for key in new if key not in old)):
            if key in IGNORED:
                continue
            if key in old and key in new:
                yield from self.differences(old[key], new[key], (*keys, key))
            else:
                sides = (old.get(key, MISSING), new.get(key, MISSING))
                yield f"{' > '.join((*keys, key))}: {_short(sides[0])} -> {_short(sides[1])}"

    def _same(self, before: Any, after: Any) -> bool:  # noqa: ANN401 - JSON
        if self.values and isinstance(before, str) and isinstance(after, str):
            before, after = (self.aliases.get(text, text) for text in (before, after))
        if type(before) is float and type(after) is float:
            return before == after or math.isclose(before, after, rel_tol=self.tolerance, abs_tol=self.tolerance)
        return type(before) is type(after) and bool(before == after)


def compare(before: Path, after: Path, how: Comparison) -> Iterator[str]:
    """Yield a line for each difference between the JSON files of two folders."""
    names = sorted({str(file.relative_to(folder)) for folder in (before, after) for file in folder.rglob("*.json")})
    for name in names:
        sides = [_read(folder / name) for folder in (before, after)]
        yield from how.differences(*sides, (name,))


def _by_name(items: list[Any]) -> Any:  # noqa: ANN401 - JSON
    """Return a list of named objects, such as findings, as a dict by name; any other list as it is."""
    named = {item["name"]: item for item in items if isinstance(item, dict) and "name" in item}
    return named if len(named) == len(items) else items


def _read(path: Path) -> object:
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else MISSING


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} ..."


def main(words: list[str]) -> int:
    """Print every difference; return the exit code, 1 if there is one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--aliases", type=Path, help="JSON: old name to new name")
    parser.add_argument("--values", action="store_true", help="the aliases are names of values too")
    parser.add_argument("--tolerance", type=float, default=0.0, help="of floats, relative and absolute")
    options = parser.parse_args(words)
    for folder in (options.before, options.after):
        if not any(folder.rglob("*.json")):
            parser.error(f"{folder} holds no JSON file")
    aliases = json.loads(options.aliases.read_text(encoding="utf-8")) if options.aliases else {}
    lines = list(compare(options.before, options.after, Comparison(aliases, options.values, options.tolerance)))
    print("\n".join([*lines, f"{len(lines)} differences"]))
    return min(1, len(lines))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
