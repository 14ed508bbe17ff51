"""The study `shrink`: scores of smaller variants of a model on the user's own labels, as a `Record`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, replace
from itertools import chain
from pathlib import Path
from typing import Any

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.files import as_path, content_key
from wordworth.inference.finetuned_run import TunedRun, read_run
from wordworth.inference.labelled_inputs import read_halves
from wordworth.inference.prediction_speed import Inputs
from wordworth.measures.metrics import metric
from wordworth.measures.paired_changes import PairedChanges
from wordworth.models.encoder_fingerprint import vectors_key
from wordworth.models.pruning import load_with_heads, require_heads
from wordworth.progress import Progress
from wordworth.records import Record
from wordworth.sources import short_name
from wordworth.studies.compression_frontier import Candidate, frontier
from wordworth.studies.shrink.compressed_vectors import TextVectors, form_candidates
from wordworth.studies.shrink.constant_answer import constant_answer, constant_name
from wordworth.studies.shrink.encoder_candidates import EncoderVariants, read_encoders, vectors_of
from wordworth.studies.shrink.findings import method, verdict, warnings
from wordworth.studies.shrink.finetuned_candidates import finetuned_candidates, heads_by_importance, read_students
from wordworth.studies.shrink.non_inferiority import Judgement
from wordworth.studies.shrink.settings import ShrinkSettings
from wordworth.studies.shrink.static_table_candidate import static_table
from wordworth.studies.shrink.tables import models_table, speed_of, vectors_table
from wordworth.studies.study import Study, file_name, make_record, timed
from wordworth.studies.study_result_cache import FinishedParts
from wordworth.studies.worth.run_cache import task_key
from wordworth.tasks.reading.read_task import read_task
from wordworth.tasks.task import Rows, Task
from wordworth.training.finetuning.run_folder import find_model_folder

_SHARES_OF_HEADS, _OTHERS = 4, 3
"""Number of models with heads removed, at most, and number of those that are not counted by layer, for the progress."""


def study(settings: ShrinkSettings, progress: Progress, *, run: Path | str, data: Path | str) -> Record:
    """Score smaller variants of a model, and name the smallest whose loss in score is within the margin.

    Args:
        settings: settings of the study.
        progress: receives progress and messages.
        run: the output folder of a fine-tuning; or the name, folder or hub name of a sentence encoder.
        data: labelled rows that the model did not learn from.

    Raises:
        BadInput: there is no such model, or `data` does not fit it.
    """
    seconds: dict[str, float] = {}
    folder = find_model_folder(as_path(run, "run"))
    with timed(seconds, "shrinking"):
        made = (
            _of_run(run, folder, data, settings, progress)
            if folder
            else _of_encoder(str(run), data, settings, progress)
        )
    task, facts, models, vectors = made
    facts = {
        **task.facts,
        "choosing": len(task.train),
        "measuring": len(task.test),
        "run": short_name(str(run)),
        "has_vectors": vectors is not None,
        "constant": constant_name(task),
        **facts,
    }
    tables = {"models": models_table(models)} | ({} if vectors is None else {"vectors": vectors_table(vectors)})
    findings = [verdict(models, vectors, facts), *warnings(task, facts), *method(models, facts)]
    fields = asdict(settings) | {"also": [file_name(each) for each in settings.also]}
    speed = speed_of([models] if vectors is None else [models, vectors], settings.hourly_price)
    timings = {"speed": speed}
    return make_record(STUDY.kind, fields, facts, tables=tables, findings=findings, seconds=seconds, timings=timings)


STUDY = Study(
    "shrink",
    "Measure everything that makes a model smaller, on your own labels.",
    ShrinkSettings,
    study,
    inputs={"run": "the folder of a fine-tuning, or a sentence encoder", "data": "a file of labelled rows"},
)

_Made = tuple[Task, dict[str, Any], Judgement, Judgement | None]


def _of_run(run: Path | str, folder: Path, data: Path | str, settings: ShrinkSettings, progress: Progress) -> _Made:
    """Judge the smaller variants of a fine-tuned model."""
    tuned = read_run(run)
    layers = require_heads(tuned.encoder.model, str(run)).config.num_layers
    students = read_students(settings.also, tuned)
    task = read_halves(tuned.predictor, data, settings.read)
    identity = (*map(_run_key, (tuned, *(student for _, student in students))), task_key(task), settings.seed)
    parts = FinishedParts.of(STUDY.kind, progress, *identity)
    ranked = parts.arrays(("heads",), lambda: {"order": heads_by_importance(tuned, task, progress)})["order"]
    order = tuple((int(layer), int(head)) for layer, head in ranked)
    most = layers + _OTHERS + len(students) + (_SHARES_OF_HEADS if order else 0)
    every = chain(
        finetuned_candidates(tuned, order, students), static_table(str(folder), task, settings.seed, progress)
    )
    steps = ("measuring smaller models", most, progress)
    models = _judged(every, task, task.examples.take(task.test), settings, steps, parts)
    network = tuned.network
    cut = int(network.tuned.head.encode(network.reader, task.examples).truncated.sum())
    return task, {"is_run": True, "by_cosine": False, "cut": cut, "tokens": network.reader.limit}, models, None


def _of_encoder(name: str, data: Path | str, settings: ShrinkSettings, progress: Progress) -> _Made:
    """Judge the smaller variants of a sentence encoder, and the smaller forms of its vectors."""
    encoder, others = load_with_heads(name), read_encoders(settings.also)
    task = read_task(data, replace(settings.read, test=0.5))
    if task.type.labels_words:
        what = "words are labelled here, and a sentence encoder gives a vector a text"
        raise BadInput(what, where=str(data), mend="fine-tune a model on these rows, and name its folder")
    variants = EncoderVariants(name, encoder, task, settings.seed, others)
    every: Iterable[Any] = variants.candidates()
    if not variants.by_cosine:
        every = chain(every, static_table(name, task, settings.seed, progress))
    most = variants.model.config.num_layers + _OTHERS + len(others)
    steps = ("measuring smaller models", most, progress)
    encoders = (encoder, *(other for _, other in others))
    parts = FinishedParts.of(STUDY.kind, progress, *map(vectors_key, encoders), task_key(task), settings.seed)
    models = _judged(every, task, task.examples.take(task.test), settings, steps, parts)
    facts = {"is_run": False, "by_cosine": variants.by_cosine}
    if task.examples.second is not None and not variants.by_cosine:
        return task, facts, models, None
    return task, facts, models, _vectors(variants, settings, progress)


def _run_key(run: TunedRun) -> str:
    """Return a key of all that decides a fine-tuned model's predictions, under which they are cached."""
    weights = (value.numpy(force=True).tobytes() for value in run.network.tuned.network.state_dict().values())
    return content_key(vectors_key(run.encoder), *weights, sorted(run.predictor.facts.items()))


