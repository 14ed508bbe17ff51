"""Knowledge graphs: triples of a head entity, a relation and a tail entity, from files of three columns."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.sentence_formatting import count_of
from wordworth.text.read_compressed_file import RawFile, read_raw

Triples = NDArray[np.int64]
HEAD, RELATION, TAIL = 0, 1, 2
PARTS = ("train", "valid", "test")
NAMES = "entities"
"""Name, without suffix, of the file with the names of entities, in the folder of the train, valid and test files."""
_SUFFIXES = tuple(f".{form}{packed}" for form in ("tsv", "txt") for packed in ("", ".xz", ".gz", ".zst", ".bz2"))
_FORM = "give triples: head, relation and tail, with a tab between, in each line"
_HELD_OUT = 0.05
"""Share of a single file's triples that become validation triples; as many become test triples."""


@dataclass(frozen=True, slots=True)
class KnowledgeGraph:
    """The training, validation and test triples of a knowledge graph, with numbered entities and relations.

    Attributes:
        name: the name of the folder or file.
        entities: the identifiers of the entities, sorted; an entity's number is its index.
        relations: the identifiers of the relations, sorted; a relation's number is its index.
        train, valid, test: int64 [n, 3], the triples of each split: the numbers of head entity, relation and tail
            entity.
        titles: the readable name of each entity, in the order of `entities`; the identifier for an entity without a
            name.
        files: (name, SHA-256, number of triples) of each file.
    """

    name: str
    entities: tuple[str, ...]
    relations: tuple[str, ...]
    train: Triples
    valid: Triples
    test: Triples
    titles: tuple[str, ...]
    files: tuple[tuple[str, str, int], ...]

    @property
    def triples(self) -> Triples:
        """The training, validation and test triples together, int64 [n, 3]."""
        return np.concatenate((self.train, self.valid, self.test))


def read_graph(path: Path | str, seed: int = 0) -> KnowledgeGraph:
    """Read the triples of a knowledge graph from a folder or a file.

    Args:
        path: a folder of train, valid and test triples (`train.tsv`, `.txt`, compressed or not), or one file. One file
            is split: 5 % validation and 5 % test triples, drawn among triples whose entities and relation also occur in
            other triples. A file `entities.tsv` in the folder, with columns `id` and `name`, gives the names of
            entities; a validation or test triple must then have entities that this file or a training triple has.
        seed: the seed of the split of a single file.

    Raises:
        BadInput: there are no such files; a line does not have three non-empty fields; a split is empty; a validation
            or test triple has a relation that no training triple has, or an entity that is neither in a training triple
            nor in `entities.tsv`; or `entities.tsv` lacks a column, lists an entity twice or lists an entity that is in
            no triple. The error names the file and line.
    """
    files, names = [Path(path)], None
    if Path(path).is_dir():
        files = [_require_part(Path(path), part) for part in PARTS]
        names = _find(Path(path), NAMES)
    raws = [read_raw(file) for file in files]
    rows = [[fields for _, fields in _numbered_fields(raw)] for raw in raws]
    entities = sorted({row[side] for part in rows for row in part for side in (HEAD, TAIL)})
    relations = sorted({row[RELATION] for part in rows for row in part})
    number, relation = ({name: index for index, name in enumerate(each)} for each in (entities, relations))
    parts = [np.array([(number[h], relation[r], number[t]) for h, r, t in part], dtype=np.int64) for part in rows]
    if len(parts) == 1:
        parts = _split(np.unique(parts[0], axis=0), str(path), seed)
    else:
        _require_known_relations(parts, relations, files)
    called = {} if names is None else _titles(read_raw(names), number)
    if names is not None:
        _require_known_entities(parts, entities, called, files)
    titles = tuple(called.get(entity) or entity for entity in entities)
    read = tuple((file.name, raw.sha256, len(part)) for file, raw, part in zip(files, raws, rows, strict=True))
    train, valid, test = parts
    return KnowledgeGraph(Path(path).name, tuple(entities), tuple(relations), train, valid, test, titles, read)


def _find(folder: Path, part: str) -> Path | None:
    return next((file for suffix in _SUFFIXES if (file := folder / f"{part}{suffix}").exists()), None)


def _require_part(folder: Path, part: str) -> Path:
    file = _find(folder, part)
    if file is None:
        mend = "give a folder with train.tsv, valid.tsv and test.tsv, or one file of triples"
        raise BadInput(f"there is no file of {part} triples, such as {part}.tsv", where=str(folder), mend=mend)
    return file


