"""The head for tagging over frozen word vectors: a BiLSTM with an optional CRF, as in Arora et al. (2020)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray

from wordworth import seeds
from wordworth.models.parallel_map import ONE_THREAD
from wordworth.progress import ignore
from wordworth.representations.feature_blocks import Features
from wordworth.representations.heads.base import FoldFeatures, Head, Target, Views
from wordworth.representations.heads.cross_validation import split_off
from wordworth.representations.heads.linear_head import LinearChoice, LinearHead
from wordworth.representations.rung import Predictions
from wordworth.tasks.task import Kind, Rows
from wordworth.tasks.task_types import ABOUT_WORDS
from wordworth.training.bilstm_tagger import TaggedSentences, Tagger, tagger_loop, tags_of
from wordworth.training.crf import Crf, iob2_forbidden
from wordworth.training.finetuning.checkpoint_metadata import BILSTM
from wordworth.training.loop import Loop, train_keep_best

Words: TypeAlias = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class BiLstmCrf(Head):
    """A BiLSTM tagger over frozen word vectors.

    Attributes:
        hidden: width of the LSTM's hidden state in each direction.
        layers: number of LSTM layers (two in the feature-based runs of Devlin et al. 2019, section 5.3).
        crf: whether a CRF over the network's scores chooses the tags; else each word gets the tag of its highest score.
        rules: whether the CRF allows `I-x` only after `B-x` or `I-x`; not applied if the training tags break the rule
            (IOB1).
        rate: peak learning rate, with linear warm-up and decay to 0. Runs of at most `short_run_steps` updates have the
            peak `short_run_rate` instead; it is so high that some longer runs would diverge.
        epochs: number of passes over the sentences, within `least_steps` and `most_steps` updates.
        stop_from: with at least this many sentences, one in eight is held out, and the weights of the epoch with the
            best metric on the held-out sentences are taken; with fewer, all are trained on.
        selection_items: the view (feature set) is selected on the first `selection_items` sentences. All sentences
            would take longer. Few suffice, since each word counts as an item and there are at most two views.
        view_selector: the linear tagger that is cross-validated on each view; the view with the best score is selected.
        report: called with each fraction of a training that is done, where sentences are held out.
    """

    hidden: int = 128
    layers: int = 1
    crf: bool = True
    rules: bool = True
    dropout: float = 0.3
    rate: float = 8e-3
    short_run_steps: int = 100
    short_run_rate: float = 1.5e-2
    batch: int = 16
    epochs: int = 10
    least_steps: int = 60
    most_steps: int = 3000
    stop_from: int = 400
    selection_items: int = 150
    view_selector: LinearHead = field(default_factory=lambda: LinearHead(strengths=(10.0,), screening=(10.0,)))
    report: Callable[[float], None] = field(default=ignore, compare=False, repr=False)

    def with_progress(self, report: Callable[[float], None]) -> BiLstmCrf:
        """Return the same head whose `learn` calls `report` with a fraction for each epoch."""
        return replace(self, report=report)

    @property
    def kinds(self) -> frozenset[Kind]:
        """The names of the kinds of task that the head can learn: only tagging."""
        return ABOUT_WORDS

    @property
    def max_selection_items(self) -> int:
        """The number of sentences on which the view (feature set) is selected."""
        return self.selection_items

    @property
    def is_stochastic(self) -> bool:
        """True: initial weights, batches and dropout are random."""
        return True

    def num_learned(self, width: int, target: Target, views: Callable[[], Views]) -> int:  # noqa: ARG002 - a Head
        """Return the number of weights of the tagger's network.

        Args:
            width: width of the features.
            target: the tags of the sentences.
            views: not used, since the network's size does not depend on them.
        """
        return _parameter_count(_network(self, width, target))

    def choose(self, features: FoldFeatures, target: Target, rng: np.random.Generator) -> LinearChoice:
        """Select the view with which a linear tagger scores best in cross-validation.

        Args:
            features: function of (training items, held-out items) that returns the views of both, as a pair.
            target: the tags of the sentences.
            rng: source of randomness.
        """
        return self.view_selector.choose(features, target, rng)

    def learn(
        self, views: Mapping[str, Features], target: Target, choice: LinearChoice, rng: np.random.Generator
    ) -> FittedTagger:
        """Train a BiLSTM tagger on the target's sentences.

        Args:
            views: name -> features of the words of the target's sentences.
            target: the tags of these sentences.
            choice: the settings that `choose` selected.
            rng: draws the seed of the training.
        """
        run = TaggerTraining(self, np.asarray(views[choice.view], dtype=np.float32), target, int(rng.integers(1 << 62)))
        with ONE_THREAD.limit():
            chosen = run.train()
        return FittedTagger(choice.view, {"view": choice.view, "crf": self.crf, **chosen}, run.tagger)


@dataclass(frozen=True, slots=True)
class FittedTagger:
    """A trained tagger, and the name of the view (feature set) that it reads."""

    form: ClassVar[str] = BILSTM
    view: str
    chosen: Mapping[str, object]
    tagger: Tagger

    @property
    def parameters(self) -> int:
        """Number of learned parameters."""
        return _parameter_count(self.tagger)

    def predict(self, features: Features, lengths: NDArray[np.int64] | None = None) -> Predictions:
        """Return the tags of each sentence, int64 [words of the sentence].

        Args:
            features: [words, width].
            lengths: int64 [sentences], the number of words of each sentence.
        """
        assert lengths is not None, "a tagger needs the words of each sentence"  # noqa: S101 - by the contract
        with ONE_THREAD.limit():
            return tags_of(self.tagger, np.asarray(features, dtype=np.float32), lengths)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the network's weights by name, from which `from_arrays` rebuilds the head."""
        return {name: weight.detach().numpy() for name, weight in self.tagger.state_dict().items()}

    @classmethod
    def from_arrays(cls, facts: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> FittedTagger:
        """Rebuild a head; the network's shape is read from its weights.

        Args:
            facts: the fields `view` and `chosen` of the head.
            arrays: what `arrays` returned.

        Raises:
            KeyError, TypeError, ValueError: facts or arrays are damaged.
        """
        (width,), (tags, both) = arrays["shift"].shape, arrays["output.weight"].shape
        layers = len({name.split(".")[1] for name in arrays if name.startswith("layers.")})
        crf = Crf(tags) if "crf.step" in arrays else None
        tagger = Tagger(width, tags, hidden=both // 2, layers=layers, crf=crf)
        try:
            tagger.load_state_dict({name: torch.from_numpy(np.array(array)) for name, array in arrays.items()})
        except RuntimeError as error:
            raise ValueError("the weights of its tagger do not fit each other") from error
        return cls(str(facts["view"]), facts["chosen"], tagger)


def _network(settings: BiLstmCrf, width: int, target: Target) -> Tagger:
    """Return a tagger for features of `width` columns, whose weights are not initialised yet."""
    tags = len(target.classes)
    crf = Crf(tags, _rules(target) if settings.rules else None) if settings.crf else None
    return Tagger(width, tags, hidden=settings.hidden, layers=settings.layers, crf=crf, dropout=settings.dropout)


def _rules(target: Target) -> NDArray[np.bool_] | None:
    """Return which transitions IOB2 forbids, bool [tags + 1, tags]; None if the training tags have one of them.

    Rows are the tags of a word, columns the tags of the next word; the last row is for the first word of a sentence.
    """
    rules = iob2_forbidden(target.classes)
    broken = any(rules[np.concatenate([[-1], tags[:-1]]), tags].any() for tags in target.labels if len(tags))
    return None if broken else rules


def _parameter_count(tagger: Tagger) -> int:
    """Return the number of the network's weights."""
    return sum(parameter.numel() for parameter in tagger.parameters())


class TaggerTraining:
    """The training of one BiLSTM tagger on the sentences of a task, of which some may be held out.

    Args:
        settings: settings of the tagger and its training.
        features: [words, width], the frozen vectors of the words, sentence after sentence.
        target: the tags of the sentences.
        seed: seed of weights, batches and held-out sentences.
    """

    def __init__(self, settings: BiLstmCrf, features: Words, target: Target, seed: int) -> None:
        assert target.lengths is not None, "tags come with the words of each sentence"  # noqa: S101 - by the contract
        self.settings, self.target, self.seed = settings, target, seed
        self.sentences = TaggedSentences.of(features, target.lengths, target.labels)
        self.training, self.held_out = self._split()
        self.tagger = _network(settings, features.shape[1], target)
        self.tagger.initialise(self.sentences, self.training, seed)

    def train(self) -> dict[str, object]:
        """Train the tagger, and give it the weights of the best epoch, or the last ones if no sentences are held out.

        Returns:
            A summary: `epochs` and `steps` up to these weights, and the number of `held_out` sentences.
        """
        if not len(self.training):
            return {"epochs": 0, "steps": 0}
        steps_per_epoch = -(-len(self.training) // self.settings.batch)
        steps = max(self.settings.least_steps, min(self.settings.epochs * steps_per_epoch, self.settings.most_steps))
        score = self._held_out_score if len(self.held_out) else None
        kept_step = train_keep_best(self._loop(steps), steps, score, evaluations=self.settings.epochs)
        return {"epochs": round(kept_step / steps_per_epoch, 1), "steps": kept_step, "held_out": len(self.held_out)}

    def _split(self) -> tuple[Rows, Rows]:
        """Return (training sentences, held-out sentences), indices; sentences without words are not trained on."""
        rng, part = seeds.child(self.seed, "held out"), 8 if len(self.target) >= self.settings.stop_from else 0
        training, held_out = split_off(self.target, rng, part)
        return training[self.sentences.lengths[training] > 0], held_out

    def _loop(self, steps: int) -> Loop[Rows]:
        rate = self.settings.short_run_rate if steps <= self.settings.short_run_steps else self.settings.rate
        batch, seed = self.settings.batch, self.seed
        return tagger_loop(
            self.tagger, self.sentences, self.training, rate=rate, batch_size=batch, steps=steps, seed=seed
        )

    def _held_out_score(self) -> float:
        """Return the task's metric on the held-out sentences, and report an epoch as done."""
        self.settings.report(1 / self.settings.epochs)
        words, lengths = self.sentences.words_of(self.held_out), self.sentences.lengths[self.held_out]
        predictions = tags_of(self.tagger, self.sentences.features[words], lengths)
        return self.target.take(self.held_out).score(predictions)
