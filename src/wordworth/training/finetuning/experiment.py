"""`Experiment`: what all runs share, namely the encoder, the task, its split and the tokenized examples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast, get_args

import torch

from wordworth import seeds
from wordworth.errors import BadInput, nearest
from wordworth.models.devices import device_of
from wordworth.models.load import EncoderSpec
from wordworth.models.pooling import SentencePooling
from wordworth.models.random_twin import random_twin
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
    from wordworth.models.text_encoder import TextEncoder
    from wordworth.tasks.task import Rows, Task
    from wordworth.training.finetuning.dev_split import Split
    from wordworth.training.finetuning.inputs import TokenizedExamples
    from wordworth.training.finetuning.model import FineTuningModel, Pooling
    from wordworth.training.finetuning.run_result import HyperParameters
    from wordworth.training.finetuning.settings import FinetuneSettings
    from wordworth.training.finetuning.teacher import Teacher
    from wordworth.training.finetuning.trainer import TrainableRun
    from wordworth.training.loop import Loop
    from wordworth.training.task_heads.base import TaskPredictions

_DROPOUT = 0.1


@dataclass(frozen=True, slots=True)
class Experiment:
    """What all runs of a study share: encoder, task, split and tokenized examples.

    Attributes:
        settings: of the study.
        task: the task.
        split: its training, dev and test rows.
        encoder: the pretrained encoder.
        reader, head: the tokenizer of texts, and the task head on the encoder.
        inputs: all examples of the task, tokenized.
        pooling: how a sequence becomes one vector.
        features: the frozen states that a tagger reads, instead of fine-tuning; else None.
        above: a network whose layers above the encoder runs begin from; None for new ones.
        teacher: what runs learn from beside the labels of their training part; None for the labels alone.
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

    @classmethod
    def open(cls, settings: FinetuneSettings, task: Task, split: Split) -> Experiment:
        """Load the encoder and read every example.

        Raises:
            BadInput: the model is not an encoder, or a setting does not suit it or the task.
            MissingExtra: torch is not installed.
        """
        torch.set_num_threads(settings.threads)
        encoder = initial_encoder(settings)
        require_kind(settings, task.type, task.name)  # a study has checked this already, other callers have not
        require_fit(settings, encoder)
        encoder.model.to(device_of(settings.device))
        reader = make_reader(encoder, task, settings)
        context = context_of(settings, task, reader)
        head = head_of(task, context=context, crf=settings.crf)
        head.attach(encoder)
        features = None
        if settings.features is not None:
            features = Features.of(encoder, task.examples.words or (), parse_strategy(settings.features))
        inputs = head.encode(reader, task.examples)
        return cls(settings, task, split, encoder, reader, head, inputs, pooling_of(settings, encoder), features)

    @property
    def keeps_best(self) -> bool:
        """Whether the weights of the best evaluation are kept; the paper keeps the last weights."""
        return self.settings.recipe == "modern" and len(self.split.dev) > 0

    def begin(self, hyper_parameters: HyperParameters, seed: int) -> TrainableRun:
        """Create a run before its first step; the same seed number gives the same run."""
        seed = seeds.child_seed(self.settings.seed, "run", seed)
        rows, crf = self.split.train, self.settings.crf
        if self.features is not None:
            return FeatureTaggerTraining(self.features, self.task, rows, hyper_parameters, seed, crf=crf)
        train = self.inputs.take(rows)
        # each run has its own head: a CRF's weights are trained with it
        head = head_of(self.task, context=self.head.context, crf=crf)
        head.attach(self.encoder)
        gold, config = head.targets(self.task.gold(rows), train), self.config(hyper_parameters)
        run = FineTuningRun(self.encoder.model, head, train, gold, config, seed, above=self.above, teacher=self.teacher)
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
        """Score a run on the dev part, with the threshold chosen there; None without a dev part."""
        return self.dev_score(run.tune(self.split.dev)[1]) if len(self.split.dev) else None

    def dev_score(self, predictions: TaskPredictions) -> float | None:
        """Score predictions for the dev part by the task's metric; None without a dev part."""
        dev = self.split.dev
        return selection_score(self.task, self.task.gold(dev), predictions) if len(dev) else None  # type: ignore[arg-type]  # texts of spans too


@dataclass(frozen=True, slots=True)
class EncoderTraining:
    """A fine-tuning run on rows of a task."""

    run: FineTuningRun
    task: Task
    inputs: TokenizedExamples

    @property
    def loop(self) -> Loop[Rows]:
        """The training loop."""
        return self.run.loop

    @property
    def steps(self) -> int:
        """The number of updates in the whole run."""
        return self.run.config.steps

    def tune(self, rows: Rows) -> tuple[dict[str, float], TaskPredictions]:
        """Tune what is chosen on the dev part (the threshold of no answer); return the choices and the predictions."""
        return self.run.tuned.tune(self.task.gold(rows), self.inputs.take(rows))

    def predict(self, rows: Rows) -> TaskPredictions:
        """Predict rows of the task with the current weights."""
        return self.run.tuned.predict(self.inputs.take(rows))


def require_fit(settings: FinetuneSettings, encoder: TextEncoder) -> None:
    """Check that the settings suit the encoder, before anything takes long.

    Raises:
        BadInput: a length exceeds what the encoder reads, or it has no such pooling.
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
    encoder = EncoderSpec(name=model, hash_whole=True).open()
    if learns and not hasattr(encoder.model.embedding, "word"):
        what = f"{model!r} reads characters and cannot be fine-tuned here: its layers are only used frozen"
        raise BadInput(what, mend="give it to `wordworth worth`, or tag words with --features")
    return encoder


def initial_encoder(settings: FinetuneSettings) -> TextEncoder:
    """Load the encoder that runs begin from; with random weights for runs from scratch.

    Raises:
        BadInput: as `load_encoder`.
    """
    encoder = load_encoder(settings.model, learns=settings.features is None)
    return from_scratch(encoder, settings.seed) if settings.from_scratch else encoder


def from_scratch(encoder: TextEncoder, seed: int) -> TextEncoder:
    """Return the encoder with the random weights that runs from scratch with this seed begin from."""
    return encoder.with_model(random_twin(encoder.model, seeds.child_seed(seed, "from scratch")))


def make_reader(encoder: TextEncoder, task: Task, settings: FinetuneSettings) -> InputReader:
    """Set up the tokenizer, with the paper's maximum length for this kind of task, or the encoder's if shorter."""
    most = encoder.model.config.max_length
    limit = settings.max_length or min(task.type.max_tokens, most)
    cut: Cut = "end" if settings.recipe == "paper" else "middle"
    return InputReader(tokenizer=encoder.tokenizer, limit=limit, cut=cut, most=most)


def context_of(settings: FinetuneSettings, task: Task, reader: InputReader) -> int:
    """Return the tokens of context of a sentence to tag: as many as fit in the paper's recipe, 0 in the modern one."""
    if not task.type.labels_words:
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
    sentence = read_sentence_settings(resolve(settings.model).folder).exists
    return encoder.head.modes[0] if sentence or not has_pooler else "pooler"
