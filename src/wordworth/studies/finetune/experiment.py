"""`Experiment`: what all runs of a study share, namely the encoder, the task, its split and the tokenized examples."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast, get_args

import torch

from wordworth import seeds
from wordworth.errors import BadInput, nearest
from wordworth.models.devices import device_of
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


@dataclass(frozen=True, slots=True)
class Experiment:
    """The shared parts of a study's runs.

    Attributes:
        settings: of the study.
        task: the task.
        parts: its training, dev and test rows.
        encoder: the pretrained encoder.
        reader, head: the tokenizer of texts, and the task head on the encoder.
        inputs: all examples of the task, tokenized.
        pooling: how a sequence becomes one vector.
        features: the frozen states that a tagger reads, instead of fine-tuning; else None.
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
            BadInput: the model is not an encoder, or a setting does not suit it or the task.
            MissingExtra: torch is not installed.
        """
        torch.set_num_threads(settings.threads)
        encoder = load_encoder(settings.model)
        require_kind(settings, task.kind, task.name)  # a study has checked this already, other callers have not
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
        """The number of tokens around a sentence to tag, itself included; 0 without context, and for other kinds."""
        return self.head.context if isinstance(self.head, TagHead) else 0

    @property
    def keeps_best(self) -> bool:
        """Whether the weights of the best evaluation are kept; the paper keeps the last weights."""
        return self.settings.recipe == "modern" and len(self.parts.dev) > 0

    def begin(self, point: HyperParameters, seed: int) -> TrainableRun:
        """Create a run before its first step; the same seed number gives the same run."""
        seed = seeds.child_seed(self.settings.seed, "run", seed)
        if self.features is not None:
            return FeatureAttempt(self.features, self.task, self.parts.train, point, seed, crf=self.settings.crf)
        train = self.inputs.take(self.parts.train)
        config = procedure(point, self.settings, self.task.kind, len(train), self.pooling)
        # each run has its own head: a CRF's weights are trained with it
        head = head_of(self.task, context=self.context, crf=self.settings.crf)
        gold = head.targets(self.task.gold(self.parts.train), train)
        return TunedAttempt(FineTuningRun(self.encoder.model, head, train, gold, config, seed), self.task, self.inputs)

    def judged(self, attempt: TrainableRun) -> float | None:
        """Score a run on the dev part, with the threshold chosen there; None without a dev part."""
        return self.dev_score(attempt.tune(self.parts.dev)[1]) if len(self.parts.dev) else None

    def dev_score(self, said: TaskPredictions) -> float | None:
        """Score predictions for the dev part by the task's metric; None without a dev part."""
        return score(self.task, self.parts.dev, said) if len(self.parts.dev) else None


@dataclass(frozen=True, slots=True)
class TunedAttempt:
    """A fine-tuning run."""

    tuning: FineTuningRun
    task: Task
    inputs: TokenizedExamples

    @property
    def loop(self) -> Loop[Rows]:
        """The training loop."""
        return self.tuning.loop

    @property
    def steps(self) -> int:
        """The number of updates in the whole run."""
        return self.tuning.how.steps

    def tune(self, rows: Rows) -> tuple[dict[str, float], TaskPredictions]:
        """Tune what is chosen on the dev part (the threshold of no answer); return the choices and the predictions."""
        return self.tuning.tuned.tune(self.task.gold(rows), self.inputs.take(rows))

    def predict(self, rows: Rows) -> TaskPredictions:
        """Predict rows of the task with the current weights."""
        return self.tuning.tuned.predict(self.inputs.take(rows))


def score(task: Task, rows: Rows, said: TaskPredictions) -> float:
    """Score predictions for some rows by the task's metric, or by a simpler measure where that is undefined."""
    return model_selection.score(replace(Target.of(task, rows), lengths=None), said)  # type: ignore[arg-type]  # texts of spans too


def require_fit(settings: FinetuneSettings, encoder: TextEncoder) -> None:
    """Check that the settings suit the encoder, before anything takes long.

    Raises:
        BadInput: they do not.
    """
    require_room(settings, encoder.model.config.max_length)
    pooling_of(settings, encoder)


def load_encoder(model: str, *, learns: bool = False) -> TextEncoder:
    """Load the encoder of a name or folder, in float32.

    Args:
        model: name or folder.
        learns: whether its layers are to be trained.

    Raises:
        BadInput: it does not exist, it is a table of vectors, or it is to be trained and reads characters.
    """
    encoder = load(model, kept=True)
    if isinstance(encoder, StaticTable):
        raise BadInput(f"{model!r} is a table of vectors and cannot be fine-tuned", mend=ENCODER)
    if learns and not hasattr(encoder.model.embedding, "word"):
        what = f"{model!r} reads characters and cannot be fine-tuned here: its layers are only used frozen"
        raise BadInput(what, mend="give it to `wordworth worth`, or tag words with --features")
    return encoder


def make_reader(encoder: TextEncoder, task: Task, settings: FinetuneSettings) -> InputReader:
    """Set up the tokenizer, with the paper's maximum length for this kind of task, or the encoder's if shorter."""
    most = encoder.model.config.max_length
    limit = settings.tokens or min(_TOKENS.get(task.kind, _USUAL_TOKENS), most)
    cut: Cut = "end" if settings.recipe == "paper" else "middle"
    return InputReader(tokenizer=encoder.tokenizer, limit=limit, cut=cut, most=most)


def context_of(settings: FinetuneSettings, task: Task, reader: InputReader) -> int:
    """Return the tokens of context of a sentence to tag: as many as fit in the paper's recipe, 0 in the modern one."""
    if task.kind != "tags":
        return 0
    if settings.context is None:
        return reader.limit if settings.recipe == "paper" and task.examples.documents is not None else 0
    return settings.context


def pooling_of(settings: FinetuneSettings, encoder: TextEncoder) -> Pooling:
    """Choose how a sequence becomes one vector: as a sentence encoder's folder says, or else by BERT's pooler.

    In a model that reads from left to right, the first token has seen nothing; it uses the mean.

    Raises:
        BadInput: the user's pooling does not exist.
    """
    has_pooler = encoder.checkpoint.family.pools and not encoder.model.config.causal
    known = (*(("pooler",) if has_pooler else ()), *get_args(SentencePooling))
    if settings.pooling is not None:
        if settings.pooling not in known:
            raise BadInput(f"no pooling {settings.pooling!r}", where="--pooling", mend=nearest(settings.pooling, known))
        return cast("Pooling", settings.pooling)
    sentence = read_sentence_settings(resolve(settings.model).folder).found
    return encoder.head.modes[0] if sentence or not has_pooler else "pooler"
