"""Which codebook of sound do words tell most of? Counted, before a model is trained by `wordworth study crossmodal`.

    python recipes/spoken_digits.py --data DATA/spoken_digits --out digits/ --no-audio
    python recipes/codebooks.py digits/features.npy digits/captions.csv --codebooks 4x1 8x1 4x2 --out codebooks.json

A codebook of `KxD` has K ** D codes. In each fold of the study's groups it is learned from the training groups, and so
is what is counted: how often each code stands at each position of a sequence, and in each sixth of each word, as if all
words of a caption were equally long. Given the words, a code's probability is that of the sixth of its word, smoothed
by that of its position. What words tell is by how many bits a code this lowers the cross-entropy: as every codebook is
of the same clips, codebooks of any size can be compared. In each fold the codebook is chosen of which words tell most
on the validation groups; what is chosen is then tested on groups that had no part in the choice. Intervals resample
test groups whole.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from wordworth import seeds
from wordworth.cli.scripts import run_script, writable_path
from wordworth.errors import BadInput
from wordworth.files import write_text
from wordworth.measures.bootstrap import interval, share_draws
from wordworth.measures.weighted_sums import Floats
from wordworth.models.codebook import Codes
from wordworth.progress import STILL
from wordworth.studies.crossmodal.folds import Fold, folds_of
from wordworth.text.captioned_sequences import CaptionedSequences, Numbers, read_captioned
from wordworth.text.words_and_codes_vocabulary import words_of
from wordworth.training.codebook.feature_rows import FeatureRows
from wordworth.training.codebook.hierarchical_kmeans import learn
from wordworth.training.codebook.settings import CodebookSettings

PARTS, SMOOTHING, DRAWS, TOP = 6, 20.0, 1_000, (1, 5)
"""Parts of a word, weight of what smooths a count, resamples of groups, and ranks up to which an answer counts."""
MEASURES = ("bits", *(f"top {top}" for top in TOP))


@dataclass(frozen=True)
class Clips:
    """The clips of all sequences that have words and features, one after the other.

    Attributes:
        row: int64 [clips], the row of features.
        sequence: int64 [clips], the index of the sequence.
        position: int64 [clips], the number of the clip in its sequence, from 0.
        part: int64 [clips], the word and the part of it in which the clip is: `PARTS` times the word's number plus the
            part's.
    """

    row: Numbers
    sequence: Numbers
    position: Numbers
    part: Numbers

    @classmethod
    def of(cls, sequences: CaptionedSequences) -> Clips:
        """Return the clips of sequences; words get equal shares of the time."""
        numbers = dict[str, int]()
        columns = list[tuple[Numbers, ...]]()
        for index in np.flatnonzero(sequences.paired).tolist():
            start, end = sequences.bounds[index].tolist()
            words = [numbers.setdefault(word, len(numbers)) for word in words_of(sequences.texts[index])]
            position = np.arange(end - start)
            part = ((position + 0.5) / len(position) * len(words) * PARTS).astype(np.int64)
            own = PARTS * np.array(words)[part // PARTS] + part % PARTS
            columns.append((np.arange(start, end), np.full(end - start, index), position, own))
        return cls(*(np.concatenate(each) for each in zip(*columns, strict=True)))

    def of_sequences(self, sequences: Numbers) -> Clips:
        """Return the clips of the sequences with these indices, int64 [k]."""
        own = np.isin(self.sequence, sequences)
        return Clips(self.row[own], self.sequence[own], self.position[own], self.part[own])


def probabilities(learned: Clips, others: Clips, codes: Codes, size: int) -> tuple[Floats, Floats]:
    """Return the probability of each code at each clip by its position, and by its word too, float64 [others, size].

    Args:
        learned: the clips that are counted.
        others: the clips whose probabilities are returned.
        codes: int64 [rows of features], the code of each row.
        size: number of possible codes.
    """
    everywhere = np.bincount(codes[learned.row], minlength=size) + 1.0
    by_position = _smoothed(learned.position, others.position, codes[learned.row], everywhere / everywhere.sum())
    return by_position, _smoothed(learned.part, others.part, codes[learned.row], by_position)


def _smoothed(contexts: Numbers, others: Numbers, codes: Codes, backoff: Floats) -> Floats:
    counts = np.zeros((max(contexts.max(), others.max()) + 1, backoff.shape[-1]))
    np.add.at(counts, (contexts, codes), 1)
    own = counts[others]
    made: Floats = (own + SMOOTHING * backoff) / (own.sum(1, keepdims=True) + SMOOTHING)
    return made


def scored(made: Floats, right: Codes) -> Floats:
    """Return the score of each clip by `MEASURES`, float64 [clips, measures].

    They are minus the bits of the right code, and whether it is among the most probable ones.

    Args:
        made: float64 [clips, codes], the probability of each code.
        right: int64 [clips], the right codes.
    """
    own = made[np.arange(len(right)), right]
    above = (made > own[:, None]).sum(1)
    return np.stack([np.log2(own), *((above < top).astype(np.float64) for top in TOP)], axis=1)


def codes_of(features: FeatureRows, clips: Clips, settings: CodebookSettings) -> Codes:
    """Return the code of every row of features, by a codebook that is learned from some clips."""
    with tempfile.TemporaryDirectory() as folder:
        codebook = learn(features.only(np.unique(clips.row)), settings, Path(folder), STILL).codebook
    return np.concatenate([codebook.encode(block) for _, block in features.blocks()])


@dataclass(frozen=True)
class CodeInformation:
    """What words tell of the codes of one codebook in one fold.

    Attributes:
        valid_bits: by how many bits a code the words lower the cross-entropy on validation groups.
        by_position: float64 [test clips, measures], the scores without the words.
        by_word: float64 [test clips, measures], the scores with the words.
    """

    valid_bits: float
    by_position: Floats
    by_word: Floats


def code_information(features: FeatureRows, clips: Clips, fold: Fold, settings: CodebookSettings) -> CodeInformation:
    """Learn a codebook in one fold, and return what words tell of its codes.

    Args:
        features: the rows of features.
        clips: the clips of all sequences.
        fold: the sequences that are learned from, choose and are tested.
        settings: the clusters and levels of the codebook.
    """
    learned, valid, test = (clips.of_sequences(rows) for rows in (fold.train, fold.valid, fold.test))
    codes, size = codes_of(features, learned, settings), settings.k**settings.depth
    (without, by_word), tested = (
        [scored(made, codes[others.row]) for made in probabilities(learned, others, codes, size)]
        for others in (valid, test)
    )
    return CodeInformation(float((by_word - without)[:, 0].mean()), *tested)


def answer(made: Sequence[CodeInformation], groups: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the scores with the words and without on the test groups of all folds, by measure.

    Args:
        made: what words tell, fold after fold.
        groups: the group of each test clip, fold after fold.
    """
    without, by_word = (np.concatenate([getattr(each, name) for each in made]) for name in ("by_position", "by_word"))
    columns, single = np.concatenate([by_word, without], axis=1), np.ones(len(by_word))
    draws = share_draws(columns, single, np.array(groups), DRAWS, seeds.child(0, "codebooks", "groups"))
    for column, measure in enumerate(MEASURES):
        other = column + len(MEASURES)
        value, less = interval(draws[:, column]), interval(draws[:, column] - draws[:, other])
        difference = float((by_word - without)[:, column].mean())
        yield {
            "measure": measure,
            "by_word": float(by_word[:, column].mean()),
            **value.columns("by_word_"),
            "by_position": float(without[:, column].mean()),
            "difference": difference,
            **less.columns("difference_"),
        }


