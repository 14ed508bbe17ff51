"""The few-shot rung (SetFit): an encoder trained on pairs of labelled texts, and a linear model on its vectors.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from wordworth.files import content_key
from wordworth.models.encoder_fingerprint import training_key
from wordworth.progress import FractionProgress, ignore
from wordworth.representations.encoder_training_rung import TrainedEncoderLearner, TrainedEncoderRung
from wordworth.representations.few_shot_settings import FewShotTraining
from wordworth.representations.heads.base import Target
from wordworth.representations.heads.linear_head import FittedLinear, LinearChoice, LinearHead
from wordworth.representations.rung import Cost, Predictions, RunContext
from wordworth.representations.shared_encoder import load_trainable_encoder, parameter_count
from wordworth.sentence_formatting import count_of
from wordworth.sources import display_name, short_name
from wordworth.tasks.task import Examples, Kind, Rows, Task
from wordworth.tasks.task_types.classification import CLASSIFICATION
from wordworth.text.windows import LongTexts

if TYPE_CHECKING:
    from wordworth.models.text_encoder import TextEncoder
    from wordworth.text.tokens import Tokens

_VIEW = "sentence"


@dataclass(frozen=True, slots=True)
class FewShot(TrainedEncoderRung):
    """A rung with a contextual encoder that is trained on pairs of labelled texts, for 8 to 64 texts of each class.

    Tunstall et al. 2022 (arXiv 2209.11055): the encoder learns that two texts of one class have cosine 1 and two texts
    of different classes cosine 0; then a logistic regression learns the classes from the encoder's vectors. Training on
    each subset of the labelled texts starts from the same pretrained weights, which the frozen and the fine-tuned rung
    of the same encoder use too.

    The strength of the logit adjustment (tau) is 0 under every metric, F1 and Matthews' correlation included, where
    other rungs select it. Cross-validation on the trained vectors would not be honest, as the encoder has learned from
    every labelled text. A second training without some of the texts would double the time, and a fifth of so few texts
    would select badly.

    The standard deviation of scores between runs has not been measured for this training; the value for
    fine-tuning is assumed.

    Args:
        model: the encoder: a catalogue name, a folder or a cached hub name.
        settings: the settings of every training.
    """

    model: str
    settings: FewShotTraining = field(default_factory=FewShotTraining)
    by_name = True

    @property
    def name(self) -> str:
        """The name of the rung, such as `minilm-fewshot`."""
        return f"{short_name(self.model)}-fewshot"

    @property
    def title(self) -> str:
        """The title of the rung, such as `MiniLM (few-shot)`."""
        return f"{display_name(self.model)} (few-shot)"

    def kinds(self) -> frozenset[Kind]:
        """Return the name of the one kind of task that the rung supports: single texts with exactly one class each."""
        return frozenset({CLASSIFICATION.name})

    def brief(self, batch_size: int) -> FewShot:
        """Return a copy of the rung that trains for only a few steps, to measure the time of a step.

        Args:
            batch_size: number of pairs of texts in a step.
        """
        return replace(self, settings=replace(self.settings, batch_size=batch_size, most_steps=8))

    def prepare(self, task: Task, run_context: RunContext) -> FewShotLearner:
        """Load the encoder and tokenize every text of the task.

        Raises:
            BadInput: no encoder of that name is on this machine, or its files are damaged.
            MissingExtra: torch is not installed.
        """
        encoder = load_trainable_encoder(self.model, run_context.dtype, run_context.device)
        from wordworth.training.sentences.tokenized_rows import cut_tokens

        most = min(self.settings.most_tokens, encoder.max_length)
        tokens, truncated = cut_tokens(task.examples.first, encoder, most)
        if truncated.any():
            longer = count_of(int(truncated.sum()), "is", "are")
            run_context.progress.note(
                f"{self.title}: of {len(task.examples):,} texts, {longer} longer than {most} tokens; training reads "
                "their beginning"
            )
        return FewShotLearner(task, self.settings, encoder, tokens, truncated, run_context.long_texts)


@dataclass(frozen=True, slots=True)
class FewShotLearner(TrainedEncoderLearner):
    """A pretrained encoder and the tokenized texts of a task, ready for fits, also in several threads at once.

    Attributes:
        tokens: the tokens of each text of the task, cut as training reads them.
        truncated: bool [texts], whether training reads only the beginning of the text.
        long_texts: how predictions read a text longer than the encoder's window.
        report: function that is called with the fraction of a fit done since the last call.
    """

    task: Task
    settings: FewShotTraining
    encoder: TextEncoder
    tokens: Sequence[Tokens]
    truncated: NDArray[np.bool_]
    long_texts: LongTexts
    report: Callable[[float], None] = ignore

    def with_progress(self, report: Callable[[float], None]) -> FewShotLearner:
        """Return the same learner whose fits call `report` with the fraction of the fit done since the last call."""
        return replace(self, report=report)

    def fit(self, rows: Rows, rng: np.random.Generator) -> FewShotPredictor:
        """Train a copy of the encoder on pairs of `rows`, then a linear model on its vectors, in one thread.

        Args:
            rows: int64 [n], the indices of the training rows.
            rng: source of randomness.
        """
        from wordworth.models.parallel_map import ONE_THREAD

        rows, seed = np.sort(rows), int(rng.integers(1 << 62))
        texts, target = self.task.examples.take(rows).first, Target.of(self.task, rows)
        with ONE_THREAD.limit():
            encoder = self._trained(rows, np.asarray(target.labels), seed)
            vectors = {_VIEW: encoder.embed(texts, long_texts=self.long_texts).vectors}
        choice = LinearChoice(view=_VIEW, strength=self.settings.strength)
        steps = 0 if encoder is self.encoder else self.settings.steps(len(rows))
        return FewShotPredictor(self, encoder, LinearHead().learn(vectors, target, choice), steps)

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of tokens that training reads of each text of the task, int64 [texts]."""
        return np.array([len(tokens) for tokens in self.tokens], dtype=np.int64)

    @property
    def max_tokens(self) -> int:
        """The number of tokens, special ones included, to which training cuts a text."""
        return min(self.settings.most_tokens, self.encoder.max_length)

    @property
    def truncation(self) -> str:
        """The beginning of the warning about truncated texts, up to the number of truncated texts.

        The warning is about training alone; predictions read a long text as `long_texts` says.
        """
        return f"is trained on only the first {self.max_tokens:,} tokens of a text; longer are"

    def num_truncated(self, rows: Rows) -> int:
        """Return the number of given rows of the task whose texts are so long that training reads only their beginning.

        Args:
            rows: int64 [n], indices of the task's rows.
        """
        return int(self.truncated[rows].sum())

    def _trained(self, rows: Rows, labels: NDArray[np.int64], seed: int) -> TextEncoder:
        """Return a copy of the encoder trained on pairs of `rows`; the pretrained encoder if all labels are equal.

        Args:
            rows: int64 [n], the indices of the training rows.
            labels: int64 [n], the class of each training row.
            seed: the seed of the training.
        """
        from wordworth.training.sentences.label_pairs import LabelPairs
        from wordworth.training.sentences.losses.base import LossOptions
        from wordworth.training.sentences.losses.cosine import CosineLoss
        from wordworth.training.sentences.trainer import SentenceTraining, SentenceTrainingConfig

        if len(np.unique(labels)) <= 1:
            return self.encoder
        settings, encoder = self.settings, self.encoder
        config = SentenceTrainingConfig(
            steps=settings.steps(len(rows)),
            batch_size=settings.batch_size,
            learning_rate=settings.learning_rate,
        )
        pairs = LabelPairs([self.tokens[row] for row in rows], labels)
        loss = CosineLoss(LossOptions(encoder.model.width))
        training = SentenceTraining(encoder, encoder.head, pairs, loss, config, seed)
        training.loop.train(config.steps, FractionProgress(self.report, config.steps))
        return training.trained

    def fingerprint(self) -> str:
        """Return a hash of the encoder's weights, its tokenizer and the settings."""
        return content_key(training_key(self.encoder), self.settings, self.long_texts)

    def cost(self) -> Cost:
        """Return the size of the encoder and the linear model, float32."""
        width = self.encoder.head.width(self.encoder.model.width)
        parameters = parameter_count(self.encoder) + (width + 1) * max(len(self.task.classes), 1)
        return Cost.of_float32(parameters, width)


@dataclass(frozen=True, slots=True)
class FewShotPredictor:
    """An encoder trained on pairs of labelled texts, and the linear model fitted on its vectors.

    Attributes:
        learner: the learner whose fit returned this predictor.
        encoder: the trained encoder.
        head: the linear model.
        steps: the number of updates that the training took.
    """

    learner: FewShotLearner
    encoder: TextEncoder
    head: FittedLinear
    steps: int

    @property
    def chosen(self) -> Mapping[str, object]:
        """The length of the training, written into the study's record; no settings are selected."""
        return {"steps": self.steps, "strength": self.learner.settings.strength}

    def predict(self, rows: Rows) -> Predictions:
        """Return predictions for some rows of the task.

        Args:
            rows: int64 [n], indices of the task's rows.
        """
        return self.predict_texts(self.learner.task.examples.take(rows))

    def predict_texts(self, examples: Examples) -> Predictions:
        """Return predictions for new texts."""
        read = self.encoder.embed(examples.first, long_texts=self.learner.long_texts)
        return self.head.predict(read.vectors)
