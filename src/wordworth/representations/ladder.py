"""The ladder: every rung for a kind of task, cheapest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.representations.distilled import DistilledRung
from wordworth.representations.feature_rung import RepresentationRung
from wordworth.representations.finetuning_settings import FineTuning
from wordworth.representations.heads.base import Head
from wordworth.representations.heads.crf import LinearChainCrf
from wordworth.representations.heads.linear import LinearHead
from wordworth.representations.majority import Majority
from wordworth.representations.random_vectors import RandomRung
from wordworth.representations.rung import Rung
from wordworth.representations.shared_encoder import short_name
from wordworth.representations.static_rung import StaticRung, glove, wordllama
from wordworth.representations.tag_features import TagFeatures
from wordworth.representations.tfidf import Tfidf
from wordworth.representations.vector_file import VectorFileRung
from wordworth.sources import resolve
from wordworth.tasks.task import Kind

ENTRY_POINTS = "wordworth.representations"
"""The group under which another package offers rungs: each entry a class or function that gives a `Rung`."""


def default_ladder(
    kind: Kind,
    *,
    models: Sequence[str] = ("minilm",),
    vectors: Sequence[str] = (),
    finetune: FineTuning | None = FineTuning(),  # noqa: B008 - frozen
    vector_price: float = 0.0,
    distil: bool = True,
) -> list[Rung]:
    """The rungs that can do `kind`, cheapest first: constant, counts, random, static, frozen, hybrid, fine-tuned.

    Args:
        kind: of the task.
        models: contextual encoders.
        vectors: static tables, or files of the user's own vectors.
        finetune: how the encoders are fine-tuned; not at all where None.
        vector_price: of a million texts where the user's own vectors were computed.
        distil: whether a static table is made of each encoder.

    Raises:
        BadInput: a name among `vectors` stands for nothing on this machine, or two rungs would share a name.
    """
    head = _head(kind)
    rungs = [Majority.of(kind), _counts(kind), RandomRung(head), glove(head), wordllama(head)]
    rungs += [_named(source, head, vector_price) for source in vectors]
    rungs += [DistilledRung(model, head) for model in models if distil]
    rungs += _contextual(kind, models, head, finetune=finetune)
    rungs += _offered()
    able = [rung for rung in rungs if kind in rung.kinds()]
    names = [rung.name for rung in able]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise BadInput(
            f"two rungs are called {twice!r}",
            mend="the ladder holds glove and wordllama already; name anything else once",
        )
    return able


def demanded(models: Sequence[str], vectors: Sequence[str]) -> frozenset[str]:
    """The names on the ladder of what a user named: these may not be skipped in silence.

    >>> sorted(demanded(["./my-model/"], ["glove.6B.50d.txt"]))
    ['glove.6B.50d.txt', 'my-model']
    """
    return frozenset([*map(short_name, models), *map(_table_name, vectors)])


def _table_name(source: str) -> str:
    path = Path(source).expanduser()
    return path.stem if path.exists() else source.rsplit("/", 1)[-1]


def _head(kind: Kind) -> Head:
    """The linear head; for tagging the BiLSTM of the field, or the linear one at each word where torch is missing."""
    if kind != "tags" or find_spec("torch") is None:
        return LinearHead()
    from wordworth.representations.heads.bilstm_crf import BiLstmCrf

    return BiLstmCrf()


def _counts(kind: Kind) -> Rung:
    return RepresentationRung(TagFeatures(), LinearChainCrf()) if kind == "tags" else RepresentationRung(Tfidf())


def _named(source: str, head: Head, price: float) -> Rung:
    """A user's file of vectors for their own texts, or else a table of word vectors."""
    path = Path(source).expanduser()
    lone = path.suffix == ".npy" and not path.with_suffix(".parquet").exists()
    if path.is_file() and (lone or path.suffix == ".parquet"):
        return VectorFileRung(path, _table_name(source), f"your vectors ({path.name})", price, head)
    found = resolve(source)
    if found.kind != "static":
        raise BadInput(f"{source!r} is no table of vectors", mend="give a contextual encoder with --model")
    return StaticRung(source, _table_name(source), _table_name(source), head)


def _contextual(kind: Kind, models: Sequence[str], head: Head, *, finetune: FineTuning | None) -> list[Rung]:
    """Frozen encoders, encoders beside TF-IDF, and fine-tuned ones."""
    from wordworth.representations.finetuned import FineTuned
    from wordworth.representations.frozen import Frozen
    from wordworth.representations.hybrid import Hybrid

    rungs: list[Rung] = [Frozen(model, head=head) for model in models]
    rungs += [Hybrid(model) for model in models if kind != "tags"]
    return rungs + ([FineTuned(model, finetune) for model in models] if finetune else [])


def _offered() -> Iterator[Rung]:
    """Rungs of other packages."""
    for point in entry_points(group=ENTRY_POINTS):
        rung = point.load()()
        if not isinstance(rung, Rung):
            raise BadInput(f"{point.value} gives no rung", where=point.name, mend="see wordworth.testing.rungs")
        yield rung
