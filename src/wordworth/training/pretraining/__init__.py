"""Pretraining of language models on a user's own text, from nothing (`pretrain`) or from a finished model (`adapt`)."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from wordworth.errors import BadInput, require_package
from wordworth.files import as_path, no_empty_folders, require_writable
from wordworth.progress import SILENT, Progress
from wordworth.settings_docs import documented_by
from wordworth.settings_validation import settings_from
from wordworth.sources import require
from wordworth.subprocesses import available_cpus
from wordworth.text.corpus.read_documents import (
    CorpusOrTable,
    CorpusSettings,
    TextTable,
    as_corpora,
    require_corpora,
    require_distinct,
)
from wordworth.text.corpus.sampling_shares import require_several
from wordworth.text.corpus.split_by_language import split_by_language
from wordworth.text.corpus.txt_layouts import Layout
from wordworth.text.file_formats.in_memory import as_files
from wordworth.text.tokenizer_files import require_tokenizer
from wordworth.training.pretraining.settings import AdaptSettings, Override, PretrainSettings, RunSettings, changes_of

if TYPE_CHECKING:
    from wordworth.training.pretraining.pretrain_and_adapt import PretrainingOptions
    from wordworth.training.pretraining.run import PretrainingResult

__all__ = ["adapt", "pretrain"]


@documented_by(PretrainSettings, CorpusSettings)
def pretrain(  # noqa: PLR0913 - the settings, each by its name
    corpora: CorpusOrTable,
    *,
    out: Path | str,
    tokenizer: Path | str | None = None,
    model_size: str = "mini",
    architecture: str = "bert",
    recipe: Literal["modern", "paper"] = "modern",
    override: Override = (),
    lexicon: Path | str | None = None,
    text: str = "text",
    layout: Layout = "auto",
    leave_out: Path | str | None = None,
    steps: int | None = None,
    epochs: float | None = None,
    budget: str | None = None,
    held_out: Path | str | TextTable | None = None,
    evals: int = 20,
    sampling: float = 1.0,
    language_column: str | None = None,
    seed: int = 0,
    dtype: Literal["auto", "float32", "bfloat16"] = "auto",
    threads: int | None = None,
    device: str = "auto",
    micro_batch_tokens: int | None = None,
    milestones: Sequence[float] = (),
    checkpoint_minutes: float = 10.0,
    checkpoint_steps: int | None = None,
    sharded: bool = False,
    compiled: bool | None = None,
    progress: Progress = SILENT,
) -> PretrainingResult:
    """Pretrain a language model on text; the same call resumes a run that was stopped.

    Args:
        corpora: files or folders of text (.txt, .jsonl, .parquet, also compressed), or token stores; or a table in
            memory with a column of texts.
        out: folder for the model, its log and its checkpoints.
        override: changes of the recipe's settings, such as `{"learning_rate": 1e-4, "sequences": "pairs"}`.
        held_out: text (or a token store, or a table of texts) to evaluate on; it is never trained on.
        device: cpu, cuda or auto.
        progress: shows the run.

    Returns:
        The folder of the model, with the steps, tokens and loss of the run.

    Raises:
        BadInput: a corpus, the tokenizer, the recipe or a setting cannot be used.
        MissingExtra: torch is not installed.

    >>> pretrain("corpus/", tokenizer="tok/", epochs=4, out="model/")  # doctest: +SKIP
    """
    arguments = dict(locals())
    with _paths_of(corpora, held_out) as (paths, held_out_path):
        settings = settings_from({**arguments, "held_out": held_out_path}, PretrainSettings)
        _require_files(paths, held_out_path, settings.tokenizer)
        texts, evaluated, reading = _by_language(paths, held_out_path, settings, arguments)
        _prepare_torch()
        from wordworth.training.pretraining.pretrain_and_adapt import run

        return run(
            texts,
            out=as_path(out, "--out"),
            recipe=(settings.recipe, changes_of(override)),
            tokenizer=_path(settings.tokenizer),
            reading=reading,
            held_out=evaluated,
            progress=progress,
            **_options(settings, lexicon=_path(settings.lexicon)),
        )


@documented_by(AdaptSettings, CorpusSettings)
def adapt(  # noqa: PLR0913 - the settings, each by its name
    model: str | Path,
    corpora: CorpusOrTable,
    *,
    out: Path | str,
    vocabulary: Literal["keep", "extend", "replace"] = "keep",
    new_subwords: int | None = None,
    tokenizer: Path | str | None = None,
    override: Override = (),
    lexicon: Path | str | None = None,
    text: str = "text",
    layout: Layout = "auto",
    leave_out: Path | str | None = None,
    steps: int | None = None,
    epochs: float | None = None,
    budget: str | None = None,
    held_out: Path | str | TextTable | None = None,
    evals: int = 10,
    sampling: float = 1.0,
    language_column: str | None = None,
    seed: int = 0,
    dtype: Literal["auto", "float32", "bfloat16"] = "auto",
    threads: int | None = None,
    device: str = "auto",
    checkpoint_minutes: float = 10.0,
    progress: Progress = SILENT,
) -> PretrainingResult:
    """Continue the pretraining of a model on text of your domain, task or language; if stopped, the same call resumes.

    Args:
        model: an encoder: a folder, a catalogue name or a cached hub name.
        corpora: files or folders of text, or token stores of the same vocabulary; or a table in memory with a column of
            texts.
        out: folder for the new model.
        override: changes of the recipe's settings that apply to an existing network, such as `{"dropout": 0.2}`.
        held_out: text (or a token store, or a table of texts) to evaluate on; it is never trained on.
        device: cpu, cuda or auto.
        progress: shows the run.

    Returns:
        The folder of the model, with the steps, tokens and loss of the run.

    Raises:
        BadInput: there is no such model, it does not read subwords, or a corpus, the tokenizer, the recipe or a setting
            cannot be used.
        MissingExtra: torch is not installed.
    """
    arguments = dict(locals())
    with _paths_of(corpora, held_out) as (paths, held_out_path):
        settings = settings_from({**arguments, "held_out": held_out_path}, AdaptSettings)
        require(str(model))
        _require_files(paths, held_out_path, settings.tokenizer)
        texts, evaluated, reading = _by_language(paths, held_out_path, settings, arguments)
        _prepare_torch()
        from wordworth.training.pretraining.initial_model import VocabularyChange
        from wordworth.training.pretraining.pretrain_and_adapt import adapt as continue_model

        return continue_model(
            str(model),
            texts,
            out=as_path(out, "--out"),
            vocabulary=VocabularyChange(
                vocabulary=settings.vocabulary, tokenizer=_path(settings.tokenizer), new_subwords=settings.new_subwords
            ),
            recipe=("adapt", changes_of(override)),
            reading=reading,
            held_out=evaluated,
            progress=progress,
            **_options(settings, lexicon=_path(settings.lexicon)),
        )


@contextmanager
def _paths_of(
    corpora: CorpusOrTable, held_out: Path | str | TextTable | None
) -> Iterator[tuple[list[Path], Path | None]]:
    with as_corpora(corpora) as paths, as_files(held_out, names=["the held-out table"]) as (path,):
        yield paths, _path(path)


def _by_language(
    corpora: list[Path], held_out: Path | None, settings: RunSettings, arguments: Mapping[str, Any]
) -> tuple[list[Path], Path | None, CorpusSettings]:
    """Return (corpora, held-out text, settings of how both are read).

    With a column of languages, the text is split into a file for each language, which is then a corpus of its own.
    """
    reading, column = _reading(arguments), settings.language_column
    if column is None:
        return corpora, held_out, reading
    out = as_path(arguments["out"], "--out")
    require_writable(out)
    require_distinct(corpora, held_out)
    folder = out / "training" / "languages"
    with no_empty_folders(out, out / "training"), _removed_if_refused(folder):
        parts = split_by_language(corpora, column, reading.text, folder)
        require_several(settings.sampling, len(parts))
        if held_out is not None:
            split_by_language([held_out], column, reading.text, folder / "held-out")
            held_out = folder / "held-out"
    return parts, held_out, replace(reading, text="text")


@contextmanager
def _removed_if_refused(folder: Path) -> Iterator[None]:
    """Remove a folder that was made inside the `with` block if the block raises `BadInput`."""
    made = not folder.exists()
    try:
        yield
    except BadInput:
        if made:
            shutil.rmtree(folder, ignore_errors=True)
        raise


def _require_files(corpora: Sequence[Path], held_out: Path | None, tokenizer: Path | str | None) -> None:
    """Check that corpora, held-out text and tokenizer exist, before torch is loaded, which takes seconds."""
    require_corpora([*corpora, *([] if held_out is None else [held_out])])
    if tokenizer is not None:
        require_tokenizer(Path(tokenizer))


def _prepare_torch() -> None:
    """Make waiting OpenMP threads free their core, unless the user set otherwise, and make sure that torch is there."""
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # read when torch is imported
    require_package("torch", "torch")


def _path(path: Path | str | None) -> Path | None:
    return None if path is None else Path(path)


def _reading(arguments: Mapping[str, Any]) -> CorpusSettings:
    """Return the settings by which corpora are read and tokenized, with a process for each core."""
    reading: CorpusSettings = settings_from({**arguments, "processes": available_cpus()}, CorpusSettings)
    return reading


def _options(settings: RunSettings, **others: Any) -> PretrainingOptions:  # noqa: ANN401 - of the type of its option
    """Return the options of a run: those among the settings, and `others`."""
    from wordworth.training.pretraining.pretrain_and_adapt import PretrainingOptions

    names = [name for name in PretrainingOptions.__annotations__ if hasattr(settings, name)]
    return PretrainingOptions(**{**{name: getattr(settings, name) for name in names}, **others})  # type: ignore[typeddict-item]  # by name
