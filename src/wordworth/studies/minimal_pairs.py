"""Minimal pairs: does a language model find the grammatical sentence of two likelier?

BLiMP (Warstadt et al. 2020, arXiv 1912.00582) has 67 paradigms of 1,000 pairs. A pair is answered right when the good
sentence has the higher log-likelihood, for a masked model the pseudo-log-likelihood (Salazar et al. 2020, section 4).
"""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.files import require_regular
from wordworth.json_file import parse_json
from wordworth.measures.proportions import mean_of_shares, wilson
from wordworth.progress import SILENT, Progress
from wordworth.records import Finding, Record, Table
from wordworth.text_format import percent

if TYPE_CHECKING:
    from wordworth.inference.pseudo_likelihood import Hidden
    from wordworth.models.language_model import LanguageModel

_KEYS = {"good": "sentence_good", "bad": "sentence_bad", "paradigm": "UID", "phenomenon": "linguistics_term"}
_PART_OF = {"s-selection": "argument_structure"}
"""The paper counts it there (table 4), its files do not."""
_COLUMNS = {
    "name": "paradigm or phenomenon",
    "pairs": "pairs asked; paradigms, for a phenomenon",
    "accuracy": "share of pairs whose good sentence is likelier; for a phenomenon the mean over its paradigms",
    "low": "lower end of the 95 % interval, for new pairs of the same paradigms",
    "high": "upper end",
}


@dataclass(frozen=True, slots=True)
class MinimalPair:
    """A grammatical sentence, its ungrammatical neighbour, and what they differ in."""

    good: str
    bad: str
    paradigm: str
    phenomenon: str


def read_minimal_pairs(path: Path | str) -> list[MinimalPair]:
    """The pairs of a folder of BLiMP's `.jsonl` files, of an archive of them (`.tar`, packed or not), or of one file.

    Raises:
        BadInput: there are none, or a line is no pair.
    """
    place = Path(path)
    found = [pair for name, lines in _files(place) for pair in _pairs(name, lines)]
    if not found:
        raise BadInput("no minimal pairs here", where=str(place), mend="give BLiMP's folder of .jsonl files or archive")
    return found


def minimal_pairs(
    model: str | Path | LanguageModel,
    pairs: Sequence[MinimalPair],
    *,
    each: int | None = None,
    hidden: Hidden = "piece",
    seed: int = 0,
    progress: Progress = SILENT,
) -> Record:
    """How often the model finds the good sentence likelier, by paradigm, by phenomenon and over all.

    Args:
        model: a name, a folder, or a language model that was loaded before.
        pairs: what to ask.
        each: pairs of each paradigm at most, drawn with the seed; None asks all.
        hidden: for a masked model, what is masked beside the piece asked for.
        seed: of the draw.
        progress: a step a text.

    Raises:
        BadInput: the model is no language model, or a sentence is too long for it.
    """
    from wordworth.inference.pseudo_likelihood import log_likelihoods
    from wordworth.models.language_model import LanguageModel, language_model

    loaded = model if isinstance(model, LanguageModel) else language_model(model)
    asked = _drawn(pairs, each, seed)
    texts = [pair.good for pair in asked] + [pair.bad for pair in asked]
    logs = log_likelihoods(loaded, texts, hidden=hidden, progress=progress).logs
    right = logs[: len(asked)] > logs[len(asked) :]
    tables = {"paradigms": _by_paradigm(asked, right), "phenomena": _by_phenomenon(asked, right)}
    settings = {"model": loaded.name, "reads": loaded.reads, "hidden": hidden, "each": each, "seed": seed}
    data = {"pairs": len(asked), "paradigms": len(tables["paradigms"].columns["name"])}
    return Record("minimal_pairs", settings, data, tables, [_verdict(loaded.name, tables["paradigms"])])


