"""Functions behind `wordworth pretrain` and `wordworth adapt`: build token stores and settings, then run."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, Literal, TypedDict, Unpack

import torch

from wordworth.errors import BadInput
from wordworth.files import no_empty_folders, require_writable
from wordworth.former_record_names import renamed
from wordworth.models.checkpoint import read_checkpoint
from wordworth.models.devices import device_of
from wordworth.progress import SILENT, Progress
from wordworth.sentence_formatting import count_of
from wordworth.settings_validation import parse_duration
from wordworth.sources import Resolved, resolve
from wordworth.text.corpus.dialogue_store import build_dialogue_store
from wordworth.text.corpus.read_documents import CorpusSettings, DocumentReader, corpus_files, require_distinct
from wordworth.text.corpus.sampling_shares import require_several
from wordworth.text.corpus.token_store import META, TokenStore, build_store
from wordworth.text.entity_link_tokenizer import LinkedTokenizer, open_tokenizer
from wordworth.text.entity_links import links_as_letters
from wordworth.training.mixed_precision import supports_bf16
from wordworth.training.pretraining.build_components import architecture_of, objective_options
from wordworth.training.pretraining.config import FORMER_FIELDS, PretrainingConfig
from wordworth.training.pretraining.initial_model import InitialModel, VocabularyChange
from wordworth.training.pretraining.recipe import Recipe, continued_recipe, require_used, todays_change
from wordworth.training.pretraining.recipe import recipe as named_recipe
from wordworth.training.pretraining.run import PretrainingResult, pretrain
from wordworth.training.pretraining.run_identity import FILE, require_room

_DOCUMENTS_LOOKED_AT = 1_000
"""Documents of a corpus that are searched for links, which a model without entities reads as text."""


class PretrainingOptions(TypedDict, total=False):
    """Options of a pretraining run, as users give them; a missing option has the default of `PretrainingConfig`.

    `budget` is a duration such as `30m`. `threads` sets the number of torch's threads for the rest of the process.
    """

    model_size: str
    architecture: str
    steps: int | None
    epochs: float | None
    budget: str | None
    sampling: float
    lexicon: Path | None
    evals: int
    seed: int
    dtype: Literal["auto", "float32", "bfloat16"]
    micro_batch_tokens: int | None
    checkpoint_minutes: float
    checkpoint_steps: int | None
    milestones: tuple[float, ...]
    device: str
    compiled: bool | None
    sharded: bool
    threads: int | None


def run(  # noqa: PLR0913 - what a person may choose
    corpora: Sequence[Path],
    *,
    out: Path,
    recipe: tuple[str, Sequence[str]] = ("modern", ()),
    tokenizer: Path | None = None,
    reading: CorpusSettings | None = None,
    held_out: Path | None = None,
    progress: Progress = SILENT,
    **options: Unpack[PretrainingOptions],
) -> PretrainingResult:
    """Pretrain on files or folders of text, all read with the same settings.

    Args:
        corpora: files or folders of text, or token stores.
        out: folder for the model.
        recipe: a recipe's name and changes to it, each `name=value`.
        tokenizer: folder of the tokenizer; not needed for token stores.
        reading: how text is read.
        held_out: text or a store to evaluate on.
        progress: receives the progress of the run.
        options: further options of the run.

    Raises:
        BadInput: a corpus, the tokenizer, the recipe, the budget or another option is invalid, the folder holds another
            run, or the disk is full.
    """
    require_used(recipe[1], options.get("architecture", "bert"), options.get("lexicon"))
    config = make_config(out, named_recipe(*recipe), recipe[1], options)
    return on_text(corpora, config, CorpusSource(tokenizer, reading or CorpusSettings()), held_out, progress)


def make_config(
    out: Path,
    recipe: Recipe,
    changes: Sequence[str],
    options: Mapping[str, Any],
    **fields: Any,  # noqa: ANN401 - of a dataclass
) -> PretrainingConfig:
    """Return the settings of a run, without its token stores, from options as users give them.

    Args:
        out: folder for the model.
        recipe: the recipe of the run, changed as the user asked.
        changes: the user's changes, each `name=value`. With a budget, the batch size is chosen to fit it, unless one of
            the changes sets `batch_size`.
        options: options of `PretrainingOptions`, by their present or former names.
        fields: further fields of `PretrainingConfig`.

    Raises:
        BadInput: an option is invalid.
    """
    chosen = renamed(options, FORMER_FIELDS)
    _require_instructions(chosen.get("dtype", "auto"), device_of(chosen.get("device", "auto")))
    threads, budget = chosen.pop("threads", None), chosen.pop("budget", None)
    if threads is not None:
        torch.set_num_threads(threads)
    span, fit_batch = None if budget is None else parse_duration(budget), leaves_batch_size_open(changes)
    config = PretrainingConfig(stores=(), out=out, recipe=recipe, budget=span, fit_batch=fit_batch, **chosen, **fields)
    objective_options(config)  # refused before corpora are read
    return config


def leaves_batch_size_open(changes: Sequence[str]) -> bool:
    """Return whether none of the user's changes, `name=value` each, sets the batch size."""
    return not any(todays_change(change).partition("=")[0] == "batch_size" for change in changes)


