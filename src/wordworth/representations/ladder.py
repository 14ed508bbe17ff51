"""Make the ladder for a kind of task, and select rungs of it by name.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
The ladder is the list of rungs, cheapest first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

from wordworth.errors import BadInput, nearest
from wordworth.models.read_vectors import is_vectors_file
from wordworth.registry import Registry
from wordworth.representations.constant_baseline import Majority
from wordworth.representations.distilled_vectors import DistilledRung
from wordworth.representations.feature_rung import RepresentationRung
from wordworth.representations.finetuning_settings import FineTuning
from wordworth.representations.heads.base import Head
from wordworth.representations.heads.crf_head import LinearChainCrf
from wordworth.representations.heads.linear_head import LinearHead
from wordworth.representations.precomputed_vectors import VectorFileRung
from wordworth.representations.random_vectors import RandomRung
from wordworth.representations.rung import Rung
from wordworth.representations.static_vectors import StaticRung, glove, wordllama
from wordworth.representations.tagging_features import TagFeatures
from wordworth.representations.tfidf import Tfidf
from wordworth.sources import FINETUNED_SUFFIX, catalogue, resolve, short_name
from wordworth.tasks import task_types
from wordworth.tasks.task import Kind
from wordworth.tasks.task_types import TaskType, can_learn

HYBRID, DISTILLED, FEW_SHOT, INT8 = "tfidf+", "-static", "-fewshot", "-int8"
"""Prefix and suffixes by which an encoder's name becomes the name of each further rung that has this encoder; that of
the fine-tuned rung is `FINETUNED_SUFFIX`."""
RUNGS: Registry[Callable[[], object]] = Registry(
    "rung", group="wordworth.rungs", builtin={}, former_group="wordworth.representations"
)
"""Rungs of other packages, which are on every ladder: classes or functions without arguments that return a `Rung`."""


def default_ladder(
    kind: Kind,
    *,
    models: Sequence[str] = ("minilm",),
    vectors: Sequence[str] = (),
    finetune: FineTuning | None = FineTuning(),  # noqa: B008 - frozen
    vector_price: float = 0.0,
    distil: bool = True,
) -> list[Rung]:
    """Return the rungs for a kind of task, cheapest first: from a constant prediction to fine-tuned encoders.

    Args:
        kind: the kind of task.
        models: names of contextual encoders.
        vectors: names of static tables, or files of the user's own vectors.
        finetune: settings of fine-tuning; None leaves out the fine-tuned rungs.
        vector_price: price of the user's own vectors, in the user's currency for a million texts.
        distil: whether to add a rung with a static table of word vectors distilled from each encoder.

    Raises:
        BadInput: a name among `vectors` is not on this machine, or two rungs would have the same name.
    """
    task_type = task_types.get(kind)
    head = _default_head(task_type)
    rungs = [Majority.of(kind), _count_rung(task_type), RandomRung(head), glove(head), wordllama(head)]
    rungs += [_vectors_rung(source, head, vector_price) for source in vectors]
    rungs += [DistilledRung(model, head) for model in models if distil]
    rungs += _encoder_rungs(task_type, models, head, finetune=finetune)
    rungs += _other_packages()
    able = [rung for rung in rungs if can_learn(rung.kinds(), task_type)]
    names = [rung.name for rung in able]
    duplicate = next((name for name in names if names.count(name) > 1), None)
    if duplicate is not None:
        raise BadInput(
            f"two rungs are called {duplicate!r}",
            mend="glove and wordllama are on the ladder already; name each other table or encoder once",
        )
    return able


def select_rungs(ladder: Sequence[Rung], names: Sequence[str]) -> list[Rung]:
    """Return the rungs of a ladder with the given names, and always the baseline.

    If `names` is empty, all rungs are returned except those that run on request alone (`Rung.by_name`).

    Args:
        ladder: the rungs.
        names: names of rungs; a name may have the whole path of a model's folder in place of the folder's name.

    Raises:
        BadInput: no rung has one of the names.
    """
    known, wanted = [rung.name for rung in ladder], [rung_name(name) for name in names]
    for name, named in zip(names, wanted, strict=True):
        if named not in known:
            raise BadInput(f"no rung for this kind of task is called {name!r}", mend=_mend(name, known))
    return [rung for rung in ladder if rung.is_baseline or (rung.name in wanted if names else not rung.by_name)]


def rung_name(name: str) -> str:
    """Return the name that a rung has on the ladder: `name`, with the path of a model's folder cut to its last part.

    >>> rung_name("tfidf+folder/my-encoder"), rung_name("folder/my-encoder-finetuned"), rung_name("glove")
    ('tfidf+my-encoder', 'my-encoder-finetuned', 'glove')
    """
    prefix = HYBRID if name.startswith(HYBRID) else ""
    return f"{prefix}{short_name(name.removeprefix(prefix))}"


def model_in(name: str) -> str:
    """Return the name of the model in the name of a rung.

    >>> model_in("tfidf+mini"), model_in("folder/my-encoder-finetuned"), model_in("mini")
    ('mini', 'folder/my-encoder', 'mini')
    """
    model = name.removeprefix(HYBRID)
    for suffix in (FINETUNED_SUFFIX, DISTILLED, FEW_SHOT, INT8):
        model = model.removesuffix(suffix)
    return model


def _mend(name: str, known: Sequence[str]) -> str:
    """Return the hint of the error about an unknown rung: the option that adds its encoder, or the nearest name.

    Args:
        name: the name as the user wrote it.
        known: the names of the rungs on the ladder.
    """
    model = model_in(name)
    encoders = [entry.name for entry in catalogue() if entry.kind == "encoder"]
    is_encoder = model in encoders or (Path(model).expanduser() / "config.json").is_file()
    if is_encoder and short_name(model) not in known:
        return f"add its encoder, {model}, with --models"
    return nearest(name, known)


def requested_names(models: Sequence[str], vectors: Sequence[str], names: Sequence[str] = ()) -> frozenset[str]:
    """Return the names of the rungs that the user asked for; a study fails if one of them cannot be run.

    Args:
        models: the encoders that the user named.
        vectors: the files of word vectors that the user named.
        names: the rungs that the user named.

    >>> sorted(requested_names(["./my-model/"], ["glove.6B.50d.txt"]))
    ['glove.6B.50d.txt', 'my-model']
    """
    return frozenset([*map(short_name, models), *map(_table_name, vectors), *map(rung_name, names)])


def _table_name(source: str) -> str:
    path = Path(source).expanduser()
    return path.stem if path.exists() else source.rsplit("/", 1)[-1]


def _default_head(task_type: TaskType) -> Head:
    """Return the linear head; for tagging the BiLSTM-CRF, unless torch is missing."""
    if not task_type.labels_words or find_spec("torch") is None:
        return LinearHead()
    from wordworth.representations.heads.bilstm_crf import BiLstmCrf

    return BiLstmCrf()


def _count_rung(task_type: TaskType) -> Rung:
    if task_type.labels_words:
        return RepresentationRung(TagFeatures(), LinearChainCrf())
    return RepresentationRung(Tfidf())


def _vectors_rung(source: str, head: Head, price: float) -> Rung:
    """Return the rung that reads a user's file of text vectors, or a table of word vectors.

    Args:
        source: the file of vectors; or the name, file or folder of a table.
        head: the head of the rung.
        price: price of a million text vectors, in the user's currency; not used for a table.

    Raises:
        BadInput: nothing with this name is on this machine, or it is not a table of word vectors.
    """
    path = Path(source).expanduser()
    if is_vectors_file(path):
        return VectorFileRung(path, _table_name(source), f"your vectors ({path.name})", price, head)
    location = resolve(source)
    if location.kind != "static":
        raise BadInput(f"{source!r} is not a table of word vectors", mend="give a contextual encoder with --models")
    return StaticRung(source, _table_name(source), _table_name(source), head)


def _encoder_rungs(
    task_type: TaskType, models: Sequence[str], head: Head, *, finetune: FineTuning | None
) -> list[Rung]:
    """Return the frozen, frozen in int8, hybrid, few-shot and fine-tuned rungs of the encoders named in `models`.

    If `finetune` is None, few-shot and fine-tuned rungs are left out.
    """
    from wordworth.representations.few_shot import FewShot
    from wordworth.representations.finetuned_encoder import FineTuned
    from wordworth.representations.frozen_encoder import Frozen, FrozenInt8
    from wordworth.representations.tfidf_with_encoder import Hybrid

    rungs: list[Rung] = [make(model, head=head) for make in (FrozenInt8, Frozen) for model in models]
    rungs += [Hybrid(model) for model in models if not task_type.labels_words]
    if finetune is None:
        return rungs
    return [*rungs, *map(FewShot, models), *(FineTuned(model, finetune) for model in models)]


def _other_packages() -> Iterator[Rung]:
    """Yield the rungs of other packages."""
    for name in RUNGS.names():
        rung = RUNGS.get(name)()
        if not isinstance(rung, Rung):
            mend = "let it return an instance of a subclass of wordworth.representations.rung.Rung"
            raise BadInput(f"the rung {name!r} of another package is no rung", where=repr(rung), mend=mend)
        yield rung