def _vectors(variants: EncoderVariants, settings: ShrinkSettings, progress: Progress) -> Judgement:
    """Judge the forms of an encoder's vectors."""
    task = variants.task
    known, inputs = (_text_vectors(variants, rows) for rows in (task.train, task.test))
    every = form_candidates(known, task.gold(task.train), len(task.classes))
    return _judged(every, task, inputs, settings, ("measuring smaller vectors", 7, progress))


def _text_vectors(variants: EncoderVariants, rows: Rows) -> TextVectors:
    examples = variants.task.examples.take(rows)
    second = None if examples.second is None else vectors_of(variants.encoder, examples.second)
    return TextVectors(vectors_of(variants.encoder, examples.first), second)


def _judged(
    candidates: Iterable[Candidate[Inputs]],
    task: Task,
    inputs: Inputs,
    settings: ShrinkSettings,
    steps: tuple[str, int, Progress],
    parts: FinishedParts | None = None,
) -> Judgement:
    """Score, time and judge candidates, the whole one first.

    Args:
        candidates: the models, or forms of vectors.
        task: the labelled rows.
        inputs: the inputs of the test rows, in the form that candidates predict from.
        settings: the settings of the study.
        steps: title of the progress step, largest number of candidates, and the progress.
        parts: caches the result of each finished candidate, so that a later call resumes; None caches nothing.
    """
    title, number, progress = steps
    rng = seeds.child(settings.seed, "shrink", "draws")
    comparison = PairedChanges.of(
        metric(task.metric, task.classes), task.gold(task.test), task.classes, settings.draws, rng
    )
    with progress.step(title, number * len(inputs)) as step:
        variants = frontier(candidates, inputs, comparison, step, parts, constant_answer(task, settings.seed))
    return Judgement.of(variants, settings.margin / 100, len(inputs))
