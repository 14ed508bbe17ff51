"""The study `layers` from end to end: probe the layers of an encoder for every task, and make the `Record`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.measures.description_length import block_ends
from wordworth.models.encoder_fingerprint import fingerprint, vectors_key
from wordworth.models.load import load
from wordworth.models.random_weights_copy import random_twin
from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import Progress, Step
from wordworth.records import Finding, Record, Table
from wordworth.studies.layers.depth_speed import ROUNDS, milliseconds_by_depth
from wordworth.studies.layers.edge_probing import EdgeProbing, edge_probing
from wordworth.studies.layers.findings import method, verdict, warnings
from wordworth.studies.layers.layer_features import LayerFeatures
from wordworth.studies.layers.linear_probing import HALVINGS, LinearProbing, linear_probing
from wordworth.studies.layers.probe_trainer import EDGE, LINEAR, ProbeTrainer
from wordworth.studies.layers.probing_tasks import read_tasks
from wordworth.studies.layers.settings import LayersSettings, ProbeSettings
from wordworth.studies.layers.span_task import SpanTask
from wordworth.studies.layers.tables import tables_of
from wordworth.studies.study import Study, file_name, make_record, timed
from wordworth.studies.study_result_cache import FinishedParts
from wordworth.studies.word_vectors_by_layer import unknown_pieces
from wordworth.training.finetuning.checkpoint_metadata import LEARNED_FROM
from wordworth.training.probes.saved_probe import PROBE, SavedProbe

SPEED = {
    "task": "name of the task",
    "layer": "layer at which the encoder stops; 0 is the input layer",
    "milliseconds": "a text of the task, on one thread, 32 texts together",
    "share": "of the time of all layers",
}


@dataclass(frozen=True, slots=True)
class ProbedLayers:
    """The result of a study of layers.

    Attributes:
        record: the record.
        probe: the chosen probe of the user's own task, with its metadata; None without such a task.
    """

    record: Record
    probe: tuple[SavedProbe, Mapping[str, Any]] | None

    def write_probe(self, folder: Path) -> None:
        """Write the probe of the user's own task into a folder; if there is no such task, nothing is written."""
        if self.probe is not None:
            saved, metadata = self.probe
            saved.write(folder, metadata)


def probe_layers(settings: LayersSettings, progress: Progress, *, edges: bool = True) -> ProbedLayers:
    """Probe the layers of an encoder for every task.

    Args:
        settings: the settings of the study.
        progress: receives the progress of reading and training.
        edges: whether to train edge probes in addition to linear ones.

    Raises:
        BadInput: there is no task, its data cannot be used, or the model is no encoder.
    """
    with progress.step("reading tasks"):
        tasks = read_tasks(settings)
    encoder = _encoder(settings.model)
    twin = encoder.with_model(random_twin(encoder.model, seeds.child_seed(settings.seed, "layers", "random")))
    seconds: dict[str, float] = {}
    digests = [[str(source["sha256"]) for source in task.sources] for task in tasks]
    probing = _Probing(
        settings, FinishedParts.of(STUDY.kind, progress, vectors_key(encoder), digests, settings.limit), seconds
    )
    edged, linear, speed = dict[str, EdgeProbing](), dict[str, LinearProbing](), list[dict[str, Any]]()
    features: dict[str, LayerFeatures] = {}
    for task in tasks:
        with timed(seconds, f"{task.name}: reading"):
            models = {"own": encoder, "random": twin}
            features = {of: _features(model, task, features.get(of), of, progress) for of, model in models.items()}
        if edges:
            edged[task.name] = probing.edges(task, features)
        linear[task.name] = probing.linear(task, features)
        speed += _speed(encoder, task, progress)
    tables = tables_of(tasks, edged, linear)
    record = make_record(
        STUDY.kind,
        asdict(settings) | {"tasks": [_public(name) for name in settings.tasks], "data": file_name(settings.data)},
        {
            "name": ", ".join(task.title if task.kind else task.name for task in tasks),
            "model": encoder.name,
            "layers": encoder.depth,
            "width": encoder.model.width,
            "sources": list(
                {str(source["sha256"]): dict(source) for task in tasks for source in task.sources}.values()
            ),
        },
        tables=tables,
        findings=list(_findings(tables, encoder, tasks)),
        seconds=seconds,
        timings={"speed": Table.of(speed, SPEED)},
    )
    own = _saved(encoder, tasks[-1], linear[tasks[-1].name], settings) if settings.data is not None else None
    return ProbedLayers(record, own)


