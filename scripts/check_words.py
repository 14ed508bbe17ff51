"""Hold the code to the field's words: no local name and no docstring speaks a private language.

    python scripts/check_words.py [FOLDER OR FILE ...]

Without arguments everything in `CHECKED` is read; `make check` does so.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

CHECKED = (Path("src/wordworth"), Path("benchmarks"), Path("recipes"), Path("scripts"))
"""Folders that are held to the rules."""
WORDS = frozenset(
    [
        "found",
        "one",
        "ones",
        "said",
        "told",
        "given",
        "asked",
        "mine",
        "some",
        "place",
        "places",
        "shown",
        "crew",
        "sitting",
        "desk",
        "climbed",
        "dear",
        "parted",
        "ahead",
        "begun",
        "doubt",
        "doubts",
        "mark_of",
        "whom",
        "looked",
        "lead",
        "leads",
        "taught",
    ]
)
"""Names that say nothing of what they hold: a local variable names the thing."""
VAGUE_START = re.compile(r"(Of|Its|Whether it|That|Whoever|What it)\b")
"""How a docstring's first line does not begin: it names the thing, or says what the function does."""
MOST_UNEXPLAINED = 3
"""A public function with more parameters than these explains them under `Args:`."""


def names_bound(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield (line, name) for every local variable, every parameter of a private function and every private function."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        name = getattr(function, "name", "_lambda")
        if name.startswith("_") and not name.endswith("__"):
            yield function.lineno, name.strip("_")
            arguments = function.args
            for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
                yield argument.lineno, argument.arg
        for node in ast.walk(function):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.lineno, node.id


def docstring_faults(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield (line, fault) for docstrings that begin vaguely or leave many parameters unexplained."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        text = ast.get_docstring(node) or ""
        if VAGUE_START.match(text):
            yield node.lineno, f"the docstring of {node.name} begins with {text.split()[0]!r}: name the thing"
        if isinstance(node, ast.ClassDef) or node.name.startswith("_") or not text:
            continue
        parameters = [a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
        parameters = [name for name in parameters if name not in {"self", "cls"}]
        if len(parameters) > MOST_UNEXPLAINED and "Args:" not in text:
            yield node.lineno, f"{node.name} has {len(parameters)} parameters and no 'Args:'"


def faults(path: Path) -> Iterator[str]:
    """Yield one line for each fault of a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for line, name in sorted(set(names_bound(tree))):
        if name in WORDS:
            yield f"{path}:{line}: the name {name!r} says nothing of what it holds"
    for line, fault in docstring_faults(tree):
        yield f"{path}:{line}: {fault}"


def main(arguments: list[str]) -> int:
    """Print the faults of the files named, or of all that are checked; 1 where there are any."""
    roots = [Path(argument) for argument in arguments] or CHECKED
    files = [file for root in roots for file in (sorted(root.rglob("*.py")) if root.is_dir() else [root])]
    lines = [line for file in files for line in faults(file)]
    print("\n".join(lines) or f"{len(files)} files: names and docstrings hold")
    return int(bool(lines))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