def _numbered_fields(raw: RawFile) -> Iterator[tuple[int, tuple[str, str, str]]]:
    """Yield (line number, the three fields) of each line that is not empty."""
    for line_number, line in enumerate(raw.text().splitlines(), start=1):
        if not line.strip():
            continue
        where, fields = f"{raw.path}, line {line_number}", [field.strip() for field in line.split("\t")]
        if len(fields) != len((HEAD, RELATION, TAIL)):
            raise BadInput(f"a line of {count_of(len(fields), 'field')}, not 3", where=where, mend=_FORM)
        if not all(fields):
            raise BadInput("a triple with an empty field", where=where, mend=_FORM)
        yield line_number, (fields[HEAD], fields[RELATION], fields[TAIL])


def _titles(raw: RawFile, entities: Collection[str]) -> dict[str, str]:
    """Return the name of each entity by its identifier, from the columns `id` and `name`; "" where it has no name.

    Raises:
        BadInput: a column is missing, or an entity is in two lines or is not among `entities`.
    """
    header, *lines = (line.rstrip("\r").split("\t") for line in raw.text().split("\n"))
    missing = next((name for name in ("id", "name") if name not in header), None)
    if missing is not None:
        mend = "begin this file with a line of column names, among them id and name, with tabs between"
        raise BadInput(f"column {missing!r} not found", where=f"{raw.path}, line 1", mend=mend)
    key, name = header.index("id"), header.index("name")
    titles, first = dict[str, str](), dict[str, int]()
    for number, row in enumerate(lines, start=2):
        if not any(row):
            continue
        identifier, title = (row[column].strip() if column < len(row) else "" for column in (key, name))
        where = f"{raw.path}, line {number}"
        if identifier in first:
            what = f"the entity {identifier!r:.60} stands here twice, first in line {first[identifier]}"
            raise BadInput(what, where=where, mend="give each entity one line")
        if identifier not in entities:
            raise BadInput(
                f"no triple has the entity {identifier!r:.60}", where=where, mend="remove or correct its line"
            )
        titles[identifier], first[identifier] = title, number
    return titles


def _require_known_relations(parts: Sequence[Triples], relations: Sequence[str], files: Sequence[Path]) -> None:
    """Check that each relation is in a training triple."""
    learned = set(parts[0][:, RELATION].tolist())
    for part, file in zip(parts[1:], files[1:], strict=True):
        unknown = next((r for r in part[:, RELATION].tolist() if r not in learned), None)
        if unknown is not None:
            what = f"no training triple has the relation {relations[unknown]!r:.60}"
            where = f"{file}, line {_first_line(read_raw(file), relations[unknown], (RELATION,))}"
            raise BadInput(what, where=where, mend="remove its triples here, or add some to the training part")


def _require_known_entities(
    parts: Sequence[Triples], entities: Sequence[str], named: Collection[str], files: Sequence[Path]
) -> None:
    """Check that each entity is in a training triple or in the file of names."""
    learned = set(parts[0][:, [HEAD, TAIL]].ravel().tolist())
    for part, file in zip(parts[1:], files[1:], strict=True):
        ends = part[:, [HEAD, TAIL]].ravel().tolist()
        unknown = next((end for end in ends if end not in learned and entities[end] not in named), None)
        if unknown is not None:
            what = f"neither a training triple nor the file of names has the entity {entities[unknown]!r:.60}"
            where = f"{file}, line {_first_line(read_raw(file), entities[unknown], (HEAD, TAIL))}"
            raise BadInput(what, where=where, mend=f"correct it here, or add its line to {NAMES}.tsv")


def _first_line(raw: RawFile, name: str, fields: tuple[int, ...]) -> int:
    """Return the number, from 1, of the first line of triples with a name in one of the fields (0, 1 or 2)."""
    return next(number for number, row in _numbered_fields(raw) if name in [row[field] for field in fields])


def _split(triples: Triples, where: str, seed: int) -> list[Triples]:
    """Return training, validation and test triples; training triples have all entities and relations of the others."""
    held_out = max(1, round(_HELD_OUT * len(triples)))
    entity, relation = (np.bincount(triples[:, columns].ravel()) for columns in ([HEAD, TAIL], [RELATION]))
    drawn = list[int]()
    for index in seeds.child(seed, "knowledge graph", "split").permutation(len(triples)).tolist():
        head, name, tail = triples[index]
        uses = 1 + (head == tail)
        if min(entity[head], entity[tail]) > uses and relation[name] > 1:
            np.subtract.at(entity, [head, tail], 1)
            relation[name] -= 1
            drawn.append(index)
        if len(drawn) == 2 * held_out:
            train = np.delete(triples, drawn, axis=0)
            return [train, triples[sorted(drawn[:held_out])], triples[sorted(drawn[held_out:])]]
    what = f"of {len(triples):,} triples too few have entities and a relation that stand in others too"
    raise BadInput(what, where=where, mend="give more triples, or a folder with train.tsv, valid.tsv and test.tsv")