@dataclass(frozen=True, slots=True)
class _Probing:
    """A trainer of all probes of a study, which shows progress and records the seconds of each step in `seconds`."""

    settings: LayersSettings
    finished: FinishedParts
    seconds: dict[str, float]

    def edges(self, task: SpanTask, features: Mapping[str, LayerFeatures]) -> EdgeProbing:
        trainings = 2 * features["own"].layers + 2
        total = trainings * EDGE.passes * len(task.parts[0])
        name = f"{task.name}: edge probes"
        with self.finished.timed(self.seconds, name), self.finished.progress.step(name, total) as step:
            own, random = (self._trainer(task, features[of], of, step) for of in ("own", "random"))
            return edge_probing(own, random, self.settings.draws)

    def linear(self, task: SpanTask, features: Mapping[str, LayerFeatures]) -> LinearProbing:
        layers = features["own"].layers
        texts = len(task.parts[0])
        coded = int(block_ends(texts, HALVINGS)[:-1].sum())
        trainings = layers * (3 if task.whole_texts else 4) - 1
        name = f"{task.name}: linear probes"
        total = LINEAR.passes * (trainings * texts + layers * coded)
        with self.finished.timed(self.seconds, name), self.finished.progress.step(name, total) as step:
            own, random = (self._trainer(task, features[of], of, step) for of in ("own", "random"))
            return linear_probing(own, random, self.settings.draws)

    def _trainer(self, task: SpanTask, features: LayerFeatures, of: str, step: Step) -> ProbeTrainer:
        return ProbeTrainer(task, features, self.settings.seed, of, step, self.finished)


def _encoder(name: str) -> TextEncoder:
    encoder = load(name, hash_whole=True)
    if not isinstance(encoder, TextEncoder):
        mend = "name an encoder, such as minilm; static tables are compared by wordworth study words"
        raise BadInput("a static table has no layers to probe", where=name, mend=mend)
    return encoder


def _features(
    encoder: TextEncoder, task: SpanTask, earlier: LayerFeatures | None, of: str, progress: Progress
) -> LayerFeatures:
    texts, random = sum(map(len, task.parts)), ", random weights" if of == "random" else ""
    with progress.step(f"{task.name}: reading layers{random}", texts) as step:
        return LayerFeatures.of(encoder, task, step, earlier)


def _speed(encoder: TextEncoder, task: SpanTask, progress: Progress) -> list[dict[str, Any]]:
    texts = [_text(task.texts[row]) for row in task.parts[2]]
    with progress.step(f"{task.name}: timing depths", ROUNDS) as step:
        times = milliseconds_by_depth(encoder, texts, step)
    return [
        {"task": task.name, "layer": layer, "milliseconds": time, "share": time / times[-1]}
        for layer, time in enumerate(times)
    ]


def _text(text: Sequence[str] | str) -> str:
    return text if isinstance(text, str) else " ".join(text)


def _findings(tables: Mapping[str, Table], encoder: TextEncoder, tasks: Sequence[SpanTask]) -> Iterator[Finding]:
    texts = [_text(task.texts[row]) for task in tasks for part in task.parts for row in part]
    windowed = encoder.lengths(encoder.tokenizer.encode(texts)).windowed
    yield verdict(tables, encoder.depth)
    yield from (finding for task in tasks for finding in task.warnings)
    yield from warnings(tables, windowed)
    yield from unknown_pieces(encoder, texts)
    yield from method(tables)


def _public(task: str) -> str:
    """Return the name of a task for the record, without the folders in `name=file`."""
    name, equals, path = task.partition("=")
    return f"{name}{equals}{Path(path).name}" if equals else name


def _saved(
    encoder: TextEncoder, task: SpanTask, linear: LinearProbing, settings: ProbeSettings
) -> tuple[SavedProbe, dict[str, Any]]:
    taken = linear.choice.taken
    folder = Path(settings.model)
    metadata = {
        "kind": task.kind,
        "classes": list(task.classes),
        "tokens": encoder.max_length,
        "cut": "end",
        "second": False,
        "columns": list(task.columns),
        "name": task.name,
        LEARNED_FROM: [str(source["sha256"]) for source in task.sources],
        PROBE: {
            "model": str(folder.resolve()) if folder.exists() else settings.model,
            "fingerprint": fingerprint(encoder),
        },
    }
    return SavedProbe.of(taken.probe, range(taken.layers.start, taken.layers.stop)), metadata


def study(settings: LayersSettings, progress: Progress) -> Record:
    """Probe the layers of an encoder for every task, and return the record."""
    return probe_layers(settings, progress).record


STUDY = Study("layers", "Find the layers of an encoder that hold a label.", LayersSettings, study, inputs={})
