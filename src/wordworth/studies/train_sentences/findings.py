"""The findings of a training of sentence vectors: the change on the dev part, warnings and the method."""

from __future__ import annotations

from collections.abc import Iterator

from wordworth import seeds
from wordworth.measures.metrics import metric
from wordworth.measures.paired_changes import Change, PairedChanges
from wordworth.models.prompts import prompts_by_role
from wordworth.records import Finding
from wordworth.sentence_formatting import count_of, decimal, points, signed_with_range, some_of
from wordworth.training.sentences.losses import LOSSES
from wordworth.training.sentences.read_data import SentenceData
from wordworth.training.sentences.run import SentenceTrainingResult
from wordworth.training.sentences.settings import SentenceTrainingSettings

_DRAWS = 1_000
_OF_ROWS = ("method.positives", "method.hard_negatives")
_METHOD = {
    "ranking": "Of all second and third texts of a batch, a row's own second text was to be the nearest by cosine.",
    "softmax": "A classifier read the vectors of both texts, joined; only the vectors are kept.",
    "cosine": "The cosine of the two vectors was to be the score.",
    "mse": "The vector of a text was to be the teacher's.",
    "triplet": "The second text was to be nearer to the first than the third, by a distance of 1.",
}


def findings(settings: SentenceTrainingSettings, data: SentenceData, result: SentenceTrainingResult) -> list[Finding]:
    """Return the findings of a `train_sentences` record: the dev score before and after training, warnings, the method.

    Args:
        settings: the settings of the training.
        data: the rows and their parts.
        result: the result of the training.
    """
    return [_verdict(settings, data, result), *_warnings(data, result), *_method(settings, data, result)]


def _verdict(settings: SentenceTrainingSettings, data: SentenceData, result: SentenceTrainingResult) -> Finding:
    steps, rows = count_of(result.config.steps, "update"), count_of(len(data.train), "row")
    trained = f"{settings.loss} loss, {steps} of {result.config.batch_size} rows, {rows} in all"
    numbers = {"steps": result.config.steps, "rows": len(data.train), "kept": result.kept_step}
    first_score = result.evaluations[0].dev if result.evaluations else None
    kept_score = next((each.dev for each in result.evaluations if each.step == result.kept_step), None)
    taken = "".join(f" {note.text}" for note in data.notes if note.name in _OF_ROWS)
    if first_score is None or kept_score is None or data.dev is None:
        headline = f"{settings.model}, trained for {steps}; not judged on a dev part."
        return Finding("verdict", f"Trained with the {trained}.{taken}", {"headline": headline, **numbers})
    of_dev = f"{len(data.dev):,} dev rows"
    if result.cosines is None or data.scores is None:
        headline = f"Loss on {of_dev}: {decimal(-kept_score)}, before training {decimal(-first_score)}."
        return Finding("verdict", f"Trained with the {trained}.{taken}", {"headline": headline, **numbers})
    change = _change(settings, data, result)
    ends = change.interval
    headline = f"Spearman's correlation × 100 on {of_dev}: {points(kept_score)}, before training {points(first_score)}."
    text = (
        f"Trained with the {trained}.{taken} The change is "
        f"{signed_with_range(change.value, ends.low, ends.high)}; the same rows chose the step, so that "
        f"on others it is a little less. Both scores are of vectors in {result.dtype}."
    )
    return Finding("verdict", text, {"headline": headline, **numbers, "change": change.value, **ends.columns()})


def _change(settings: SentenceTrainingSettings, data: SentenceData, result: SentenceTrainingResult) -> Change:
    assert result.cosines is not None  # noqa: S101 - by the caller
    assert data.scores is not None  # noqa: S101 - by the caller
    rng = seeds.child(settings.seed, "train_sentences", "bootstrap")
    paired = PairedChanges.of(metric("spearman", ()), data.scores, (), _DRAWS, rng)
    before, after = result.cosines
    return paired.change(after, before)


_FEW = 100
"""Number of updates below which a warning of no gain says that they may be too few."""


def _warnings(data: SentenceData, result: SentenceTrainingResult) -> Iterator[Finding]:
    scores = [each.dev for each in result.evaluations if each.dev is not None]
    if scores and max(scores) == scores[0] and len(scores) > 1:
        few = f", and {count_of(result.config.steps, 'update')} may be too few" if result.config.steps < _FEW else ""
        yield Finding("warning.no_gain", f"The dev part was judged best before training{few}.")
    if data.dev is None:
        yield Finding("warning.no_dev", "No dev part chose the step: the last weights were kept, good or bad.")
    repeated = data.train.repeated
    if repeated:
        rows = some_of(repeated, len(data.train), "rows repeats", "rows repeat")
        yield Finding(
            "warning.repeated", f"{rows} the texts of an earlier one.", {"rows": repeated, "of": len(data.train)}
        )
    if data.train.first == data.train.second:
        yield Finding("warning.equal_texts", "The two texts of each row are equal: nothing says which texts are alike.")
    if result.cut:
        texts = len(data.train.texts)
        cut = some_of(result.cut, texts, "different texts was cut", "different texts were cut")
        yield Finding("warning.cut", f"{cut} to the maximum length.", {"cut": result.cut, "of": texts})


def _method(
    settings: SentenceTrainingSettings, data: SentenceData, result: SentenceTrainingResult
) -> Iterator[Finding]:
    yield Finding("method.loss", _METHOD.get(settings.loss, f"Trained with the loss {settings.loss}."))
    rate = (
        f"Peak learning rate {result.config.learning_rate:.3g}, 10 % warm-up, AdamW; gradients clipped to a norm of 1."
    )
    yield Finding("method.rate", rate)
    by_role = prompts_by_role(result.encoder)
    if by_role and LOSSES.get(settings.loss).target != "vector":
        text = (
            f"First texts were read behind {by_role['query']!r}, second and third texts behind {by_role['document']!r}."
        )
        yield Finding("method.prompts", text, {str(role): prompt for role, prompt in by_role.items()})
    if result.dtype != "float32" and result.evaluations:
        text = (
            f"The dev part was scored in {result.dtype}, in which this machine trains. study sentences scores the same "
            "weights in float32: the last digit may differ."
        )
        yield Finding("method.dtype", text)
    if settings.widths:
        widths = ", ".join(map(str, settings.widths))
        yield Finding("method.matryoshka", f"The first {widths} numbers of the vectors were trained with the whole.")
    yield from data.notes
