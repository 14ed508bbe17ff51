"""The catalogue of word benchmarks, and which of them are in a folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from wordworth.errors import BadInput, nearest
from wordworth.studies.word_benchmarks import benchmark_files
from wordworth.studies.word_benchmarks.benchmark_files import Content
from wordworth.tasks.formats.data_folders import shared

Kind = Literal["similarity", "analogy", "category", "relation"]
KINDS: tuple[Kind, ...] = ("similarity", "analogy", "category", "relation")
_FOLDERS: dict[Kind, str] = {
    "similarity": "sim",
    "analogy": "analogy",
    "category": "categories",
    "relation": "relation",
}
_AGAIN = "docs/data.md says what it should hold; download the set again, or remove the file"
_MEND = "put the sets into a folder `wordsets` of $WORDWORTH_DATA, or give their folder with --data"


@dataclass(frozen=True, slots=True)
class WordSet:
    """A published word benchmark.

    Attributes:
        name: short name, as in settings and records.
        title: published name.
        kind: kind of benchmark, one of `KINDS`.
        files: paths of the benchmark's files, relative to the folder of benchmarks.
        read: function that returns the items of the benchmark, given the paths of these files.
        in_mean: whether the benchmark is part of the mean over similarity benchmarks; benchmarks that are subsets of
            others are not.
    """

    name: str
    title: str
    kind: Kind
    files: tuple[str, ...]
    read: Callable[[Sequence[Path]], Content]
    in_mean: bool = False

    def paths(self, folder: Path) -> list[Path]:
        """Return the paths of the benchmark's files in a folder, which need not exist."""
        return [folder / file for file in self.files]

    def is_complete(self, folder: Path) -> bool:
        """Return True if all files of the benchmark are in a folder."""
        return all(path.is_file() for path in self.paths(folder))

    def content(self, folder: Path) -> Content:
        """Read the items of the benchmark.

        Raises:
            BadInput: a line cannot be read, or the files are empty.
        """
        content = self.read(self.paths(folder))
        if not benchmark_files.words_of(content):
            raise BadInput("this file is empty", where=f"{self.paths(folder)[0]}, line 1", mend=_AGAIN)
        return content


def sets_folder(folder: Path | str | None) -> Path:
    """Return the folder of word benchmarks: `folder`, or for None the folder `wordsets` of `$WORDWORTH_DATA`.

    Raises:
        BadInput: the folder does not exist, or `folder` is None and `$WORDWORTH_DATA` has no `wordsets`.
    """
    folder = Path(folder) if folder is not None else shared("wordsets")
    if folder is None:
        raise BadInput("no folder of word benchmarks was given", mend=_MEND)
    if not folder.is_dir():
        raise BadInput("there is no such folder of word benchmarks", where=str(folder), mend=_MEND)
    return folder


def chosen(names: Sequence[str], folder: Path) -> list[WordSet]:
    """Return the word benchmarks with the given names or kinds, in the order of the catalogue, each once.

    A kind, or `all`, selects the benchmarks of which all files are in the folder.

    Args:
        names: short names of benchmarks, kinds, or `all`.
        folder: the folder of word benchmarks.

    Raises:
        BadInput: a name is unknown, a file of a named benchmark is missing, or the folder has no benchmark of the given
            kinds.
    """
    here = [word_set for word_set in CATALOGUE if word_set.is_complete(folder)]
    wanted: dict[str, WordSet] = {}
    for name in names:
        named = [word_set for word_set in CATALOGUE if word_set.name == name]
        if name not in ("all", *KINDS) and not named:
            known = ["all", *KINDS, *(word_set.name for word_set in CATALOGUE)]
            raise BadInput(f"no word benchmark {name!r}", where="--sets", mend=nearest(name, known))
        wanted |= {word_set.name: word_set for word_set in named or here if named or name in ("all", word_set.kind)}
    missing = [path for word_set in wanted.values() for path in word_set.paths(folder) if not path.is_file()]
    if missing or not wanted:
        raise BadInput(
            "this word benchmark is not on this machine", where=str(missing[0] if missing else folder), mend=_MEND
        )
    return [word_set for word_set in CATALOGUE if word_set.name in wanted]


def unread(names: Sequence[str], folder: Path) -> list[str]:
    """Return the paths, relative to `folder`, of files that are there but not read: their benchmarks are incomplete.

    Args:
        names: names, kinds or `all`, as in `chosen`; only files of benchmarks of a listed kind are returned.
        folder: the folder of word benchmarks.
    """
    read = {file for word_set in CATALOGUE if word_set.is_complete(folder) for file in word_set.files}
    subfolders = [subfolder for kind, subfolder in _FOLDERS.items() if not {"all", kind}.isdisjoint(names)]
    paths = [path for subfolder in subfolders for path in sorted((folder / subfolder).glob("[!.]*")) if path.is_file()]
    return [name for path in paths if (name := path.relative_to(folder).as_posix()) not in read]


def _similarity(name: str, title: str, file: str, *, in_mean: bool = False) -> WordSet:
    return WordSet(name, title, "similarity", (f"sim/EN-{file}.txt",), benchmark_files.read_pairs, in_mean)


CATALOGUE = (
    _similarity("simlex", "SimLex-999", "SIMLEX-999", in_mean=True),
    _similarity("ws353", "WordSim-353", "WS-353-ALL", in_mean=True),
    _similarity("men", "MEN", "MEN-TR-3k", in_mean=True),
    _similarity("rw", "Stanford Rare Words", "RW-STANFORD", in_mean=True),
    _similarity("simverb", "SimVerb-3500", "SimVerb-3500", in_mean=True),
    _similarity("rg65", "Rubenstein-Goodenough 65", "RG-65", in_mean=True),
    _similarity("mturk771", "MTurk-771", "MTurk-771", in_mean=True),
    _similarity("ws353-sim", "WordSim-353, similarity", "WS-353-SIM"),
    _similarity("ws353-rel", "WordSim-353, relatedness", "WS-353-REL"),
    _similarity("mc30", "Miller-Charles 30", "MC-30"),
    _similarity("mturk287", "MTurk-287", "MTurk-287"),
    _similarity("yp130", "Yang-Powers 130", "YP-130"),
    _similarity("verb143", "VERB-143", "VERB-143"),
    _similarity("card660", "Card-660", "CARD-660"),
    _similarity("semeval17", "SemEval-2017 task 2", "SEMEVAL17-500"),
    WordSet("google", "Google analogies", "analogy", ("analogy/questions-words.txt",), benchmark_files.read_google),
    WordSet("msr", "MSR analogies", "analogy", ("analogy/msr.tsv",), benchmark_files.read_msr),
    WordSet("ap", "Almuhareb-Poesio", "category", ("categories/ap.tsv",), benchmark_files.read_categories),
    WordSet("bless", "BLESS", "category", ("categories/bless.tsv",), benchmark_files.read_categories),
    WordSet("battig", "Battig", "category", ("categories/battig.tsv",), benchmark_files.read_categories),
    WordSet("essli2008", "ESSLLI 2008", "category", ("categories/essli-2008.tsv",), benchmark_files.read_categories),
    WordSet(
        "semeval2012",
        "SemEval-2012 task 2",
        "relation",
        ("relation/semeval2012_task2_ratings.tsv", "relation/semeval2012_task2_paradigms.tsv"),
        benchmark_files.read_relations,
    ),
)
