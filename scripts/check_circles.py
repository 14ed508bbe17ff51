"""Find import circles between the modules of `src/`: `python scripts/check_circles.py`.

Imports under `TYPE_CHECKING` count, those inside functions do not: they are there to load late. Exits 1 if there is a
circle.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "src"


def modules() -> dict[str, Path]:
    """Return every module of the package, by its dotted name."""
    paths = {".".join(path.relative_to(SOURCE).with_suffix("").parts): path for path in SOURCE.rglob("*.py")}
    return {name.removesuffix(".__init__"): path for name, path in paths.items()}


def imports(node: ast.AST, known: Mapping[str, Path]) -> Iterator[str]:
    """Yield the modules of the package that a module imports outside its functions."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if isinstance(child, ast.Import):
            yield from (alias.name for alias in child.names if alias.name in known)
        elif isinstance(child, ast.ImportFrom) and child.module in known:
            for alias in child.names:
                submodule = f"{child.module}.{alias.name}"
                yield submodule if submodule in known else child.module
        yield from imports(child, known)


def main() -> int:
    """Print a circle if there is one; return the exit code, 1 if there is one."""
    known = modules()
    graph = {name: set(imports(ast.parse(path.read_text("utf-8")), known)) - {name} for name, path in known.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        print("these modules import each other: " + " -> ".join(reversed(error.args[1])))
        return 1
    print(f"{len(known)} modules: no import circle")
    return 0


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    sys.exit(main())
