"""What all runs of a study share: the encoder, the task and its parts, the sequences that are read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast, get_args

import torch

from wordworth import seeds
from wordworth.errors import BadInput, nearest
from wordworth.models.devices import device_of
from wordworth.models.families.wordworth_bert import OUR_BERT
from wordworth.models.load import load
from wordworth.models.pooling import SentencePooling
from wordworth.models.sentence_transformers_format import read_sentence_settings
from wordworth.models.static_embeddings import StaticTable
from wordworth.representations import model_selection
from wordworth.representations.heads.base import Target
from wordworth.sources import resolve
from wordworth.studies.finetune.features import FeatureAttempt, Features, parse_strategy
from wordworth.studies.finetune.grid import procedure
from wordworth.studies.finetune.settings import ENCODER, require_kind, require_room
from wordworth.training.finetuning.trainer import FineTuningRun
from wordworth.training.task_heads import TagHead, TaskHead, head_of
from wordworth.training.task_heads.base import Cut, InputReader

if TYPE_CHECKING:
    from wordworth.models.text_encoder import TextEncoder
    from wordworth.studies.finetune.attempts import TrainableRun
    from wordworth.studies.finetune.dev_split import Split
    from wordworth.studies.finetune.grid import HyperParameters
    from wordworth.studies.finetune.settings import FinetuneSettings
    from wordworth.tasks.task import Rows, Task
    from wordworth.training.finetuning.inputs import TokenizedExamples
    from wordworth.training.finetuning.model import Pooling
    from wordworth.training.loop import Loop
    from wordworth.training.task_heads.base import TaskPredictions

_TOKENS = {"span": 384, "choice": 256, "tags": 512}
_USUAL_TOKENS = 128
_WITH_POOLER = frozenset({"BertModel", "RobertaModel", OUR_BERT.architecture})
"""Families with BERT's pooler; a checkpoint that was saved without it learns a fresh one."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """Where runs are made.

    Attributes:
        reader, head: how texts become tokens, and what is put on the encoder.
        inputs: all examples of the task as sequences.
        features: in place of fine-tuning, the states that a tagger reads.
    """

    settings: FinetuneSettings
    task: Task
    parts: Split
    encoder: TextEncoder
    reader: InputReader
    head: TaskHead
    inputs: TokenizedExamples
    pooling: Pooling
    features: Features | None

    @classmethod
    def open(cls, settings: FinetuneSettings, task: Task, parts: Split) -> Experiment:
        """Load the encoder and read every example.

        Raises:
            BadInput: the model is no encoder, or a setting does not fit it or the task.
            MissingExtra: torch is not installed.
        """
        torch.set_num_threads(settings.threads)
        encoder = load_encoder(settings.model)
        require_kind(settings, task.kind, task.name)  # a study has asked before; others that open a bench have not
        require_fit(settings, encoder)
        encoder.model.to(device_of(settings.device))
        reader = make_reader(encoder, task, settings)
        context = context_of(settings, task, reader)
        head = head_of(task, context=context, crf=settings.crf)
        features = None
        if settings.features is not None:
            features = Features.of(encoder, task.examples.words or (), parse_strategy(settings.features))
        inputs = head.encode(reader, task.examples)
        return cls(settings, task, parts, encoder, reader, head, inputs, pooling_of(settings, encoder), features)

    @property
    def context(self) -> int:
        """Tokens that a sentence to tag is read with, its neighbours among them; 0: alone, and of other kinds."""
        return self.head.context if isinstance(self.head, TagHead) else 0

    @property
    def keeps_best(self) -> bool:
        """Whether the best look is kept; the paper keeps the last weights."""
        return self.settings.recipe == "modern" and len(self.parts.dev) > 0

    def begin(self, point: HyperParameters, seed: int) -> TrainableRun:
        """A run before its first step; the same number of a seed gives the same run."""
        seed = seeds.child_seed(self.settings.seed, "run", seed)
        if self.features is not None:
            return FeatureAttempt(self.features, self.task, self.parts.train, point, seed, crf=self.settings.crf)
        learned = self.inputs.take(self.parts.train)
        how = procedure(point, self.settings, self.task.kind, len(learned), self.pooling)
        # a head of its own: a CRF's weights are learned with the run
        head = head_of(self.task, context=self.context, crf=self.settings.crf)
        gold = head.targets(self.task.gold(self.parts.train), learned)
        return TunedAttempt(FineTuningRun(self.encoder.model, head, learned, gold, how, seed), self.task, self.inputs)

    def judged(self, attempt: TrainableRun) -> float | None:
        """The task's metric on the dev part, with the threshold that is chosen there; None where there is none."""
        return self.dev_score(attempt.tune(self.parts.dev)[1]) if len(self.parts.dev) else None

    def dev_score(self, said: TaskPredictions) -> float | None:
        """The task's metric of what was said of the dev part; None where there is none."""
        return score(self.task, self.parts.dev, said) if len(self.parts.dev) else None


