"""The study `adaptation` from end to end: read texts, adapt a model for a short trial, and measure its losses."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.measures.weighted_sums import Floats
from wordworth.models.devices import device_of
from wordworth.models.language_model import language_model
from wordworth.progress import Progress, Step
from wordworth.records import Record, Table
from wordworth.sources import short_name
from wordworth.studies.adaptation.bits_per_character import TEXTS, beginnings, bits, text_row
from wordworth.studies.adaptation.findings import CONTROL, CORPUS, TASK, findings
from wordworth.studies.adaptation.samples import MOST_TEXTS, CorpusSample, corpus_sample, require_other_text, task_texts
from wordworth.studies.adaptation.settings import AdaptationSettings
from wordworth.studies.adaptation.vocabulary_comparison import VOCABULARIES, vocabulary_rows
from wordworth.studies.adaptation.word_overlap import OVERLAP, SPLITS, STOP_WORDS, overlap_rows
from wordworth.studies.study import Study, file_name, make_record, timed
from wordworth.text.read_compressed_file import file_sha256
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.tokenizer_statistics import PieceCounts, piece_counts
from wordworth.training.pretraining import adapt
from wordworth.training.pretraining.pretrain_and_adapt import resolved_encoder

_NAMES = {"after": CORPUS, "control": CONTROL}
"""Name of a trial run -> the name of the texts that it learns from."""
BATCH, LENGTH = 32, 128
"""Number of sequences in an update of a trial run, and number of subwords in a sequence."""


@dataclass(frozen=True, slots=True)
class Trial:
    """The result of a trial run, which pretrains a model further on a corpus for a few steps.

    Attributes:
        folder: the folder of the model.
        tokens: number of subwords that the run has read.
        seconds: wall-clock seconds of the whole run, including the preparation of the text.
    """

    folder: str
    tokens: int
    seconds: float


def study(
    settings: AdaptationSettings, progress: Progress, *, model: str, corpora: Sequence[Path], control: Sequence[Path]
) -> Record:
    """Adapt a model to a corpus for some steps, and measure how that changes its loss on the texts of a task.

    Args:
        settings: the settings of the study.
        progress: receives progress and messages.
        model: an encoder that was pretrained as a language model.
        corpora: files and folders of text.
        control: files and folders of text of another domain, to which the model is adapted too, for comparison; empty
            for no comparison.

    Raises:
        BadInput: a file or the model cannot be used, or there is too little text.
    """
    seconds: dict[str, float] = {}
    tokenizer = Tokenizer.read(resolved_encoder(model).folder)
    with timed(seconds, "reading"), progress.step("reading texts"):
        task = task_texts(Path(settings.task), settings.text)
        corpus = corpus_sample(corpora, settings.text, task)
        learned = {"after": corpus} | ({"control": corpus_sample(control, settings.text, task)} if control else {})
        if control:
            require_other_text(learned["control"], corpus)
    samples = {TASK: task} | {_NAMES[kind]: sample.held_out for kind, sample in learned.items()}
    texts = {name: beginnings(_drawn(sample, settings.seed), tokenizer) for name, sample in samples.items()}
    with tempfile.TemporaryDirectory(prefix="wordworth-adaptation-") as folder:
        files = {kind: sample.write(Path(folder) / f"{kind}.jsonl") for kind, sample in learned.items()}
        with timed(seconds, "comparing words"), progress.step("comparing words"):
            vocabularies = vocabulary_rows(tokenizer, texts[TASK], files["after"])
            others = {_NAMES[kind]: sample.learned for kind, sample in learned.items()}
            overlaps = overlap_rows(task, others, settings.seed)
        with timed(seconds, "trial runs"):
            trials = {
                kind: _trial(model, file, settings, _NamedTexts(progress, file, _NAMES[kind]))
                for kind, file in files.items()
            }
        with timed(seconds, "measuring"):
            models = {"before": model} | {kind: trial.folder for kind, trial in trials.items()}
            costs, headless = _costs(models, texts, settings, progress)
    counts = {name: piece_counts(tokenizer, part) for name, part in texts.items()}
    rows = [text_row(name, part, counts[name], costs[name], settings.seed) for name, part in texts.items()]
    tables = {
        "texts": Table.of(rows, TEXTS),
        "overlap": Table.of(overlaps, OVERLAP),
        "vocabularies": Table.of(vocabularies, VOCABULARIES),
    }
    facts = _facts(model, settings, corpus, trials["after"]) | {"texts": len(task), "headless": headless}
    facts |= {"tokens_of_pass": _tokens(counts[CORPUS], texts[CORPUS], facts["characters"])}
    written = asdict(settings) | {"task": file_name(settings.task), "control": file_name(settings.control)}
    timings = {"pass": _pass_seconds(facts, trials["after"])}
    return make_record(
        STUDY.kind,
        written,
        facts,
        tables=tables,
        findings=findings(facts, tables),
        seconds=seconds,
        timings=timings,
    )


STUDY = Study(
    "adaptation",
    "Say what adapting a model to a corpus promises a task.",
    AdaptationSettings,
    study,
    inputs={"model": "an encoder", "corpora": "files or folders of text", "control": "text of another domain"},
)


def _drawn(texts: Sequence[str], seed: int) -> list[str]:
    order = seeds.child(seed, "adaptation", "drawn").permutation(len(texts))
    return [texts[row] for row in order[:MOST_TEXTS]]


@dataclass(frozen=True, slots=True)
class _NamedTexts:
    """A `Progress` whose messages name the texts of a trial run, in place of the temporary file that holds them.

    Attributes:
        progress: receives the messages.
        file: the temporary file.
        name: the name of the texts.
    """

    progress: Progress
    file: Path
    name: str

    @contextmanager
    def step(self, title: str, total: int | None = None) -> Iterator[Step]:
        with self.progress.step(title, total) as step:
            yield step

    def note(self, message: str) -> None:
        self.progress.note(message.replace(str(self.file), self.name))


def _trial(model: str, file: Path, settings: AdaptationSettings, progress: Progress) -> Trial:
    """Adapt a model to a file of text for `settings.steps` updates."""
    began = time.monotonic()
    result = adapt(
        model,
        file,
        out=file.with_suffix(".model"),
        vocabulary=settings.vocabulary,
        new_subwords=settings.new_subwords,
        steps=settings.steps,
        override={"batch_size": BATCH, "lengths": (LENGTH, LENGTH)},
        seed=settings.seed,
        threads=settings.threads,
        device=settings.device,
        progress=progress,
    )
    return Trial(str(result.folder), result.tokens, time.monotonic() - began)


def _costs(
    models: Mapping[str, str], texts: Mapping[str, Sequence[str]], settings: AdaptationSettings, progress: Progress
) -> tuple[dict[str, dict[str, Floats]], str]:
    """Return the loss of each text in bits, and the reason why the loss of the original model is missing, else "".

    The losses are name of texts -> name of a model -> float64 [texts].
    """
    costs: dict[str, dict[str, Floats]] = {name: {} for name in texts}
    headless = ""
    for kind, name in models.items():
        try:
            read = language_model(name).to(device_of(settings.device))
        except BadInput as error:
            if kind != "before":  # the trial run has written it with its head
                raise
            headless = error.what
            continue
        for part, each in texts.items():
            costs[part][kind] = bits(read, each, settings.seed, progress, f"reading {part}")
    return costs, headless


def _pass_seconds(facts: Mapping[str, Any], trial: Trial) -> float:
    """Estimate the seconds of one pass over the documents that were read, at the speed of the trial run."""
    return float(facts["tokens_of_pass"]) / trial.tokens * trial.seconds


def _facts(model: str, settings: AdaptationSettings, corpus: CorpusSample, trial: Trial) -> dict[str, Any]:
    """Return the description of the data for the record: files, documents, characters, subwords read in the trial."""
    return {
        "name": Path(settings.task).name,
        "model": short_name(model),
        "sha256": file_sha256(Path(settings.task)),
        "documents": len(corpus.learned),
        "held_out": len(corpus.held_out),
        "overlapping": corpus.overlapping,
        "characters": sum(map(len, corpus.learned)),
        "is_whole": corpus.is_whole,
        "steps": settings.steps,
        "tokens": trial.tokens,
        "stop_words": STOP_WORDS,
        "splits": SPLITS,
    }


def _tokens(counts: PieceCounts, held_out: Sequence[str], characters: int) -> int:
    """Estimate the number of subwords in documents of `characters` characters, from the held-out documents."""
    return round(float(counts.pieces.sum()) / sum(map(len, held_out)) * characters)