def _require_instructions(dtype: str, device: torch.device) -> None:
    """Refuse bfloat16 on a device that would emulate it: a step took ten minutes, and Ctrl-C had no effect."""
    if dtype == "bfloat16" and not supports_bf16(device):
        message = f"this {'GPU' if device.type == 'cuda' else 'processor'} has no instructions for bfloat16"
        raise BadInput(message, where="--dtype", mend="leave it out, or give float32")


def on_text(
    corpora: Sequence[Path],
    settings: PretrainingConfig,
    source: CorpusSource,
    held_out: Path | None,
    progress: Progress,
) -> PretrainingResult:
    """Pretrain on corpora of text or token stores; text is first tokenized into stores in the run's folder.

    Args:
        corpora: files or folders of text, or token stores.
        settings: the settings of the run, without stores.
        source: how text is read and tokenized.
        held_out: text or a store to evaluate on.
        progress: receives the progress of the run.

    Raises:
        BadInput: a corpus or the tokenizer is invalid, the folder holds another run, or the disk is full.
    """
    if settings.sharded and "WORLD_SIZE" not in os.environ:
        mend = "start it with `torchrun --nproc-per-node N -m wordworth pretrain ...`, or leave --sharded out"
        raise BadInput("--sharded splits the model over several processes, and there is only one", mend=mend)
    require_several(settings.sampling, len(corpora))
    require_writable(settings.out)
    require_room(settings.out)
    source = replace(source, dialogues=settings.recipe.sequences == "dialogues")
    training = settings.out / "training"
    folder, held_out_folder = training / "corpora", training / "corpora" / "held-out"
    require_text(corpora, held_out)
    made = not folder.exists()
    with no_empty_folders(settings.out, training, folder, held_out_folder):
        stores = stores_of(corpora, source, folder, progress)
        (held_out_store,) = stores_of([held_out], source, held_out_folder, progress) if held_out else (None,)
        parts = _parts_of(held_out, corpora)
        part_stores = stores_of([part for _, part in parts], source, held_out_folder / "parts")
        numbered = tuple((number, store) for (number, _), store in zip(parts, part_stores, strict=True))
        filled = replace(settings, stores=stores, held_out=held_out_store, held_out_parts=numbered)
        with _removed_if_refused(folder if made else None, training):
            return pretrain(filled, progress)


