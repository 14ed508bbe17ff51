"""The findings of the study `syntax`: the layer that encodes trees best, its controls, warnings and the method."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wordworth.measures.tree_recovery import LENGTHS
from wordworth.records import Finding, Table
from wordworth.sentence_formatting import count_of, decimal, join_words, percent, signed
from wordworth.studies.syntax.attention_probe import DISTANCE, MATCHED, OWN, RANDOM, WHICH
from wordworth.studies.syntax.parser import NEXT_WORD
from wordworth.studies.syntax.parser import TRAINING as PARSER_TRAINING
from wordworth.studies.syntax.settings import SyntaxSettings
from wordworth.studies.syntax.structural_probe_scores import COMPARED, INPUT, LAST, MEASURES
from wordworth.studies.syntax.structural_probes import AGAIN, CHAIN, CONTROL, MODEL, SHUFFLED, TRAINING, UNSQUARED
from wordworth.studies.syntax.structural_probes import RANDOM as RANDOM_WEIGHTS
from wordworth.studies.syntax.word_pairs import FEWEST
from wordworth.studies.treebank_sample import FEW_DOCUMENTS, sample_warnings

Row = Mapping[str, Any]
_MARGIN = 0.15
"""Difference to linear chain and random weights that is expected of the best layer, as a share of 1."""
_NEARLY = 0.01
"""Largest loss in score, as a share of 1, at which a lower rank is still said to be enough."""


def verdict(tables: Mapping[str, Table], depth: int) -> Finding:
    """Return the finding `verdict`: the layer that encodes trees best, and its scores minus the scores of controls.

    Args:
        tables: tables of the study.
        depth: number of layers of the model above the input layer.
    """
    best, gaps = chosen_row(tables, "distance"), gaps_of(tables, "distance", "share")
    of_depth, inner = chosen_row(tables, "depth"), 0 < best["layer"] < depth
    is_ahead = all(gaps[name]["ahead"] for name in (CHAIN, RANDOM_WEIGHTS))
    headline = f"Trees are plainest in layer {best['layer']} of {depth}."
    if not is_ahead:
        headline = "No layer holds trees beyond its controls."
    sentences = [
        _edges(best, gaps),
        _inner(gaps, best["layer"], depth=depth, inner=inner),
        _roots(best, of_depth),
        _other_probes(gaps),
        _ranks(tables, best),
        *_pairs(tables),
        _parser(tables),
    ]
    numbers: dict[str, Any] = {"headline": headline, "layer": best["layer"], "layers": depth, "inner": inner}
    numbers |= {"uuas": best["share"], "over_chain": gaps[CHAIN]["gap"], "over_random": gaps[RANDOM_WEIGHTS]["gap"]}
    numbers["margin_held"] = all(gaps[name]["gap"] >= _MARGIN for name in (CHAIN, RANDOM_WEIGHTS))
    return Finding("verdict", "\n".join(sentences), numbers)


def chosen_row(tables: Mapping[str, Table], kind: str) -> Row:
    """Return the row of the table `probes` for the best layer's probe of one kind, `distance` or `depth`."""
    rows = tables["probes"].rows()
    return next(row for row in rows if row["probe"] == kind and row["source"] == MODEL and row["chosen"])


def gaps_of(tables: Mapping[str, Table], kind: str, measure: str) -> dict[str, Row]:
    """Return name of each control -> its row of the table `differences`, for one kind of probe and one measure.

    Args:
        tables: the tables of the record.
        kind: the kind of probe: `distance` or `depth`.
        measure: name of the measure.
    """
    rows = tables["differences"].rows()
    return {str(row["other"]): row for row in rows if (row["probe"], row["measure"]) == (kind, measure)}


def _share(row: Row) -> str:
    return f"{percent(row['share'], 1)} ({percent(row['share_low'], 1)} to {percent(row['share_high'], 1)})"


