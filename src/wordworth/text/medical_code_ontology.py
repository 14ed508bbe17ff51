"""Ontologies (hierarchies) of medical codes, such as ATC or ICD-10-CM, read from tables of child and parent codes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput, nearest
from wordworth.text.file_formats.read import read_rows
from wordworth.text.file_formats.table import TextTable

Edges = NDArray[np.int64]
CHILD, CODE, PARENT = "child", "code", "parent"
_FORM = "give a table with columns child and parent; the parent of a root is empty"


@dataclass(frozen=True, slots=True)
class CodeGraph:
    """The graph of some codes of an ontology and all their ancestors, as numbered nodes.

    Attributes:
        nodes: the codes, then all ancestors that are not among the codes.
        codes: number of codes, which are the first nodes.
        from_children: int64 [2, m], the edges (node, child) of every node, and an edge (node, node) for every node, as
            indices into `nodes`.
        from_ancestors: int64 [2, m], the edges (code, ancestor) of the codes, and an edge (node, node) for every node,
            as indices into `nodes`.
    """

    nodes: tuple[str, ...]
    codes: int
    from_children: Edges
    from_ancestors: Edges


@dataclass(frozen=True, slots=True)
class Ontology:
    """The codes of an ontology, such as ICD-9, with their parents.

    A code may have several parents; there are no cycles.

    Attributes:
        name: name of the file.
        sha256: SHA-256 of the file.
        parents: code -> its parents, none for a root.
    """

    name: str
    sha256: str
    parents: Mapping[str, tuple[str, ...]]

    def ancestors(self, code: str) -> tuple[str, ...]:
        """Return all ancestors of a code, the nearest first."""
        above = dict.fromkeys(self.parents[code])
        queue = list(above)
        while queue:
            new = [parent for parent in self.parents[queue.pop(0)] if parent not in above]
            above.update(dict.fromkeys(new))
            queue += new
        return tuple(above)

    def graph(self, codes: Sequence[str], locations: Sequence[str] = ()) -> CodeGraph:
        """Return the graph of these codes and all their ancestors.

        Args:
            codes: the codes.
            locations: the file and line of each code, for the error; empty if the codes are in no file.

        Raises:
            BadInput: the ontology lacks some of the codes (the error names the first of them and its location), or no
                code has a parent.
        """
        self._require(codes, locations)
        above = {code: self.ancestors(code) for code in codes}
        if not any(above.values()):
            what = "no code of the visits has a parent here, so that the ontology says nothing of them"
            raise BadInput(what, where=self.name, mend="give the parents of these codes, or leave the ontology out")
        nodes = tuple(dict.fromkeys((*codes, *(each for code in codes for each in above[code]))))
        number = {node: index for index, node in enumerate(nodes)}
        itself = [(index, index) for index in range(len(nodes))]
        children = [(number[parent], number[node]) for node in nodes for parent in self.parents[node]]
        ancestors = [(number[code], number[each]) for code in codes for each in above[code]]
        return CodeGraph(nodes, len(codes), _edges(itself + children), _edges(itself + ancestors))

    def _require(self, codes: Sequence[str], locations: Sequence[str]) -> None:
        """Check that the ontology has all of these codes."""
        unknown = [index for index, code in enumerate(codes) if code not in self.parents]
        if unknown:
            first = codes[unknown[0]]
            where = locations[unknown[0]] if locations else self.name
            more = f" and {len(unknown) - 1:,} more" if len(unknown) > 1 else ""
            mend = f"add them with their parents, or leave the ontology out; {nearest(first, self.parents)}"
            raise BadInput(f"{self.name} has no code {first!r:.60}{more} of the visits", where=where, mend=mend)


def read_ontology(path: Path | str) -> Ontology:
    """Read an ontology from a table.

    Args:
        path: a table with a column `child` (or `code`) and a column `parent`, and one row for each parent of a code;
            other columns are ignored. A code that only occurs as a parent is a root.

    Raises:
        BadInput: a column is missing, a child has no code, or a code is its own ancestor; the error names the row (the
            last row of a cycle).
    """
    table = read_rows(path)
    parents: dict[str, list[str]] = {}
    for row, (code, parent) in enumerate(zip(_children(table), table.column(PARENT), strict=True)):
        if not code:
            raise BadInput("a row without a code", where=table.where(row), mend=_FORM)
        parents.setdefault(code, [])
        if parent:
            parents.setdefault(parent, [])
            parents[code] += [parent] * (parent not in parents[code])
    _require_no_circle(parents, table)
    return Ontology(Path(table.path).name, table.sha256, {code: tuple(above) for code, above in parents.items()})


def _require_no_circle(parents: Mapping[str, Sequence[str]], table: TextTable) -> None:
    """Make sure that no code is its own ancestor."""
    try:
        TopologicalSorter(parents).prepare()
    except CycleError as error:
        circle = tuple(reversed(error.args[1]))
        what = f"a code is its own ancestor: {' → '.join(circle)}"
        where = table.where(_last_row(set(pairwise(circle)), table))
        raise BadInput(what, where=where, mend="remove one of these links from a child to a parent") from error


def _last_row(links: Collection[tuple[str, str]], table: TextTable) -> int:
    """Return the index of a table's last row that has one of the links, each (child, parent)."""
    rows = zip(_children(table), table.column(PARENT), strict=True)
    return max(row for row, link in enumerate(rows) if link in links)


def _children(table: TextTable) -> list[str]:
    return table.column(CHILD if CHILD in table.columns or CODE not in table.columns else CODE)


def _edges(pairs: Sequence[tuple[int, int]]) -> Edges:
    return np.array(pairs, dtype=np.int64).T