def _files(place: Path) -> Iterator[tuple[str, Iterable[str]]]:
    """Each file's name and lines, in the order of names."""
    require_regular(place)
    if place.is_dir():
        for path in sorted(place.glob("*.jsonl")):
            yield str(path), path.read_text(encoding="utf-8").splitlines()
        return
    try:
        if place.suffix == ".jsonl":
            yield str(place), place.read_text(encoding="utf-8").splitlines()
            return
        with tarfile.open(place) as archive:
            for member in sorted(archive.getmembers(), key=lambda each: each.name):
                opened = archive.extractfile(member) if member.name.endswith(".jsonl") else None
                if opened is not None:
                    yield f"{place}:{member.name}", io.TextIOWrapper(opened, encoding="utf-8")
    except (OSError, tarfile.TarError) as error:
        raise BadInput(f"cannot read: {error}", where=str(place), mend="give BLiMP's folder or archive") from error


def _pairs(name: str, lines: Iterable[str]) -> Iterator[MinimalPair]:
    for number, line in enumerate(lines, start=1):
        if line.strip():
            fields = _fields(line, f"{name}, line {number}")
            yield MinimalPair(**{**fields, "phenomenon": _PART_OF.get(fields["phenomenon"], fields["phenomenon"])})


def _fields(line: str, where: str) -> dict[str, str]:
    try:
        row = parse_json(line)
        found = {ours: row[theirs] for ours, theirs in _KEYS.items()}
    except (ValueError, KeyError, TypeError) as error:
        raise BadInput(
            f"this is no minimal pair: {error}", where=where, mend=f"it needs {', '.join(_KEYS.values())}"
        ) from error
    if not all(isinstance(value, str) for value in found.values()):
        raise BadInput("this is no minimal pair: a field is no text", where=where, mend="fetch the file again")
    return found


def _drawn(pairs: Sequence[MinimalPair], each: int | None, seed: int) -> list[MinimalPair]:
    """At most so many of each paradigm, in their order."""
    if each is None:
        return list(pairs)
    kept: list[int] = []
    for paradigm, members in _members([pair.paradigm for pair in pairs]).items():
        rng = seeds.child(seed, "minimal pairs", paradigm)
        kept.extend(rng.permutation(members)[:each].tolist())
    return [pairs[number] for number in sorted(kept)]


def _members(names: Sequence[str]) -> Mapping[str, list[int]]:
    found: dict[str, list[int]] = {}
    for number, name in enumerate(names):
        found.setdefault(name, []).append(number)
    return found


def _by_paradigm(pairs: Sequence[MinimalPair], right: np.ndarray) -> Table:
    rows: list[dict[str, Any]] = []
    for name, members in _members([pair.paradigm for pair in pairs]).items():
        hits = int(right[members].sum())
        bounds = wilson(hits, len(members))
        rows.append(
            {
                "name": name,
                "pairs": len(members),
                "accuracy": hits / len(members),
                "low": bounds.low,
                "high": bounds.high,
            }
        )
    return Table.of(rows, _COLUMNS)


def _by_phenomenon(pairs: Sequence[MinimalPair], right: np.ndarray) -> Table:
    groups: dict[str, dict[str, list[int]]] = {}
    for number, pair in enumerate(pairs):
        groups.setdefault(pair.phenomenon, {}).setdefault(pair.paradigm, []).append(number)
    rows = []
    for name, paradigms in sorted(groups.items()):
        hits, items = (
            [int(right[each].sum()) for each in paradigms.values()],
            [len(each) for each in paradigms.values()],
        )
        mean, bounds = mean_of_shares(hits, items)
        rows.append({"name": name, "pairs": len(paradigms), "accuracy": mean, "low": bounds.low, "high": bounds.high})
    return Table.of(rows, _COLUMNS)


def _verdict(name: str, paradigms: Table) -> Finding:
    items = np.array(paradigms.columns["pairs"])
    hits = np.rint(np.array(paradigms.columns["accuracy"]) * items)
    mean, bounds = mean_of_shares(hits, items)
    text = (
        f"{name} finds the grammatical sentence likelier in {percent(mean, 1)} of pairs "
        f"({percent(bounds.low, 1)} to {percent(bounds.high, 1)}, the mean over {len(items)} paradigms; chance is "
        "50 %)."
    )
    return Finding("verdict", text, {"accuracy": mean, "low": bounds.low, "high": bounds.high})