def _gap(row: Row) -> str:
    return f"{signed(row['gap'])} points ({signed(row['low'])} to {signed(row['high'])})"


def _edges(best: Row, gaps: Mapping[str, Row]) -> str:
    return (
        f"From the vectors of layer {best['layer']} a linear probe finds {_share(best)} of the edges between words in "
        f"other documents (95 % intervals in brackets): {_gap(gaps[CHAIN])} beside joining neighbours, "
        f"{_gap(gaps[RANDOM_WEIGHTS])} beside random weights, {_gap(gaps[SHUFFLED])} beside shuffled vectors."
    )


def _roots(best: Row, of_depth: Row) -> str:
    return (
        f"The root is found in {_share(of_depth)} of the sentences, from layer {of_depth['layer']}; rank correlations "
        f"of distances and depths are {decimal(best['correlation'], 2)} and {decimal(of_depth['correlation'], 2)}."
    )


def _inner(gaps: Mapping[str, Row], layer: int, *, depth: int, inner: bool) -> str:
    """Return the sentence on the best layer: its lead over the input and the last layer, or which of the two it is.

    Args:
        gaps: name of a control -> its row of the table `differences`.
        layer: number of the best layer.
        depth: number of the last layer.
        inner: whether the best layer is neither the input layer nor the last.
    """
    if not inner:
        return f"The best layer is {'the input layer' if layer == 0 else f'the last of {depth}'}."
    return f"It is {_gap(gaps[INPUT])} ahead of the input layer and {_gap(gaps[LAST])} of the last."


def _other_probes(gaps: Mapping[str, Row]) -> str:
    return (
        f"Trees that only the form of words decides are recovered too: selectivity {_gap(gaps[CONTROL])}. Lengths that "
        f"are not squared: {_gap(gaps[UNSQUARED])} for squared ones. Another seed: {_gap(gaps[AGAIN])}."
    )


def _ranks(tables: Mapping[str, Table], best: Row) -> str:
    rows = [row for row in tables["probes"].rows() if row["source"] == MODEL and row["probe"] == "distance"]
    rows = sorted((row for row in rows if row["layer"] == best["layer"]), key=lambda row: row["rank"])
    most = max(row["share"] for row in rows)
    enough = next(row for row in rows if row["share"] >= most - _NEARLY)
    return f"Rank {enough['rank']} is enough: {percent(enough['share'], 1)}, at most {percent(most, 1)} with any rank."


def _pairs(tables: Mapping[str, Table]) -> Iterator[str]:
    """Yield the sentences on the attention probe, for the tasks that had enough pairs."""
    rows = {(str(row["task"]), str(row["source"])): row for row in tables["pairs"].rows()}
    gaps = {(str(row["task"]), str(row["other"])): row for row in tables["pair_differences"].rows()}
    for task, words in ((MATCHED, "whether two words are related"), (WHICH, "which relation they have")):
        if (own := rows.get((task, OWN))) is None:
            continue
        yield (
            f"All heads' weights between two words say {words} in {percent(own['accuracy'], 1)}, distance alone in "
            f"{percent(rows[task, DISTANCE]['accuracy'], 1)}: {_gap(gaps[task, DISTANCE])}; beside random weights "
            f"{_gap(gaps[task, RANDOM])}."
        )


def _parser(tables: Mapping[str, Table]) -> str:
    own = next(row for row in tables["parsers"].rows() if row["source"] == MODEL)
    gaps = {str(row["other"]): row for row in tables["parser_differences"].rows() if row["measure"] == "uas"}
    uas, las = (
        f"{percent(own[name], 1)} ({percent(own[f'{name}_low'], 1)} to {percent(own[f'{name}_high'], 1)})"
        for name in ("uas", "las")
    )
    return (
        f"A biaffine parser on all layers finds the heads of {uas} of the words, punctuation among them, and {las} "
        f"with their relations: heads {_gap(gaps[RANDOM_WEIGHTS])} beside random weights, {_gap(gaps[INPUT])} beside "
        f"the input layer, {_gap(gaps[NEXT_WORD])} beside right-branching."
    )


