"""`Experiment`: the encoder, the task, its split and the tokenized examples, which all runs of a fine-tuning share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, cast, get_args

import torch

from wordworth import seeds
from wordworth.errors import BadInput, nearest
from wordworth.models.devices import device_of
from wordworth.models.load import EncoderSpec
from wordworth.models.pooling import SentencePooling
from wordworth.models.random_weights_copy import random_twin
from wordworth.models.sentence_transformers_format import read_sentence_settings
from wordworth.sources import resolve
from wordworth.tasks.selection_score import selection_score
from wordworth.training.finetuning.feature_tagger import Features, FeatureTaggerTraining, parse_strategy
from wordworth.training.finetuning.settings import require_kind, require_room
from wordworth.training.finetuning.trainer import FineTuningConfig, FineTuningRun
from wordworth.training.optimizers import AdamW, BertAdam
from wordworth.training.task_heads import TaskHead, head_of
from wordworth.training.task_heads.base import Cut, InputReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wordworth.models.encoder_base import Encoder
    from wordworth.models.text_encoder import TextEncoder
    from wordworth.tasks.task import Rows, Task
    from wordworth.training.finetuning.dev_split import Split
    from wordworth.training.finetuning.model import FineTuningModel, Pooling
    from wordworth.training.finetuning.run_result import HyperParameters
    from wordworth.training.finetuning.settings import FinetuneSettings
    from wordworth.training.finetuning.teacher_loss import Teacher
    from wordworth.training.finetuning.tokenized_examples import TokenizedExamples
    from wordworth.training.finetuning.trainer import TrainableRun
    from wordworth.training.loop import Loop
    from wordworth.training.task_heads.base import TaskPredictions

_DROPOUT = 0.1


@dataclass(frozen=True, slots=True)
class RunStart:
    """The weights from which a fine-tuning run starts.

    Attributes:
        model: the encoder.
        above: a network from which the layers above the encoder are copied; None for newly initialised layers.
    """

    model: Encoder
    above: FineTuningModel | None


class Starts(Protocol):
    """An interface: the initial weights of each run, for runs that do not all start from the same encoder."""

    def of(self, seed_index: int) -> RunStart:
        """Return the initial weights of the run whose seed has this index, counted from 0."""
        ...

    @property
    def tasks(self) -> Sequence[Task]:
        """The tasks that the runs have learned in earlier stages, in order."""
        ...


@dataclass(frozen=True, slots=True)
class Experiment:
    """Everything that all runs of a fine-tuning share: encoder, task, split and tokenized examples.

    Attributes:
        settings: the settings of the fine-tuning.
        task: the task.
        split: the training, dev and test rows of the task.
        encoder: the pretrained encoder.
        reader: tokenizes texts up to a maximum length.
        head: the task head on the encoder.
        inputs: all examples of the task, tokenized.
        pooling: how a sequence becomes one vector.
        features: the states of the frozen encoder, which a tagger reads; None if the encoder is fine-tuned.
        above: a network from which runs copy the layers above the encoder; None for newly initialised layers.
        teacher: the source of an additional loss, as in distillation; None for the loss of the labels alone.
        starts: the initial weights of each run, as in staged transfer; None if all start from `encoder` and `above`.
    """

    settings: FinetuneSettings
    task: Task
    split: Split
    encoder: TextEncoder
    reader: InputReader
    head: TaskHead
    inputs: TokenizedExamples
    pooling: Pooling
    features: Features | None
    above: FineTuningModel | None = None
    teacher: Teacher | None = None
    starts: Starts | None = None

    @classmethod
    def open(cls, settings: FinetuneSettings, task: Task, split: Split) -> Experiment:
        """Load the encoder of a fine-tuning and tokenize every example of the task.

        Args:
            settings: the settings of the fine-tuning.
            task: the task.
            split: the training, dev and test rows.

        Raises:
            BadInput: the model is not an encoder, or a setting does not suit the model or the task.
            MissingExtra: torch is not installed.
        """
        torch.set_num_threads(settings.threads)
        encoder = initial_encoder(settings)
        require_kind(settings, task.type, task.name)  # a study has checked this already, other callers have not
        require_fit(settings, encoder)
        encoder.model.to(device_of(settings.device))
        reader = make_reader(encoder, task, settings)
        context = context_of(settings, task, reader)
        head = make_head(task, settings, context)
        head.attach(encoder)
        features = None
        if settings.features is not None:
            features = Features.of(encoder, task.examples.words or (), parse_strategy(settings.features))
        inputs = head.encode(reader, task.examples)
        return cls(settings, task, split, encoder, reader, head, inputs, pooling_of(settings, encoder), features)

    @property
    def keeps_best(self) -> bool:
        """Whether the weights of a run's best evaluation are kept; the recipe `paper` keeps the last weights."""
        return self.settings.recipe == "modern" and len(self.split.dev) > 0

    def begin(self, hyper_parameters: HyperParameters, seed_index: int) -> TrainableRun:
        """Return a new fine-tuning run, before its first step.

        Args:
            hyper_parameters: the hyper-parameters of the run.
            seed_index: the index of the run's seed; equal hyper-parameters and index give equal runs.
        """
        start = RunStart(self.encoder.model, self.above) if self.starts is None else self.starts.of(seed_index)
        seed = seeds.child_seed(self.settings.seed, "run", seed_index)
        rows = self.split.train
        if self.features is not None:
            return FeatureTaggerTraining(self.features, self.task, rows, hyper_parameters, seed, crf=self.settings.crf)
        train = self.inputs.take(rows)
        # each run has its own head: a CRF's weights are trained with it
        head = make_head(self.task, self.settings, self.head.context)
        head.attach(self.encoder)
        gold, config = head.targets(self.task.gold(rows), train), self.config(hyper_parameters)
        run = FineTuningRun(start.model, head, train, gold, config, seed, above=start.above, teacher=self.teacher)
        return EncoderTraining(run, self.task, self.inputs)

    def config(self, hyper_parameters: HyperParameters) -> FineTuningConfig:
        """Return the training configuration of a run."""
        paper = self.settings.recipe == "paper"
        return FineTuningConfig(
            steps=hyper_parameters.steps(len(self.split.train)),
            batch_size=hyper_parameters.batch_size,
            learning_rate=hyper_parameters.learning_rate,
            pooling=self.pooling,
            embeddings=self.settings.embeddings,
            dropout=self.task.type.paper_dropout if paper else _DROPOUT,
            bilstm=self.settings.bilstm,
            init_output_bias=not paper,
            schedule="original" if paper else "linear",
            optimiser=BertAdam() if paper else AdamW(),
        )

    def evaluate(self, run: TrainableRun) -> float | None:
        """Return the score of a run on the dev part, after tuning its thresholds there; None without a dev part."""
        return self.dev_score(run.tune(self.split.dev)[1]) if len(self.split.dev) else None

    def dev_score(self, predictions: TaskPredictions) -> float | None:
        """Return the score of predictions for the dev part by the task's metric; None without a dev part."""
        dev = self.split.dev
        return selection_score(self.task, self.task.gold(dev), predictions) if len(dev) else None  # type: ignore[arg-type]  # texts of spans too