@contextmanager
def _removed_if_refused(stores: Path | None, training: Path) -> Iterator[None]:
    """Remove the token stores made for a run if the `with` block raises `BadInput` before the run has begun.

    Args:
        stores: the folder of the token stores; None if it was there before, and is kept.
        training: the folder of the run, which has a file `run.json` once the run has begun.
    """
    try:
        yield
    except BadInput:
        if stores is not None and not (training / FILE).exists():
            shutil.rmtree(stores, ignore_errors=True)
        raise


def _parts_of(held_out: Path | None, corpora: Sequence[Path]) -> list[tuple[int, Path]]:
    """Return (index of a corpus, file or folder of its name in the held-out folder) for each corpus that has one.

    The list is empty with a single corpus, and if `held_out` is not a folder of text.
    """
    if held_out is None or len(corpora) == 1 or not held_out.is_dir() or (held_out / META).is_file():
        return []
    entries = {_stem(entry): entry for entry in sorted(held_out.iterdir()) if not entry.name.startswith(".")}
    return [(number, entries[_stem(corpus)]) for number, corpus in enumerate(corpora) if _stem(corpus) in entries]


def _stem(path: Path) -> str:
    """Return the name of a folder, or the name of a file up to its first dot."""
    return path.name if path.is_dir() else path.name.partition(".")[0]


def adapt(  # noqa: PLR0913 - what a person may choose
    model: str,
    corpora: Sequence[Path],
    *,
    out: Path,
    vocabulary: VocabularyChange | None = None,
    recipe: tuple[str, Sequence[str]] = ("adapt", ()),
    reading: CorpusSettings | None = None,
    held_out: Path | None = None,
    progress: Progress = SILENT,
    **options: Unpack[PretrainingOptions],
) -> PretrainingResult:
    """Continue the pretraining of a model on other text, with the model's own objective; a stopped run resumes.

    The method is continued pretraining (Gururangan et al. 2020, arXiv 2004.10964), optionally with a new vocabulary.

    Args:
        model: a folder, a catalogue name or a cached hub name of an encoder.
        corpora: files or folders of text, or token stores of the same vocabulary.
        out: folder for the new model.
        vocabulary: the change of the model's vocabulary; None keeps it.
        recipe: a recipe's name, and changes to its settings that apply to an existing network.
        reading: how text is read.
        held_out: text or a store to evaluate on.
        progress: receives the progress of the run.
        options: further options of the run; the model decides `architecture` and `model_size`.

    Raises:
        BadInput: there is no such model, it does not read subwords, a corpus, the recipe, the budget or another option
            is invalid, the folder holds another run, or the disk is full.
    """
    resolved, reading_settings = resolved_encoder(model), reading or CorpusSettings()
    folder, name = resolved.folder, resolved.folder.resolve().name if resolved.location == "folder" else model
    architecture = architecture_of(read_checkpoint(folder).model.config, folder)
    require_used(recipe[1], architecture, options.get("lexicon"))
    fields = {"initial_model": folder, "initial_model_name": name, "architecture": architecture}
    config = make_config(out, continued_recipe(*recipe), recipe[1], options, **fields)
    require_writable(out)
    require_room(out, folder)
    require_text(corpora, held_out)
    initial = InitialModel(
        model=folder, change=vocabulary or VocabularyChange(), corpora=corpora, reading=reading_settings
    )
    with no_empty_folders(out, out / "training"):
        initial_model = initial.folder(out / "training" / "start", progress)
    source = CorpusSource(initial_model, reading_settings)
    return on_text(corpora, replace(config, initial_model=initial_model), source, held_out, progress)


def resolved_encoder(model: str) -> Resolved:
    """Find the files of a model by its name and check that its pretraining can be continued.

    Raises:
        BadInput: nothing has that name, or the model is not an encoder.
    """
    resolved = resolve(model, hash_whole=True)
    if resolved.kind != "encoder":
        raise BadInput(f"{model!r} is a table of word vectors and not an encoder", mend="name an encoder: adapt mini")
    return resolved


