"""The study `commonsense` from end to end: read data sets, answer their items by each method, make the `Record`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.progress import Progress
from wordworth.records import Finding, Record
from wordworth.studies.commonsense.adversarial_filtering import Round, filtered_sets
from wordworth.studies.commonsense.findings import filtering, method, verdict, warnings
from wordworth.studies.commonsense.items import ChoiceSet
from wordworth.studies.commonsense.option_scores import Answers
from wordworth.studies.commonsense.read_data_sets import read_sets
from wordworth.studies.commonsense.settings import CommonsenseSettings
from wordworth.studies.commonsense.tables import filtering_table, tables_of
from wordworth.studies.commonsense.tested_model import Subject
from wordworth.studies.study import Study, file_name, make_record
from wordworth.studies.word_vectors_by_layer import unknown_pieces

_MOST_TEXTS = 1_000
"""Most texts that are checked for subwords unknown to the model."""


def study(settings: CommonsenseSettings, progress: Progress) -> Record:
    """Score the options of every item by each method, and return the record.

    Raises:
        BadInput: there are no data, they are damaged, or the model can answer none of them.
    """
    read, rounds = _filtered(read_sets(settings.data), settings, progress)
    subject = Subject.of(settings.model, settings.seed)
    parts = subject.finished_parts(progress, settings.seed)
    seconds: dict[str, float] = {}
    answers: list[Answers] = []
    too_long: dict[str, int] = {}
    for items in read:
        drawn = items.sample(settings.limit, seeds.child(settings.seed, "commonsense", items.seed_name))
        with parts.timed(seconds, items.name):
            fitting = subject.fitting(drawn)
            answers.append(subject.answers(fitting, parts))
        if len(fitting.items) < len(drawn.items):
            too_long[items.name] = len(drawn.items) - len(fitting.items)
    answered = [each for each in answers if each.own and len(each.items.items)]
    if not answered:
        raise _nothing(subject, answers)
    tables = tables_of(answered, settings.seed) | filtering_table(rounds)
    facts = {
        "no_head": subject.no_head,
        "reads": subject.reads,
        "attention": subject.has_attention,
        "too_long": too_long,
    }
    return make_record(
        STUDY.kind,
        asdict(settings) | {"data": [each.name for each in read], "model": file_name(settings.model)},
        {
            "name": ", ".join(each.items.name for each in answered),
            "model": subject.encoder.name,
            "reads": subject.reads,
            "sources": [{"path": each.path, "sha256": each.sha256, "rows": each.rows} for each in read],
        },
        tables=tables,
        findings=[
            verdict(tables, subject.encoder.name),
            *warnings(tables, read, answers, facts),
            *_unknown(subject, answered),
            *method(tables, facts),
            *filtering(tables),
        ],
        seconds=seconds,
    )


STUDY = Study(
    "commonsense",
    "Ask a model what pronouns stand for, how texts end and which of two sentences is grammatical.",
    CommonsenseSettings,
    study,
    inputs={},
)


def _filtered(
    read: list[ChoiceSet], settings: CommonsenseSettings, progress: Progress
) -> tuple[list[ChoiceSet], dict[str, list[Round]]]:
    """Return the data sets, and name of each filtered data set -> the results of its rounds of filtering.

    If filtering is set, each data set of endings is replaced by two versions: before and after adversarial filtering.

    Raises:
        BadInput: filtering is set and there are no endings, or too few.
    """
    if not settings.filter_rounds:
        return read, {}
    if all(items.kind != "endings" for items in read):
        mend = "give texts with endings, such as hellaswag, or leave it out"
        raise BadInput("there are no endings to filter", where="--filter-rounds", mend=mend)
    versions: list[ChoiceSet] = []
    rounds: dict[str, list[Round]] = {}
    for items in read:
        if items.kind != "endings":
            versions.append(items)
            continue
        with progress.step(f"filtering endings, {items.name}", settings.filter_rounds + 1) as step:
            made, rounds[items.name] = filtered_sets(items, settings.filter_rounds, settings.seed, step)
        versions += made
    return versions, rounds


def _nothing(subject: Subject, answers: Sequence[Answers]) -> BadInput:
    """Return an error that tells why no method could score any item."""
    if not any(each.items.items for each in answers):
        return BadInput("every text is too long for this model", where=subject.encoder.name, mend="give shorter texts")
    mend = "name a language model such as mini, or give sentences with pronouns and their candidates"
    return BadInput(f"{subject.no_head or 'nothing can be answered'}", where=subject.encoder.name, mend=mend)


def _unknown(subject: Subject, answers: Sequence[Answers]) -> Iterator[Finding]:
    """Yield a warning if many subwords of the texts are unknown to the model."""
    texts = [text for each in answers for item in each.items.items for text in item.texts[:1]]
    yield from unknown_pieces(subject.encoder, texts[:_MOST_TEXTS])
