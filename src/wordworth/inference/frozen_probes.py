"""Saved linear probes of a frozen encoder: `FrozenProbe` is one, `Probes` are several computed in one encoder pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.files import as_path
from wordworth.models.encoder_fingerprint import fingerprint
from wordworth.models.load import EncoderSpec
from wordworth.models.text_encoder import TextEncoder
from wordworth.tasks import task_types
from wordworth.tasks.task import Examples
from wordworth.text.corpus.index_ranges import split_by
from wordworth.text.tokens import require_texts
from wordworth.training.finetuning.checkpoint_metadata import read_metadata
from wordworth.training.finetuning.run_folder import model_folder
from wordworth.training.probes.saved_probe import PROBE, SavedProbe
from wordworth.training.task_heads.base import TaskPredictions

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class FrozenProbe:
    """A probe read from a folder, with the encoder that it reads.

    Attributes:
        encoder: the frozen encoder.
        probe: the linear map.
        kind: kind of task.
        classes: names of the classes or tags.
        columns: name of the text column in the file that the probe was trained on.
        fingerprint: hash of all weights of the encoder as it was loaded; empty if it was not computed.
    """

    encoder: TextEncoder
    probe: SavedProbe
    kind: str
    classes: tuple[str, ...]
    columns: tuple[str, ...] = ()
    fingerprint: str = ""

    @property
    def tags_words(self) -> bool:
        """True if the probe predicts a label for each word, false if it predicts a label for a whole text."""
        return task_types.get(self.kind).labels_words

    def predictions(self, examples: Examples) -> TaskPredictions:
        """Return the predictions for examples: float64 scores [n, classes], or the tags of each sentence."""
        if self.tags_words:
            return self._tags(examples.words or ())
        states = self.encoder.pooled_layers(examples.first, layers=self.probe.layers)
        return self.scores(states)

    def scores(self, states: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the score of each class, float64 [n, classes], from the encoder's states at the probe's layers."""
        with torch.inference_mode():
            return self.probe.scores(torch.from_numpy(states)).double().numpy()

    def _tags(self, sentences: Sequence[Sequence[str]]) -> tuple[NDArray[np.int64], ...]:
        states = self.encoder.word_states(sentences, layers=self.probe.layers, pooling="mean")
        tags = self.scores(states.values.transpose(1, 0, 2)).argmax(1)  # noqa: PD011 - hidden states, no pandas
        return split_by(np.array([len(sentence) for sentence in sentences], np.int64), tags)


def read_frozen_probe(folder: Path, facts: Mapping[str, Any], first: FrozenProbe | None = None) -> FrozenProbe:
    """Read the probe of a folder, with its encoder.

    Args:
        folder: the folder of the probe.
        facts: the folder's metadata by field.
        first: another probe on the same encoder, whose loaded encoder is used; None loads the encoder by its name.

    Raises:
        BadInput: a file is damaged, there is no encoder of that name, or the probe was trained on another encoder.
    """
    probe, named = SavedProbe.read(folder, facts), facts[PROBE]
    own = EncoderSpec(name=str(named.get("model"))).open() if first is None else first.encoder
    key = fingerprint(own) if first is None else first.fingerprint
    if key != named.get("fingerprint"):
        what = f"this probe was made on another encoder than {own.name!r:.60}"
        mend = "use the encoder that it was made on, or make the probe again"
        mend = mend if first is None else "predict with it alone: probes that share a pass read one encoder"
        raise BadInput(what, where=str(folder), mend=mend)
    columns = tuple(facts.get("columns", ()))
    return FrozenProbe(own, probe, str(facts["kind"]), tuple(facts["classes"]), columns, fingerprint=key)


@dataclass(frozen=True, slots=True)
class Probes:
    """Several probes of whole texts on one encoder, which run in one pass of it; `load_probes` returns this object.

    Attributes:
        probes: the user's name of each probe -> the probe.
    """

    probes: Mapping[str, FrozenProbe]

    def __repr__(self) -> str:
        return f"<Probes {', '.join(self.probes)} on {next(iter(self.probes.values())).encoder.name!r}>"

    @property
    def layers(self) -> tuple[int, ...]:
        """The layers that at least one probe reads, ascending; all layers above the highest are not computed."""
        return tuple(sorted({layer for each in self.probes.values() for layer in each.probe.layers}))

    def predict(self, texts: Sequence[str]) -> pd.DataFrame:
        """Predict texts with every probe.

        Args:
            texts: texts of any length.

        Returns:
            A DataFrame with a row for each text and a column for each probe: the name of the predicted class, or a
            tuple of names for a multilabel probe.

        Raises:
            BadInput: `texts` is one string.
        """
        import pandas as pd

        scores = self.scores(texts)
        return pd.DataFrame({name: _named(self.probes[name], each) for name, each in scores.items()})

    def scores(self, texts: Sequence[str]) -> dict[str, NDArray[np.float64]]:
        """Return name of a probe -> its class scores, float64 [texts, classes]; all come from one pass of the encoder.

        Args:
            texts: texts of any length.

        Raises:
            BadInput: `texts` is one string.
        """
        layers = self.layers
        states = next(iter(self.probes.values())).encoder.pooled_layers(require_texts(texts), layers=layers)
        column = {layer: index for index, layer in enumerate(layers)}
        return {
            name: each.scores(
                states if each.probe.layers == layers else states[:, [column[k] for k in each.probe.layers]]
            )
            for name, each in self.probes.items()
        }


def load_probes(folders: Mapping[str, Path | str] | Sequence[Path | str]) -> Probes:
    """Load several probes of the same encoder, which then runs once for all of them.

    Args:
        folders: a name for each probe -> its output folder of `wordworth probe`; or a sequence of folders, whose
            probes are named after them.

    Raises:
        BadInput: there is no probe in a folder, a probe tags words, two probes have the same name, or they read
            different encoders.

    >>> load_probes({"topic": "topic/", "tone": "tone/"}).predict(["a good film"])  # doctest: +SKIP
    """
    if isinstance(folders, str | Path) or not folders:
        raise BadInput("no list of folders of probes is given", mend='give ["topic/", "tone/"]')
    named = dict(folders) if isinstance(folders, Mapping) else {as_path(each).name: each for each in folders}
    if len(named) < len(folders):
        raise BadInput(
            "two of these folders have the same name",
            mend='rename one, or in Python name them: {"topic": "a/probe", "tone": "b/probe"}',
        )
    probes, first = dict[str, FrozenProbe](), None
    for name, path in named.items():
        folder = model_folder(as_path(path, name))
        facts = read_metadata(folder)
        if PROBE not in facts:
            raise BadInput("this is no probe", where=str(path), mend="give folders of wordworth probe")
        probes[name] = read_frozen_probe(folder, facts, first)
        first = probes[name]
        if probes[name].tags_words:
            mend = "use wordworth predict, one probe at a time"
            raise BadInput("this probe tags words, and has no answer for whole texts", where=str(path), mend=mend)
    return Probes(probes)


def _named(probe: FrozenProbe, scores: NDArray[np.float64]) -> list[object]:
    kind = task_types.get(probe.kind)
    values = [kind.plain_value(kind.decide(row), probe.classes) for row in scores]
    return [tuple(value) if isinstance(value, list) else value for value in values]