@dataclass(frozen=True, slots=True)
class CorpusSource:
    """How the text of the corpora of a run is read and tokenized.

    Attributes:
        tokenizer: folder of the tokenizer; None for token stores, which need none.
        reading: how files are read.
        dialogues: whether the files hold dialogues, turn by turn, in place of texts.
    """

    tokenizer: Path | None
    reading: CorpusSettings
    dialogues: bool = False


def stores_of(
    corpora: Sequence[Path], source: CorpusSource, folder: Path, progress: Progress = SILENT
) -> tuple[Path, ...]:
    """Return the folder of each corpus's token store; a store is built first for a corpus that is text.

    Args:
        corpora: files or folders of text, or token stores.
        source: how text is read and tokenized.
        folder: where new stores are built; existing ones are used again.
        progress: receives the progress of building.

    Raises:
        BadInput: a corpus is missing or holds no text, or there is text and no tokenizer.
    """
    return tuple(
        _store(corpus, source, folder / f"{number}-{corpus.name}", progress) for number, corpus in enumerate(corpora)
    )


def require_text(corpora: Sequence[Path], held_out: Path | None) -> None:
    """Check, before any work, that every corpus exists, holds text and is named once.

    Args:
        corpora: the corpora to train on: files or folders of text, or token stores.
        held_out: the held-out text or token store; None if no text is held out.

    Raises:
        BadInput: a corpus is missing, is a folder without text, or is named twice or lies in another one (so that it
            would be trained on twice, or both trained on and held out); or held-out text is a copy of text to train on.
    """
    every = [*corpora, *([held_out] if held_out else [])]
    require_distinct(corpora, held_out, [corpus for corpus in every if (corpus / META).is_file()])


def _store(corpus: Path, source: CorpusSource, folder: Path, progress: Progress) -> Path:
    if (corpus / META).is_file():
        return corpus
    if source.tokenizer is None:
        mend = "give --tokenizer; `wordworth tokenizer` makes one of a corpus"
        raise BadInput("text cannot be read without a tokenizer", where=str(corpus), mend=mend)
    tokenizer = open_tokenizer(source.tokenizer)
    try:
        build = build_dialogue_store if source.dialogues else build_store
        store = build(corpus, tokenizer, folder, source.reading, progress)
    except BadInput as error:
        if not isinstance(error.__cause__, OSError):  # once mended it is another corpus, of which nothing is built yet
            shutil.rmtree(folder, ignore_errors=True)
        if error.where:
            raise
        raise BadInput(error.what, where=str(corpus), mend=error.mend) from error
    progress.note(_summary(corpus, store))
    is_plain = not source.dialogues and not isinstance(tokenizer, LinkedTokenizer)
    if is_plain and (warning := _links_as_letters(corpus, source)):
        progress.note(f"{corpus}: {warning}")
    return folder


def _links_as_letters(corpus: Path, source: CorpusSource) -> str:
    """Return a warning if the first documents of a corpus have links to entities, which a plain model reads as text."""
    reader = DocumentReader(replace(source.reading, leave_out=None))
    first = islice(reader.documents(corpus_files(corpus)), _DOCUMENTS_LOOKED_AT)
    return links_as_letters([document.text for document in first])


def _summary(corpus: Path, store: TokenStore) -> str:
    counts = store.counts
    if "single" in counts:
        turns = f"{count_of(counts['sentences'], 'turn')}, {count_of(counts['tokens'], 'token')}"
        single = f", {counts['single']:,} of a single turn left out" if counts["single"] else ""
        return f"{corpus}: {count_of(counts['documents'], 'dialogue')}, {turns}{single}"
    dropped = f", {counts['duplicates']:,} duplicates dropped" if counts.get("duplicates") else ""
    if counts.get("overlapping"):
        dropped += f", {counts['overlapping']:,} left out that share text with what is tested on"
    return f"{corpus}: {count_of(counts['documents'], 'document')}, {count_of(counts['tokens'], 'token')}{dropped}"
