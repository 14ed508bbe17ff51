"""Minimal pairs: is the grammatical sentence of two the likelier one to a language model?

BLiMP (Warstadt et al. 2020, arXiv 1912.00582) has 67 paradigms of 1,000 pairs. A pair counts as right when the good
sentence has the higher log-likelihood; for a masked model, the pseudo-log-likelihood (Salazar et al. 2020, section 4).
"""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from parts.proportions import mean_of_shares, wilson
from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.files import require_regular
from wordworth.json_file import parse_json
from wordworth.progress import SILENT, Progress
from wordworth.records import Finding, Record, Table
from wordworth.text_format import percent

if TYPE_CHECKING:
    from wordworth.inference.pseudo_likelihood import Hidden
    from wordworth.models.language_model import LanguageModel

_FIELD_NAMES = {"good": "sentence_good", "bad": "sentence_bad", "paradigm": "UID", "phenomenon": "linguistics_term"}
_COUNTED_UNDER = {"s-selection": "argument_structure"}
"""Phenomena that the paper counts under another one (table 4), as its files do not."""
_COLUMNS = {
    "name": "paradigm or phenomenon",
    "pairs": "number of pairs; for a phenomenon, number of paradigms",
    "accuracy": "share of pairs whose good sentence is likelier; for a phenomenon the mean over its paradigms",
    "low": "lower end of the 95 % interval, for new pairs of the same paradigms",
    "high": "upper end",
}


@dataclass(frozen=True, slots=True)
class MinimalPair:
    """A grammatical sentence, a minimally different ungrammatical one, and the contrast between them."""

    good: str
    bad: str
    paradigm: str
    phenomenon: str


def read_minimal_pairs(path: Path | str) -> list[MinimalPair]:
    """The pairs in a folder of BLiMP's `.jsonl` files, in an archive of them (`.tar`, may be compressed) or in a file.

    Raises:
        BadInput: there are none, or a line is not a pair.
    """
    source = Path(path)
    pairs = [pair for name, lines in read_files(source) for pair in _pairs(name, lines)]
    if not pairs:
        raise BadInput(
            "no minimal pairs here", where=str(source), mend="give BLiMP's folder of .jsonl files or archive"
        )
    return pairs


def minimal_pairs(
    model: str | Path | LanguageModel,
    pairs: Sequence[MinimalPair],
    *,
    each: int | None = None,
    hidden: Hidden = "piece",
    seed: int = 0,
    progress: Progress = SILENT,
) -> Record:
    """Measure how often the good sentence is the likelier one: by paradigm, by phenomenon and over all.

    Args:
        model: a name, a folder, or a loaded language model.
        pairs: the pairs to score.
        each: the most pairs of a paradigm to use, drawn with the seed; None uses all.
        hidden: for a masked model, what is masked beside the piece that is scored.
        seed: the seed of the draw.
        progress: advances by one per text.

    Raises:
        BadInput: the model is not a language model, or a sentence is too long for it.
    """
    from wordworth.inference.pseudo_likelihood import log_likelihoods
    from wordworth.models.language_model import LanguageModel, language_model

    loaded = model if isinstance(model, LanguageModel) else language_model(model)
    sample = _sample(pairs, each, seed)
    texts = [pair.good for pair in sample] + [pair.bad for pair in sample]
    log_probabilities = log_likelihoods(loaded, texts, hidden=hidden, progress=progress).logs
    correct = log_probabilities[: len(sample)] > log_probabilities[len(sample) :]
    tables = {"paradigms": _by_paradigm(sample, correct), "phenomena": _by_phenomenon(sample, correct)}
    settings = {"model": loaded.name, "reads": loaded.reads, "hidden": hidden, "each": each, "seed": seed}
    data = {"pairs": len(sample), "paradigms": len(tables["paradigms"].columns["name"])}
    return Record("minimal_pairs", settings, data, tables, [_verdict(loaded.name, tables["paradigms"])])


def read_files(source: Path) -> Iterator[tuple[str, Iterable[str]]]:
    """Yield each file's name and lines, in order of name."""
    require_regular(source)
    if source.is_dir():
        for path in sorted(source.glob("*.jsonl")):
            yield str(path), path.read_text(encoding="utf-8").splitlines()
        return
    try:
        if source.suffix == ".jsonl":
            yield str(source), source.read_text(encoding="utf-8").splitlines()
            return
        with tarfile.open(source) as archive:
            for member in sorted(archive.getmembers(), key=lambda each: each.name):
                file = archive.extractfile(member) if member.name.endswith(".jsonl") else None
                if file is not None:
                    yield f"{source}:{member.name}", io.TextIOWrapper(file, encoding="utf-8")
    except (OSError, tarfile.TarError) as error:
        raise BadInput(f"cannot read: {error}", where=str(source), mend="give BLiMP's folder or archive") from error


def _pairs(name: str, lines: Iterable[str]) -> Iterator[MinimalPair]:
    for number, line in enumerate(lines, start=1):
        if line.strip():
            fields = _fields(line, f"{name}, line {number}")
            yield MinimalPair(
                **{**fields, "phenomenon": _COUNTED_UNDER.get(fields["phenomenon"], fields["phenomenon"])}
            )


def _fields(line: str, where: str) -> dict[str, str]:
    try:
        row = parse_json(line)
        fields = {ours: row[theirs] for ours, theirs in _FIELD_NAMES.items()}
    except (ValueError, KeyError, TypeError) as error:
        raise BadInput(
            f"this is not a minimal pair: {error}", where=where, mend=f"it needs {', '.join(_FIELD_NAMES.values())}"
        ) from error
    if not all(isinstance(value, str) for value in fields.values()):
        raise BadInput("this is not a minimal pair: a field is not text", where=where, mend="fetch the file again")
    return fields


def _sample(pairs: Sequence[MinimalPair], each: int | None, seed: int) -> list[MinimalPair]:
    """At most `each` pairs of each paradigm, in their original order."""
    if each is None:
        return list(pairs)
    chosen: list[int] = []
    for paradigm, members in _members([pair.paradigm for pair in pairs]).items():
        rng = seeds.child(seed, "minimal pairs", paradigm)
        chosen.extend(rng.permutation(members)[:each].tolist())
    return [pairs[index] for index in sorted(chosen)]


def _members(names: Sequence[str]) -> Mapping[str, list[int]]:
    members: dict[str, list[int]] = {}
    for index, name in enumerate(names):
        members.setdefault(name, []).append(index)
    return members


def _by_paradigm(pairs: Sequence[MinimalPair], correct: np.ndarray) -> Table:
    rows: list[dict[str, Any]] = []
    for name, members in _members([pair.paradigm for pair in pairs]).items():
        hits = int(correct[members].sum())
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


def _by_phenomenon(pairs: Sequence[MinimalPair], correct: np.ndarray) -> Table:
    groups: dict[str, dict[str, list[int]]] = {}
    for index, pair in enumerate(pairs):
        groups.setdefault(pair.phenomenon, {}).setdefault(pair.paradigm, []).append(index)
    rows = []
    for name, paradigms in sorted(groups.items()):
        hits, items = (
            [int(correct[members].sum()) for members in paradigms.values()],
            [len(members) for members in paradigms.values()],
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
