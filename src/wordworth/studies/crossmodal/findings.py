"""The findings of a study of words and codes: whether a model connects the two, warnings, and the method."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wordworth.records import Finding
from wordworth.sentence_formatting import count_of, percent, some_of
from wordworth.studies.crossmodal.evaluation import ALIGNMENT, CODES, WORDS
from wordworth.studies.crossmodal.folds import Fold
from wordworth.studies.crossmodal.scores import Scores
from wordworth.studies.crossmodal.settings import CrossmodalSettings
from wordworth.studies.crossmodal.systems import PAIRED, PRIOR, SHUFFLED, Outcomes
from wordworth.studies.estimate import Estimate
from wordworth.studies.few_runs_warning import few_runs_warning
from wordworth.text.captioned_sequences import CaptionedSequences

_FEW = 10
_WORDS = "surely above", "surely below"
"""The words for significant differences from chance and from controls."""
"""Test groups below which intervals are warned of."""


def findings(
    settings: CrossmodalSettings,
    sequences: CaptionedSequences,
    folds: Sequence[Fold],
    outcomes: Outcomes,
    scores: Scores,
) -> list[Finding]:
    """Return the findings of a `crossmodal` record: the verdict, the warnings and the description of the method.

    Args:
        settings: the settings of the study.
        sequences: all sequences with their captions.
        folds: the splits into training, validation and test sequences.
        outcomes: the right answers of all systems.
        scores: the shares of right answers, with intervals.
    """
    groups = len({sequences.groups[row] for row in outcomes.rows.tolist()})
    return [
        _verdict(outcomes, scores, groups),
        *_warnings(settings, folds, outcomes, groups),
        *_caption_warnings(sequences),
        *_method(settings, folds),
        *_alone(sequences),
    ]


def _verdict(outcomes: Outcomes, scores: Scores, groups: int) -> Finding:
    own, chance = scores.value(PAIRED, ALIGNMENT), scores.difference(ALIGNMENT, PAIRED, PRIOR)
    control = scores.difference(ALIGNMENT, PAIRED, SHUFFLED)
    word, words = scores.value(PAIRED, f"{WORDS}, top 1"), scores.difference(f"{WORDS}, top 1", PAIRED, PRIOR)
    code, codes = scores.value(PAIRED, f"{CODES}, top 1"), scores.difference(f"{CODES}, top 1", PAIRED, PRIOR)
    headline = f"Whether words and codes belong together is judged rightly in {percent(own.value, 1)}; chance is 50 %."
    text = (
        f"Of {count_of(len(outcomes.rows), 'test sequence')} of {count_of(groups, 'unseen group')} the model judges "
        f"{_between(own)} rightly, whether words and codes belong together: {chance.comparison(*_WORDS)} chance, and "
        f"{control.comparison(*_WORDS)} the same training on shuffled pairs, {control.in_points()}.\n"
        f"It names a masked word from the codes alone in {_between(word)}, {words.comparison(*_WORDS)} the word that "
        f"is most frequent at its position, {words.in_points()}.\n"
        f"It names a masked code from the words alone in {_between(code)}, {codes.comparison(*_WORDS)} the code that "
        f"is most frequent at its position, {codes.in_points()}."
    )
    numbers = {"alignment": own.value, **own.interval.columns(), "difference": control.value}
    return Finding("verdict", text, {"headline": headline, **numbers})


def _between(value: Estimate) -> str:
    low, high = (percent(each, 1) for each in (value.interval.low, value.interval.high))
    return f"{percent(value.value, 1)} ({low} to {high})"


def _warnings(
    settings: CrossmodalSettings, folds: Sequence[Fold], outcomes: Outcomes, groups: int
) -> Iterator[Finding]:
    """Yield warnings: few groups, fewer folds than asked for, few runs, trainings that still improved at the end."""
    if groups < _FEW:
        text = f"{count_of(groups, 'test group')}: intervals over so few are too narrow, and others may differ more."
        yield Finding("warning.few_groups", text, {"groups": groups})
    if fewer := fewer_folds_warning(settings, folds):
        yield fewer
    if few := few_runs_warning(settings.runs):
        yield few
    cut = sum(step == settings.steps for step in outcomes.steps[PAIRED])
    if cut:
        text = f"{count_of(cut, 'training')} did best after the last update: more updates may give more."
        yield Finding("warning.still_learning", text, {"trainings": cut})


def fewer_folds_warning(settings: CrossmodalSettings, folds: Sequence[Fold]) -> Finding | None:
    """Return a warning if there are fewer folds than asked for, because there are too few groups; else None.

    Args:
        settings: the settings of the study.
        folds: the folds; a single one if the table has a column of parts.
    """
    if not 1 < len(folds) < settings.group_folds:
        return None
    folded = count_of(len(folds), "fold")
    text = f"There are {folded}, not the {settings.group_folds} asked for: a fold tests one group at least."
    return Finding("warning.fewer_folds", text, {"folds": len(folds)})


def _caption_warnings(sequences: CaptionedSequences) -> Iterator[Finding]:
    """Yield warnings about the table: rows of features that are in several groups, and captions that are all equal."""
    name, owners = ("groups", sequences.groups) if sequences.parts is None else ("parts", sequences.parts)
    first, shared = dict[int, str](), set[int]()
    for (start, end), owner in zip(sequences.bounds.tolist(), owners, strict=True):
        shared.update(row for row in range(start, end) if first.setdefault(row, owner) != owner)
    if shared:
        which = some_of(len(shared), len(first), "rows of features is in", "rows of features are in")
        text = f"{which} sequences of several {name}: what is tested may have been trained on. Give each to one group."
        yield Finding("warning.shared_rows", text, {"rows": len(shared)})
    captions = {text for text in sequences.texts if text}
    if len(captions) == 1:
        text = f"All captions are {captions.pop()!r:.60}: words cannot tell codes apart, and there is nothing to learn."
        yield Finding("warning.one_caption", text)


def _method(settings: CrossmodalSettings, folds: Sequence[Fold]) -> Iterator[Finding]:
    codes = f"{settings.k**settings.depth:,} codes by hierarchical k-means of {count_of(settings.depth, 'level')}"
    text = (
        f"Rows of features became {codes}, learned from training sequences alone, as were the words of the vocabulary. "
        f"Groups are in one part alone; in {count_of(len(folds), 'fold')} each was tested at most once, and others "
        "chose the update that was kept."
    )
    yield Finding("method.folds", text)
    text = (
        "A sequence is [CLS] words [>] codes [SEP], or one side alone. Masked tokens are completed, in "
        f"{percent(settings.whole_share)} of the pairs all of one side; of other pairs the first token says whether "
        "the codes belong to the words or are random ones. In training each r-th code is read, r at random from 1 to "
        f"{settings.subsampling}; in tests every code."
    )
    yield Finding("method.training", text)
    text = (
        "Codes that do not belong to the words are those of as many other words, where there are any, so that length "
        "alone tells nothing. Completion masks all of a side. A search is among test sequences of one fold, at most "
        f"{settings.candidates}; a sequence with the same words is as right as the own one."
    )
    yield Finding("method.tests", text)
    text = "Intervals resample test groups whole, and runs where there are several; systems are paired by both."
    yield Finding("method.intervals", text)


def _alone(sequences: CaptionedSequences) -> Iterator[Finding]:
    """Yield a finding on the number of sequences that have only words or only codes, and on their use."""
    words, codes = int(sequences.words_alone.sum()), int(sequences.codes_alone.sum())
    if words or codes:
        counts = f"{count_of(words, 'sequence')} with words alone and {count_of(codes, 'sequence')} with codes alone"
        text = (
            f"{counts} train the completion of their side, and codes alone the codebook too, in every fold that does "
            "not test or validate their group. Tested and validated are sequences with both."
        )
        yield Finding("method.alone", text, {"words_alone": words, "codes_alone": codes})
