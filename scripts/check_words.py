"""Hold the code to the field's words: no name, docstring, help or message speaks a private language.

    python scripts/check_words.py [FOLDER OR FILE ...]

Without arguments everything in `CHECKED` is read; `make check` does so. The words are in `private_words.py`.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from private_words import API_NAMES, NAMES, TEXT, is_allowed

CHECKED = (Path("src/wordworth"), Path("benchmarks"), Path("recipes"), Path("scripts"), Path("docs"), Path("tests"))
"""Folders that are held to the rules; of `tests` the helpers, not the tests themselves."""
DOCSTRINGS_FREE = ("docs", "tests")
"""Folders whose functions are called by a tool or by tests alone: their docstrings need not explain parameters."""
VAGUE_START = re.compile(r"(Of|Its|Whether it|That|Whoever|What it)\b")
"""How a docstring's first line does not begin: it names the thing, or says what the function does."""
MOST_UNEXPLAINED = 3
"""A public function with more parameters than these explains them under `Args:`."""
MESSAGES = frozenset({"BadInput", "MissingExtra", "NotFound", "Finding", "setting", "note", "notice", "warn", "echo"})
"""Functions whose string arguments a user reads."""
MESSAGE_KEYWORDS = frozenset({"help", "what", "mend", "title", "epilog", "short_help", "description", "metavar"})
"""Names of arguments, and of variables, whose strings a user reads."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


def local_names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield (line, name) for every name that is bound inside a function, and every parameter of a lambda."""
    for function in ast.walk(tree):
        if isinstance(function, Function | ast.Lambda):
            for node in ast.walk(function):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    yield node.lineno, node.id
        if isinstance(function, ast.Lambda):
            yield from _parameters(function)


def api_names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield (line, name) for every function, class, parameter and field, without leading underscores."""
    for node in ast.walk(tree):
        if isinstance(node, Function):
            yield node.lineno, node.name.strip("_")
            yield from _parameters(node)
        elif isinstance(node, ast.ClassDef):
            yield node.lineno, node.name.strip("_").lower()
            yield from _fields(node)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.attr.strip("_")


def _parameters(function: Function | ast.Lambda) -> Iterator[tuple[int, str]]:
    arguments = function.args
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        yield argument.lineno, argument.arg


def _fields(node: ast.ClassDef) -> Iterator[tuple[int, str]]:
    for statement in node.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            yield statement.lineno, statement.target.id.strip("_")


def texts(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield (line, text) for every docstring, and every piece of a string that is a user's help or message."""
    for node in ast.walk(tree):
        for value in _values_read(node):
            yield from _strings(value)


def _values_read(node: ast.AST) -> list[ast.expr]:
    """Return the expressions of a node whose strings are docstrings, help or messages."""
    if isinstance(node, ast.Expr):
        return [node.value]
    if isinstance(node, ast.Call):
        called = getattr(node.func, "id", getattr(node.func, "attr", ""))
        by_name = [keyword.value for keyword in node.keywords if keyword.arg in MESSAGE_KEYWORDS]
        return [*(node.args if called in MESSAGES else ()), *by_name]
    if isinstance(node, ast.Assign):
        names = {target.id for target in node.targets if isinstance(target, ast.Name)}
        return [node.value] if MESSAGE_KEYWORDS & names else []
    return []


def _strings(value: ast.expr) -> Iterator[tuple[int, str]]:
    """Yield (line, text) of a string, or of the fixed parts of an f-string or of a choice between strings."""
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        yield value.lineno, value.value
    elif isinstance(value, ast.JoinedStr):
        yield from (part for piece in value.values for part in _strings(piece))
    elif isinstance(value, ast.IfExp):
        yield from (*_strings(value.body), *_strings(value.orelse))


def word_faults(tree: ast.AST, path: Path) -> Iterator[tuple[int, str]]:
    """Yield (line, fault) for each private word in a name or text of a file."""
    for names, private in ((local_names(tree), NAMES), (api_names(tree), NAMES | API_NAMES)):
        for line, name in names:
            if name in private and not is_allowed(name, path):
                yield line, f"the name {name!r} says nothing of what it holds"
    for line, text in texts(tree):
        for word, pattern in TEXT.items():
            match = pattern.search(text)
            if match and not is_allowed(word, path):
                yield line + text.count("\n", 0, match.start()), f"a text says {word!r}: say it in plain words"


def docstring_faults(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield (line, fault) for docstrings that begin vaguely or leave many parameters unexplained."""
    for node in ast.walk(tree):
        if not isinstance(node, Function | ast.ClassDef):
            continue
        text = ast.get_docstring(node) or ""
        if VAGUE_START.match(text):
            yield node.lineno, f"the docstring of {node.name} begins with {text.split()[0]!r}: name the thing"
        if isinstance(node, ast.ClassDef) or node.name.startswith("_") or not text:
            continue
        names = [name for _, name in _parameters(node) if name not in {"self", "cls"}]
        if len(names) > MOST_UNEXPLAINED and "Args:" not in text:
            yield node.lineno, f"{node.name} has {len(names)} parameters and no 'Args:'"


def faults(path: Path) -> Iterator[str]:
    """Yield one line for each fault of a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    of_docstrings = () if path.parts[0] in DOCSTRINGS_FREE else docstring_faults(tree)
    for line, fault in sorted({*word_faults(tree, path), *of_docstrings}):
        yield f"{path}:{line}: {fault}"


def files_in(folder: Path) -> list[Path]:
    """Return the files of a folder that are checked: those whose names do not begin with `test_`."""
    return [path for path in sorted(folder.rglob("*.py")) if not path.name.startswith("test_")]


def main(arguments: list[str]) -> int:
    """Print the faults of the files named as arguments, or of all checked files; return 1 if there are any, else 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", type=Path, nargs="*", metavar="PATH", help="[default: all checked files]")
    roots = parser.parse_args(arguments).paths or CHECKED
    files = [file for root in roots for file in (files_in(root) if root.is_dir() else [root])]
    lines = [line for file in files for line in faults(file)]
    print("\n".join(lines) or f"{len(files)} files: names and texts hold")
    return int(bool(lines))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
