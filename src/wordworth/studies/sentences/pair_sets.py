"""`PairSet`: pairs of texts with a gold score of similarity, from a published data set or the user's file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.files import content_key
from wordworth.measures.weighted_sums import Floats
from wordworth.records import Finding
from wordworth.sentence_formatting import count_of
from wordworth.studies.sentences.settings import ALL, SETS, SentencesSettings
from wordworth.tasks.examples import Origin
from wordworth.tasks.formats.data_folders import DATA_VARIABLE, shared_file
from wordworth.tasks.reading.sentence_rows import SentenceColumns, SentenceRows, read_sentences

LEAST = 10
_STS = Path("sts/sts_2012_2016.tsv")
_FILES = {
    "stsb": (Path("stsb/test.csv"), Path("stsb/sts-test.csv")),
    "sick": (Path("sick/test.csv"), Path("sick/SICK.tsv")),
}
_SICK = SentenceColumns(text="sentence_A", text_b="sentence_B", label="relatedness_score")


@dataclass(frozen=True, slots=True)
class PairSet:
    """A set of n pairs of texts with gold scores of their similarity.

    Attributes:
        name: name of the set.
        first: the first text of each pair.
        second: the second text of each pair.
        scores: float64 [n], gold scores; higher for pairs that are more similar.
        subset: name of each pair's part of the set, such as a domain; "" if the set has no parts.
        origin: the file that the set was read from.
        rows: number of pairs in the file, at least n: a large set is sampled.
        seed_name: string that seeds random choices: the name of a published set, or a hash of the user's pairs.
        notes: findings about how the user's file was read.
    """

    name: str
    first: tuple[str, ...]
    second: tuple[str, ...]
    scores: Floats
    subset: tuple[str, ...]
    origin: Origin
    rows: int
    seed_name: str
    notes: tuple[Finding, ...] = ()

    def __len__(self) -> int:
        return len(self.first)

    @property
    def subsets(self) -> list[str]:
        """The names of the set's parts with enough pairs for a correlation; empty if fewer than two have enough."""
        names = [name for name in dict.fromkeys(self.subset) if self.subset.count(name) >= LEAST]
        return names if len(names) > 1 else []

    def take(self, most: int, seed: int) -> PairSet:
        """Return a copy of the set with at most `most` of its pairs, drawn at random and kept in order.

        Args:
            most: most pairs to keep.
            seed: seed of the draw.
        """
        if len(self) <= most:
            return self
        rows = seeds.sorted_sample(seeds.child(seed, "sentences", self.seed_name), len(self), most)
        first, second, subset = (tuple(side[row] for row in rows) for side in (self.first, self.second, self.subset))
        return replace(self, first=first, second=second, subset=subset, scores=self.scores[rows])


def read_sets(settings: SentencesSettings) -> list[PairSet]:
    """Read the user's pairs and the published sets that the settings name.

    Raises:
        BadInput: a set is missing or cannot be read, has too few pairs, or has equal scores throughout or in the pairs
            drawn.
    """
    sets = [] if settings.data is None else [_own(Path(settings.data), settings)]
    wanted = SETS if ALL in settings.published else settings.published
    try:
        sets += _published(wanted)
    except BadInput as error:  # whose remedy is for a file of the user's
        mend = "copy the published file there again, or name other --sets"
        raise BadInput(error.what, where=error.where, mend=mend) from error
    missing = [name for name in settings.published if name not in (ALL, *(each.name for each in sets))]
    if missing or not sets:
        what = f"no set {missing[0]!r} here" if missing else "no published set is here, and no pairs are given"
        mend = f"set {DATA_VARIABLE} to a folder that holds it, or give pairs of your own with --data"
        raise BadInput(what, where="--sets", mend=mend)
    return [_drawn(each, settings) for each in sets]


def different_texts(sets: Sequence[PairSet]) -> list[str]:
    """Return every distinct text of all sets, in the order of their first occurrence."""
    return list(dict.fromkeys(text for each in sets for side in (each.first, each.second) for text in side))


def _own(path: Path, settings: SentencesSettings) -> PairSet:
    rows = read_sentences(path, SentenceColumns(text=settings.text, text_b=settings.text_b, label=settings.label))
    key = content_key(*rows.first, *rows.second, *rows.scores)
    return replace(_set(path.name, rows, [""] * len(rows)), seed_name=key, notes=rows.notes)


def _published(wanted: Sequence[str]) -> Iterator[PairSet]:
    """Yield the wanted sets that are on this machine; for the years of SemEval these are the test parts."""
    years = shared_file(_STS)
    if years is not None and any(name.startswith("sts1") for name in wanted):
        rows = read_sentences(years)
        years_of, parts_of = rows.table.column("year"), rows.table.column("split")
        for year in dict.fromkeys(years_of):
            name = f"sts{year[-2:]}"
            if name in wanted:
                parts = zip(years_of, parts_of, strict=True)
                own = rows.take([row for row, part in enumerate(parts) if part == (year, "test")])
                yield _set(name, own, own.table.column("domain"))
    for name in ("stsb", "sick"):
        files = (shared_file(path) for path in _FILES[name] if name in wanted)
        file = next((path for path in files if path is not None), None)
        if file is not None:
            rows = read_sentences(file, _SICK if name == "sick" else None)
            yield _set(name, rows, [""] * len(rows))


def _set(name: str, rows: SentenceRows, subset: Sequence[str]) -> PairSet:
    pairs = PairSet(name, rows.first, rows.second, rows.scores, tuple(subset), rows.origin, len(rows), name)
    _require_scores(pairs)
    return pairs


def _drawn(pairs: PairSet, settings: SentencesSettings) -> PairSet:
    """Return at most `limit` pairs of a set, and check that their scores differ."""
    drawn = pairs.take(settings.limit, settings.seed)
    if drawn.scores.min() == drawn.scores.max():
        what = f"each of the {len(drawn)} pairs drawn has the score {drawn.scores[0]:g}"
        raise BadInput(what, where=pairs.origin.path, mend="give a larger --limit")
    return drawn


def _require_scores(pairs: PairSet) -> None:
    if len(pairs) < LEAST:
        what = f"{count_of(len(pairs), 'pair is', 'pairs are')} too few for a correlation"
        raise BadInput(what, where=pairs.origin.path, mend=f"give {LEAST} or more")
    if pairs.scores.min() == pairs.scores.max():
        what = f"every pair has the score {pairs.scores[0]:g}"
        raise BadInput(what, where=pairs.origin.path, mend="name another column with --label")
    if pairs.first == pairs.second:
        what = "every pair has two equal texts, whose cosine is 1 for every system"
        raise BadInput(what, where=pairs.origin.path, mend="name another column with --text-b")