@dataclass(frozen=True, slots=True)
class TunedAttempt:
    """A fine-tuning run."""

    tuning: FineTuningRun
    task: Task
    inputs: TokenizedExamples

    @property
    def loop(self) -> Loop[Rows]:
        """What learns."""
        return self.tuning.loop

    @property
    def steps(self) -> int:
        """Updates of the whole run."""
        return self.tuning.how.steps

    def tune(self, rows: Rows) -> tuple[dict[str, float], TaskPredictions]:
        """Set what is set on the dev part; what was chosen, and what it then says."""
        return self.tuning.tuned.tune(self.task.gold(rows), self.inputs.take(rows))

    def predict(self, rows: Rows) -> TaskPredictions:
        """What it says of rows of the task."""
        return self.tuning.tuned.predict(self.inputs.take(rows))


def score(task: Task, rows: Rows, said: TaskPredictions) -> float:
    """The task's metric on some rows, or a plainer measure where it is undefined there."""
    return model_selection.score(replace(Target.of(task, rows), lengths=None), said)  # type: ignore[arg-type]  # texts of spans too


def require_fit(settings: FinetuneSettings, encoder: TextEncoder) -> None:
    """See that the settings go with the encoder, before anything takes long.

    Raises:
        BadInput: they do not.
    """
    require_room(settings, encoder.model.config.max_length)
    pooling_of(settings, encoder)


def load_encoder(model: str, *, learns: bool = False) -> TextEncoder:
    """The encoder of a name or folder, float32.

    Args:
        model: name or folder.
        learns: whether its layers are to learn.

    Raises:
        BadInput: there is none, it is a table of vectors, or it is to learn and reads characters.
    """
    found = load(model, kept=True)
    if isinstance(found, StaticTable):
        raise BadInput(f"{model!r} is a table of vectors, nothing to fine-tune", mend=ENCODER)
    if learns and not hasattr(found.model.embedding, "word"):
        said = f"{model!r} reads characters: its layers are read as they are here, not fine-tuned"
        raise BadInput(said, mend="give it to `wordworth worth`, or tag words with --features")
    return found


def make_reader(encoder: TextEncoder, task: Task, settings: FinetuneSettings) -> InputReader:
    """How much is read at once: as much as the paper reads of a task of this kind, and as the encoder can."""
    most = encoder.model.config.max_length
    limit = settings.tokens or min(_TOKENS.get(task.kind, _USUAL_TOKENS), most)
    cut: Cut = "end" if settings.recipe == "paper" else "middle"
    return InputReader(tokenizer=encoder.tokenizer, limit=limit, cut=cut, most=most)


def context_of(settings: FinetuneSettings, task: Task, reader: InputReader) -> int:
    """Tokens that a sentence to tag is read with: as many as fit, in the paper's procedure; none in the modern one."""
    if task.kind != "tags":
        return 0
    if settings.context is None:
        return reader.limit if settings.recipe == "paper" and task.examples.documents is not None else 0
    return settings.context


def pooling_of(settings: FinetuneSettings, encoder: TextEncoder) -> Pooling:
    """How a sequence becomes one vector: as its folder says, where that is of a sentence encoder; else BERT's pooler.

    The first token of a model that reads from left to right has seen nothing: there it is the mean.

    Raises:
        BadInput: the user names no pooling.
    """
    one_sided = bool(getattr(encoder.model.config, "causal", False))
    has_pooler = encoder.checkpoint.family.architecture in _WITH_POOLER and not one_sided
    known = (*(("pooler",) if has_pooler else ()), *get_args(SentencePooling))
    if settings.pooling is not None:
        if settings.pooling not in known:
            raise BadInput(f"no pooling {settings.pooling!r}", where="--pooling", mend=nearest(settings.pooling, known))
        return cast("Pooling", settings.pooling)
    sentence = read_sentence_settings(resolve(settings.model).folder).found
    return encoder.head.modes[0] if sentence or not has_pooler else "pooler"