def warnings(tables: Mapping[str, Table], facts: Mapping[str, int]) -> Iterator[Finding]:
    """Yield the warnings: sentences left out, few documents, controls that score as high as the model.

    Args:
        tables: the tables of the record.
        facts: the description of the sample of sentences.
    """
    yield from sample_warnings(facts)
    gaps = gaps_of(tables, "distance", "share")
    if equal := [name for name in (CHAIN, RANDOM_WEIGHTS, CONTROL) if not gaps[name]["ahead"]]:
        text = f"The best layer is not surely ahead of these controls: {join_words(equal)}."
        yield Finding("warning.controls", text, {"controls": equal})
    text = "That a probe finds trees in vectors does not show that the model uses them."
    yield Finding("warning.probes", text)


def method(facts: Mapping[str, int], settings: SyntaxSettings) -> Iterator[Finding]:
    """Yield the findings that say how the numbers of a `syntax` record were computed.

    Args:
        facts: the description of the sample of sentences.
        settings: the settings of the study.
    """
    short, long = LENGTHS
    yield Finding(
        "method.probes",
        "A distance probe takes the squared length of B(h_i − h_j) for the number of edges between two words, a depth "
        "probe that of B h_i for the number from the root (Hewitt and Manning 2019); h is the mean of a word's pieces. "
        f"B has rank {settings.rank} on every layer. The loss is the mean absolute error over a sentence's pairs or "
        f"words; Adam at {TRAINING.rate:g}, {TRAINING.batch_size} sentences a step, at most {TRAINING.passes} passes.",
    )
    yield Finding(
        "method.measures",
        "UUAS is the share of edges of the true spanning tree that are in that of predicted distances, and the root "
        "the word of the least predicted depth; punctuation (relation punct) is left out of both. Rank correlations "
        f"are averaged over sentences of each length and then over lengths from {short} to {long} words.",
    )
    over = "sentence" if facts["documents"] < FEW_DOCUMENTS else "document"
    yield Finding(
        "method.split",
        f"Probes are trained on {count_of(facts['training'], 'sentence')}; {facts['held_out']:,} more, of other "
        f"{over}s, stop the training and choose the layer by their loss, and {facts['sentences']:,} measure. Intervals "
        f"are 95 % bootstrap intervals over {over}s; ahead means above 0 at a level corrected for all "
        f"{2 * len(MEASURES) * len(COMPARED)} differences.",
    )
    yield Finding(
        "method.controls",
        "Random weights: an encoder of the same shape, its best layer chosen in the same way. Shuffled vectors: each "
        "sentence's in random order. Control trees: every form of a word hangs on the first word of its sentence, on "
        "the last or on the word before it, drawn once for all its occurrences (after Hewitt and Liang 2019); "
        "their root is the first word, so that finding it takes no memory of forms.",
    )
    yield Finding(
        "method.attention",
        "The attention probe is a linear classifier of the weights of all heads between two words, in both directions "
        "(Coenen et al. 2019). Pairs without a relation come from the same sentence, as far apart on the same side; "
        f"beside them random ones. Classes are relations of {FEWEST} words or more in the sentences that train.",
    )
    yield Finding(
        "method.parser",
        "The parser is biaffine (Dozat and Manning 2017), without their BiLSTM: a mix of all layers, frozen, a layer "
        "of ReLU units for each role of a word, one map for arcs and one for relations; Adam at "
        f"{PARSER_TRAINING.rate:g}, {PARSER_TRAINING.batch_size} sentences a step, at most {PARSER_TRAINING.passes} "
        "passes. Heads are those of the best tree with one root (Chu and Liu, Edmonds). Every word counts, relations "
        "without subtypes, as in the CoNLL 2018 shared task; words are the treebank's. Right-branching takes the next "
        "word for the head.",
    )