@dataclass(frozen=True, slots=True)
class EncoderTraining:
    """A run that fine-tunes an encoder on examples of a task, with the interface `TrainableRun`."""

    run: FineTuningRun
    task: Task
    inputs: TokenizedExamples

    @property
    def loop(self) -> Loop[Rows]:
        """The loop that trains the encoder and the layers above it."""
        return self.run.loop

    @property
    def steps(self) -> int:
        """The number of updates in the whole run."""
        return self.run.config.steps

    def tune(self, rows: Rows) -> tuple[dict[str, float], TaskPredictions]:
        """Tune thresholds on examples of the dev part; return name -> threshold, and the predictions with them.

        Args:
            rows: int64 [n], the indices of examples in the task.
        """
        return self.run.tuned.tune(self.task.gold(rows), self.inputs.take(rows))

    def predict(self, rows: Rows) -> TaskPredictions:
        """Return predictions for examples of the task, with the current weights.

        Args:
            rows: int64 [n], the indices of examples in the task.
        """
        return self.run.tuned.predict(self.inputs.take(rows))


def require_fit(settings: FinetuneSettings, encoder: TextEncoder) -> None:
    """Check that the settings suit the encoder, before work that takes long.

    Raises:
        BadInput: `max_length` or `context` exceeds the encoder's maximum length, or the encoder lacks the pooling.
    """
    require_room(settings, encoder.model.config.max_length)
    pooling_of(settings, encoder)


