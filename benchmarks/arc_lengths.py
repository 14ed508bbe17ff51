"""How well the parser that comes with Wordworth tells how complex a sentence is, beside clauses, which need no parser.

    WORDWORTH_DATA=data python benchmarks/arc_lengths.py --out docs/records/arc_lengths.json

Both are read from the text of the test parts of English-EWT and GUM, as `worth` reads a text, and correlated by ranks
with the mean length of the arcs that the treebank has. What is left with the number of words held fixed is the part
that length alone does not tell. Intervals are over sentences.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import measure
from wordworth import seeds
from wordworth.cli.scripts import run_script
from wordworth.inference.dependency_arc_lengths import arc_lengths
from wordworth.measures.correlation import partial_rank
from wordworth.measures.input_difficulty import clause_lengths, mean_arc_length
from wordworth.measures.weighted_sums import Floats, floats
from wordworth.text.read_compressed_file import read_raw
from wordworth.text.treebank import read_treebank
from wordworth.text.word_boundaries import words

TREEBANKS = {"English-EWT": "en_ewt-ud-test.conllu.xz", "GUM": "en_gum-ud-test.conllu.xz"}
_TEXT = "# text = "


def sentences(path: Path) -> tuple[list[str], Floats]:
    """Return the text of each sentence of a treebank, and the mean length of its arcs, float64 [sentences]."""
    lines = read_raw(path).text().split("\n")
    texts = [line.removeprefix(_TEXT) for line in lines if line.startswith(_TEXT)]
    return texts, floats([mean_arc_length([sentence.heads]) for sentence in read_treebank(path).sentences])


def read_as_worth_does(texts: list[str]) -> tuple[dict[str, Floats], Floats]:
    """Return the arc lengths of a parser and the lengths of clauses, as `worth` measures both, and the words a text."""
    spans = [words(text) for text in texts]
    written = [[text[start:end] for start, end in each] for text, each in zip(texts, spans, strict=True)]
    letters = [
        [span for span in each if any(map(str.isalnum, text[slice(*span)]))]
        for text, each in zip(texts, spans, strict=True)
    ]
    measures = {"parser": arc_lengths(written), "clauses": clause_lengths(texts, letters)}
    return measures, floats([len(each) for each in written])


def correlations(true: Floats, values: Floats, length: Floats, weights: Floats) -> dict[str, Any]:
    """Return the rank correlation with the true mean arc length, whole and with the number of words held fixed.

    Args:
        true: float64 [sentences], the mean length of the treebank's arcs.
        values: float64 [sentences], what stands for it.
        length: float64 [sentences], the number of words.
        weights: float64 [draws, sentences], the resamples; the first row is the whole sample.
    """
    figures = dict[str, Any]()
    for name, controls in {"correlation": np.empty((len(true), 0)), "beyond_length": length[:, None]}.items():
        value, *draws = partial_rank(true, values, controls, weights)
        low, high = np.quantile(draws, [0.025, 0.975])
        figures[name] = {"value": float(value), "low": float(low), "high": float(high)}
    return figures


def of_treebank(path: Path, draws: int) -> dict[str, Any]:
    """Return the correlations of both measures on the sentences of a treebank; those of marks alone are left out."""
    texts, true = sentences(path)
    measures, length = read_as_worth_does(texts)
    measured = ~np.isnan([true, *measures.values()]).any(axis=0)
    count = int(measured.sum())
    counts = seeds.child(0, "arc lengths", path.name).multinomial(count, [1 / count] * count, draws)
    weights = np.vstack([np.ones(count), counts])
    of = {
        name: correlations(true[measured], each[measured], length[measured], weights) for name, each in measures.items()
    }
    return {"sentences": len(texts), "measured": count, **of}


def main() -> None:
    options = measure.arguments(__doc__, draws=1_000)
    folder = measure.data_folder() / "syntax" / "ud"
    made = {name: of_treebank(folder / file, options.draws) for name, file in TREEBANKS.items()}
    measure.report({"draws": options.draws, "treebanks": made}, options.out)


if __name__ == "__main__":
    run_script(main)
