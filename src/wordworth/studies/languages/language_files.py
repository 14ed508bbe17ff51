"""Files of each language in a folder, and the choice of a language's training and test sentences."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput, nearest
from wordworth.measures.weighted_sums import Integers
from wordworth.sentence_formatting import count_of
from wordworth.studies.languages.language_columns import LEAST
from wordworth.studies.languages.settings import LanguagesSettings
from wordworth.text.read_compressed_file import COMPRESSIONS

_TRAIN, _DEV, _TEST = "train", "dev", "test"
_PARTS = {_TRAIN: _TRAIN, _TEST: _TEST, "testb": _TEST, _DEV: _DEV, "testa": _DEV, "valid": _DEV}
"""Ending of the name of a file -> its part."""
_ENDING = re.compile(rf"(-ud)?[-_. ]({'|'.join(_PARTS)})$")


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of file, such as CoNLL; a folder has one file, or a training and a test file, for each language.

    Attributes:
        suffixes: endings of the files' names.
        holds: what the files hold, such as `tagged sentences`.
        example: names of two such files, such as `en.conll and de.conll`.
        prefixed: whether a name without its ending has a prefix and a dot before the language, as in `xquad.en.json`.
    """

    suffixes: Collection[str]
    holds: str
    example: str
    prefixed: bool = False


def holds_files(folder: Path, kind: FileKind) -> bool:
    """Return True if a folder has a file of a kind."""
    return any(_bare(path).suffix in kind.suffixes for path in folder.iterdir() if path.is_file())


def files_by_language(
    folders: Sequence[Path], kind: FileKind, wanted: Sequence[str] = ()
) -> dict[str, dict[str, Path]]:
    """Return name of each language -> part (`train`, `test`, or "" for both) -> its file.

    A file is named for its language, as `de.conll`. `de_train.conll` and `de_test.conll`, `de.train` and `de.testb`, or
    `de-ud-train.conllu` and `de-ud-test.conllu` hold its parts. A development part is taken for the training part if
    there is a test part and no training part; else the development part is left out.

    Args:
        folders: the folders with such files, which may be compressed.
        kind: the kind of files.
        wanted: the languages to return; all if empty.

    Raises:
        BadInput: there are files of fewer than two languages, a wanted language has no file, or a language has several
            files of a part.
    """
    files: dict[str, dict[str, Path]] = {}
    where = ", ".join(map(str, folders))
    for path in (path for folder in folders for path in sorted(folder.iterdir())):
        bare = _bare(path)
        if bare.suffix not in kind.suffixes or not path.is_file():
            continue
        name = bare.name if bare.suffix[1:] in _PARTS else bare.stem
        name = name.rpartition(".")[2] if kind.prefixed else name
        ending = _ENDING.search(name)
        part = "" if ending is None else _PARTS[ending[2]]
        parts = files.setdefault(_ENDING.sub("", name), {})
        if part in parts:
            what = f"{parts[part].name} and {path.name} are the same part of one language"
            raise BadInput(what, where=where, mend="name each file for its language, as de_train.conll")
        parts[part] = path
    missing = next((name for name in wanted if name not in files), None)
    if missing is not None or len(files) < 2:  # noqa: PLR2004 - to compare
        what = f"no file of {kind.holds} in {missing!r}" if missing else f"no {kind.holds} of two languages or more"
        mend = nearest(missing, files) if missing else f"put a file for each language into it, as {kind.example}"
        raise BadInput(what, where=where, mend=mend)
    return {name: _used(parts) for name, parts in files.items() if not wanted or name in wanted}


def _bare(path: Path) -> Path:
    """Return a path without the ending of its compression."""
    return Path(path.stem) if path.suffix in COMPRESSIONS else Path(path.name)


def _used(parts: Mapping[str, Path]) -> dict[str, Path]:
    if _TEST in parts and _DEV in parts and _TRAIN not in parts:
        return {_TRAIN: parts[_DEV], _TEST: parts[_TEST]}
    return {part: path for part, path in parts.items() if part != _DEV or len(parts) == 1}


def divided(name: str, sizes: Mapping[str, int], settings: LanguagesSettings, where: str) -> tuple[Integers, Integers]:
    """Return the indices of the training and of the test sentences of a language, int64.

    If a language has no separate training and test file, its first sentences are the training part and its last
    sentences the test part, so that the sentences of a document stay together. From each part sentences are drawn at
    random, at most `limit` in all, of which the share `test` is for testing; `limit` and `test` are settings. The draw
    has the same seed for all languages, so that parallel files give parallel sentences.

    Args:
        name: name of the language.
        sizes: part (`train`, `test`, or "" for both) -> its number of sentences; indices run through the parts in this
            order.
        settings: settings of the study.
        where: the file, for errors.

    Raises:
        BadInput: a part has fewer than `LEAST` sentences.
    """
    of_part = np.repeat(list(sizes), list(sizes.values()))
    if {_TRAIN, _TEST} <= sizes.keys():
        train, test = (np.flatnonzero(of_part == part) for part in (_TRAIN, _TEST))
    else:
        train, test = np.split(np.arange(len(of_part)), [round(len(of_part) * (1 - settings.test))])
    fewest = min(len(train), len(test))
    if fewest < LEAST:
        what = f"{count_of(fewest, 'sentence')} in {name!r} cannot be learned from and measured"
        mend = f"give {LEAST} or more to each part, or leave the language out with --languages"
        raise BadInput(what, where=where, mend=mend)
    return _drawn(train, settings, test=False), _drawn(test, settings, test=True)


def _drawn(rows: Integers, settings: LanguagesSettings, *, test: bool) -> Integers:
    """Draw rows at random, at most the part's share of `limit` or `LEAST` if that is more; return them ascending."""
    share = settings.test if test else 1 - settings.test
    rng = seeds.child(settings.seed, "languages", "sentences", str(test))
    return np.sort(rows[rng.permutation(len(rows))[: max(LEAST, round(settings.limit * share))]])