def load_encoder(model: str, *, learns: bool = False) -> TextEncoder:
    """Load the encoder with this name or folder, in float32.

    Args:
        model: name or folder.
        learns: whether its layers are to be trained.

    Raises:
        BadInput: there is no such model, it is a static table, or `learns` is True and the model reads characters.
    """
    encoder = EncoderSpec(name=model, hash_whole=True).open()
    if learns and not hasattr(encoder.model.embedding, "word"):
        what = f"{model!r} reads characters and cannot be fine-tuned here: its layers are only used frozen"
        raise BadInput(what, mend="give it to `wordworth worth`, or tag words with --features")
    return encoder


def initial_encoder(settings: FinetuneSettings) -> TextEncoder:
    """Load the encoder that runs start from; its weights are random if the settings ask for training from scratch.

    Raises:
        BadInput: there is no such model, it is a static table, or it reads characters and the settings train layers.
    """
    encoder = load_encoder(settings.model, learns=settings.features is None)
    return from_scratch(encoder, settings.seed) if settings.from_scratch else encoder


def from_scratch(encoder: TextEncoder, seed: int) -> TextEncoder:
    """Return an encoder of the same architecture with random weights.

    Args:
        encoder: the encoder whose architecture is used.
        seed: seed of the weights, which depend on nothing else.
    """
    return encoder.with_model(random_twin(encoder.model, seeds.child_seed(seed, "from scratch")))


def make_reader(encoder: TextEncoder, task: Task, settings: FinetuneSettings) -> InputReader:
    """Return the tokenizer with the maximum length of the token sequences of a task.

    The maximum length is the setting `max_length`; by default it is the usual length of the kind of task, but at most
    the encoder's.

    Args:
        encoder: the encoder.
        task: the task.
        settings: the settings of the fine-tuning.
    """
    most = encoder.model.config.max_length
    limit = settings.max_length or min(task.type.max_tokens, most)
    cut: Cut = "end" if settings.recipe == "paper" else "middle"
    return InputReader(tokenizer=encoder.tokenizer, limit=limit, cut=cut, encoder_limit=most)


def make_head(task: Task, settings: FinetuneSettings, context: int) -> TaskHead:
    """Return a new `TaskHead` for a task, with the options that the settings name.

    Args:
        task: the task.
        settings: the settings of the fine-tuning.
        context: size in tokens of the window of document context, as `context_of` returns it.
    """
    return head_of(task, context=context, crf=settings.crf, margin=settings.margin, options_only=settings.options_only)


def context_of(settings: FinetuneSettings, task: Task, reader: InputReader) -> int:
    """Return the size in tokens of the window in which a sentence is tagged with its document context; 0 for none.

    The size is the setting `context`. By default it is the reader's limit if the recipe is `paper` and the task has
    documents, else 0.

    Args:
        settings: the settings of the fine-tuning.
        task: the task.
        reader: the tokenizer, which limits the window.
    """
    if not task.type.labels_words:
        return 0
    if settings.context is None:
        return reader.limit if settings.recipe == "paper" and task.examples.documents is not None else 0
    return settings.context


def pooling_of(settings: FinetuneSettings, encoder: TextEncoder) -> Pooling:
    """Return how a sequence becomes one vector: the user's choice, or a default by model.

    By default a sentence encoder keeps its own pooling. Any other model uses its pooler (BERT's tanh layer over the
    first token). A model without a pooler, or a causal model, whose first token sees no other token, uses the mean.

    Raises:
        BadInput: the encoder does not have the user's pooling.
    """
    has_pooler = encoder.checkpoint.family.pools and not encoder.model.config.causal
    known = (*(("pooler",) if has_pooler else ()), *get_args(SentencePooling))
    if settings.pooling is not None:
        if settings.pooling not in known:
            raise BadInput(f"no pooling {settings.pooling!r}", where="--pooling", mend=nearest(settings.pooling, known))
        return cast("Pooling", settings.pooling)
    sentence = read_sentence_settings(resolve(settings.model).folder).exists
    return encoder.head.modes[0] if sentence or not has_pooler else "pooler"