def compared(
    features: FeatureRows, sequences: CaptionedSequences, codebooks: Sequence[str], folds: int
) -> dict[str, Any]:
    """Return what words tell of the codes of each codebook, and of those that validation groups choose.

    Args:
        features: the rows of features.
        sequences: the sequences of rows with their captions.
        codebooks: codebooks as `KxD`.
        folds: number of folds, as in the study.

    Raises:
        BadInput: a codebook is not `KxD`, or the groups are too few.
    """
    clips, parts = Clips.of(sequences), folds_of(sequences, folds, 0)
    settings = [settings_of(codebook) for codebook in codebooks]
    made = [[code_information(features, clips, fold, each) for each in settings] for fold in parts]
    chosen = [int(np.argmax([each.valid_bits for each in by_codebook])) for by_codebook in made]
    groups = [sequences.groups[index] for fold in parts for index in clips.of_sequences(fold.test).sequence.tolist()]
    return {
        "codebooks": [
            {
                "codebook": codebook,
                "codes": own.k**own.depth,
                "validation_bits": [by_codebook[column].valid_bits for by_codebook in made],
                "tests": list(answer([by_codebook[column] for by_codebook in made], groups)),
            }
            for column, (codebook, own) in enumerate(zip(codebooks, settings, strict=True))
        ],
        "chosen": [
            {
                "valid": _groups(sequences, fold.valid),
                "test": _groups(sequences, fold.test),
                "codebook": codebooks[best],
            }
            for fold, best in zip(parts, chosen, strict=True)
        ],
        "tests": list(answer([own[best] for own, best in zip(made, chosen, strict=True)], groups)),
    }


def settings_of(codebook: str) -> CodebookSettings:
    """Return the settings of a codebook that is given as `KxD`.

    Raises:
        BadInput: it is not two whole numbers, or too large.
    """
    k, _, depth = codebook.partition("x")
    if not (k.isdecimal() and depth.isdecimal()):
        raise BadInput(f"{codebook!r:.20} is no codebook", where="--codebooks", mend="give clusters x levels: 4x2")
    return CodebookSettings(k=int(k), depth=int(depth))


def _groups(sequences: CaptionedSequences, rows: Numbers) -> list[str]:
    return sorted({sequences.groups[row] for row in rows.tolist()})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("features", type=Path, help="an .npy with a row of features for each clip")
    parser.add_argument("sequences", type=Path, help="a table with columns start, end, text and group")
    parser.add_argument("--codebooks", nargs="+", default=["4x1", "8x1", "4x2", "6x2", "8x2"], help="clusters x levels")
    parser.add_argument("--group-folds", type=int, default=6)
    parser.add_argument("--out", type=writable_path, default=Path("codebooks.json"))
    options = parser.parse_args()
    features = FeatureRows.open(options.features)
    sequences = read_captioned(options.sequences, len(features))
    text = json.dumps(compared(features, sequences, options.codebooks, options.group_folds), indent=1)
    print(text)
    write_text(options.out, text + "\n")


if __name__ == "__main__":
    run_script(main)
