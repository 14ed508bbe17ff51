"""Build the parts of a run from its settings: encoder, objectives, streams of sequences."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wordworth.errors import BadInput
from wordworth.models.checkpoint import Checkpoint
from wordworth.models.encoder_base import Encoder, EncoderConfig
from wordworth.models.families import family_of, new_config
from wordworth.models.model_sizes import shape
from wordworth.models.transformer_config import TransformerConfig
from wordworth.progress import SILENT, Progress
from wordworth.text.corpus.pretraining_sequences import InstanceStream
from wordworth.text.corpus.samplers.base import Sampler
from wordworth.text.corpus.samplers.bert_pairs import BertPairs
from wordworth.text.corpus.samplers.dialogues import DialogueWindows
from wordworth.text.corpus.samplers.packed_sequences import PackedTexts
from wordworth.text.corpus.samplers.sentence_order import SentenceOrderPairs
from wordworth.text.corpus.token_store import TokenStore, Vocabulary
from wordworth.training.objectives import OBJECTIVES
from wordworth.training.objectives.objective import Objective, ObjectiveContext
from wordworth.training.pretraining.batches import Phase
from wordworth.training.pretraining.config import PretrainingConfig
from wordworth.training.pretraining.recipe import Recipe

_PAIR_OBJECTIVES = {"pairs": "nsp", "ordered": "sop"}
"""The objective about the two texts of a pair, for each kind of pairs."""
_OBJECTIVES = {**_PAIR_OBJECTIVES, "dialogues": "dialogue"}
"""The objective besides masked language modelling, for each kind of sequences that has one."""


def encoder(settings: PretrainingConfig, vocabulary: Vocabulary) -> Encoder:
    """Build the encoder of a run; the caller must initialise the encoder's weights.

    Raises:
        BadInput: there is no such model size, or the architecture does not support the recipe.
    """
    size, recipe = shape(settings.model_size), settings.recipe
    options: dict[str, Any] = {
        "norm": recipe.norm,
        "activation": recipe.activation,
        "positions": recipe.positions,
        "biases": recipe.biases,
        "gated": recipe.gated_mlp,
        "dropout": recipe.dropout,
        "attention_dropout": recipe.dropout,
        "initializer_range": recipe.scaled_init_std(size.width),
        "max_positions": max(512, *recipe.lengths),
        **size.fields,
    }
    rows = -(-vocabulary.vocab_size // recipe.pad_vocab_to_multiple) * recipe.pad_vocab_to_multiple
    sizes = TransformerConfig(vocab_size=rows, **options)
    config = new_config(settings.architecture, sizes).with_pooler(has_pooler=_uses_pairs(settings))
    return family_of(config.model_type).build(config)


def architecture_of(config: EncoderConfig, folder: Path) -> str:
    """Return the value of the setting `architecture` for a model with this config.

    Raises:
        BadInput: the model reads characters, not subwords.
    """
    if config.architecture is None:
        mend = "give a model that reads subwords, such as one of `wordworth pretrain --architecture bilm`"
        raise BadInput(
            "this model reads characters; only models of subwords can be continued", where=str(folder), mend=mend
        )
    return config.architecture


def build_objectives(settings: PretrainingConfig, store: TokenStore) -> Sequence[Objective]:
    """Build the objectives of a run, as the recipe names them, or else the default objectives of the architecture.

    Raises:
        BadInput: an objective is unknown or does not accept its options, or the lexicon cannot be read.
    """
    options = objective_options(settings)
    return [OBJECTIVES.get(name).build(ObjectiveContext(name, settings, store, options[name])) for name in options]


def objective_options(settings: PretrainingConfig) -> dict[str, dict[str, str]]:
    """Return name of each objective of a run -> its options (name -> value), as text.

    Raises:
        BadInput: an objective is unknown, or an option belongs to none of them.
    """
    names = settings.recipe.objectives or _usual_objectives(settings)
    if settings.recipe.anisotropy:
        names = (*names, "anisotropy")
    options: dict[str, dict[str, str]] = {name: {} for name in names}
    for name, option, value in settings.recipe.objective_options:
        if name not in options:
            message = f"{name}.{option} has no effect: the objectives are {', '.join(names)}"
            raise BadInput(message, where="--override", mend="leave it out, or add the objective to objectives=")
        options[name][option] = value
    for name in options:
        OBJECTIVES.get(name)  # refuses an unknown one
    return options


def _usual_objectives(settings: PretrainingConfig) -> tuple[str, ...]:
    config = new_config(settings.architecture, TransformerConfig())
    if config.reads != "masked":
        return ("clm",) if config.reads == "causal" else ("bilm",)
    recipe = settings.recipe
    has_pairs = recipe.pair_objective and recipe.sequences in _OBJECTIVES and config.has_segments
    return ("mlm", _OBJECTIVES[recipe.sequences]) if has_pairs else ("mlm",)


def _uses_pairs(settings: PretrainingConfig) -> bool:
    """Return whether an objective of the run predicts a label of a pair of texts, which needs a pooler."""
    return bool({*_PAIR_OBJECTIVES.values()} & {*(settings.recipe.objectives or _usual_objectives(settings))})


def phases(settings: PretrainingConfig, stores: Sequence[TokenStore]) -> list[Phase]:
    """Build the phases of a run, which differ in sequence length or batch size.

    Args:
        settings: the settings of the run.
        stores: the token stores of the corpora.
    """
    recipe = settings.recipe
    sizes = [(begins, recipe.length_at(begins), recipe.batch_at(begins)) for begins in recipe.phase_starts]
    return [Phase(begins, stream(settings, stores, *size), *size) for begins, *size in sizes]


def stream(settings: PretrainingConfig, stores: Sequence[TokenStore], length: int, batch: int) -> InstanceStream:
    """Build the source of a phase's sequences.

    Args:
        settings: the settings of the run.
        stores: the corpora.
        length: maximal number of tokens of a sequence.
        batch: sequences in a step.
    """
    recipe, seed = settings.recipe, settings.seed
    return InstanceStream(
        [_sampler(recipe, store, length, seed) for store in stores],
        batch_size=batch,
        seed=seed,
        sampling=settings.sampling,
    )


def open_stores(folders: Sequence[Path], progress: Progress = SILENT) -> list[TokenStore]:
    """Open the token stores of a run and check that none is damaged or empty.

    Args:
        folders: the folders of the stores.
        progress: receives the check of each store.

    Raises:
        BadInput: a store is missing, damaged or empty, or was built with another tokenizer than the first.
    """
    stores = [TokenStore.open(folder).require_intact(progress) for folder in folders]
    for store in stores:
        if not len(store.ids):
            raise BadInput("this corpus holds no text", where=str(store.folder), mend="give files with some text")
        if store.vocabulary.fingerprint != stores[0].vocabulary.fingerprint:
            message = "this corpus was tokenized with another tokenizer than the first one"
            raise BadInput(message, where=str(store.folder), mend="build every store with the same tokenizer")
    return stores


def _sampler(recipe: Recipe, store: TokenStore, length: int, seed: int) -> Sampler:
    if recipe.sequences == "pairs":
        return BertPairs(store=store, length=length, seed=seed)
    if recipe.sequences == "dialogues":
        return DialogueWindows(store=store, length=length, seed=seed)
    if recipe.sequences == "ordered":
        return SentenceOrderPairs(store=store, length=length, seed=seed)
    return PackedTexts(store=store, length=length, seed=seed, across=recipe.sequences == "sentences")


def continued(checkpoint: Checkpoint, recipe: Recipe) -> Encoder:
    """Build an encoder with the config of a checkpoint and the recipe's dropout; the caller must load its weights."""
    return checkpoint.family.build(checkpoint.model.config.with_dropout(recipe.dropout))


def require_reach(settings: PretrainingConfig, checkpoint: Checkpoint) -> None:
    """Check that a model whose pretraining is continued can read the sequences of a run.

    Raises:
        BadInput: the sequences have more tokens than the model has positions; they are pairs or dialogues, and the
            model has no segments; or the model fuses entities and is to be split over processes.
    """
    recipe, config = settings.recipe, checkpoint.model.config
    if settings.sharded and checkpoint.model.body.features:
        mend = "leave --sharded out"
        raise BadInput("a model that fuses entities is not sharded", where=str(settings.initial_model), mend=mend)
    used = [recipe.lengths[0]] * (recipe.first_phase_fraction > 0) + [recipe.lengths[1]] * (
        recipe.first_phase_fraction < 1
    )
    limit = config.position_limit
    if limit is not None and max(used) > limit:
        message = f"the recipe has sequences of {max(used):,} tokens, and this model reads at most {limit:,}"
        raise BadInput(message, where=str(settings.initial_model), mend=f"add --override lengths=128,{limit}")
    if _uses_pairs(settings) and not (config.has_pooler and config.has_segments):
        message = (
            f"sequences={recipe.sequences} trains on sentence pairs, and this model has no pooler or second segment"
        )
        raise BadInput(message, where=str(settings.initial_model), mend="add --override pair_objective=no")
    if recipe.sequences == "dialogues" and not config.has_segments:
        message = "this model has no segment embeddings, which hold the roles of a dialogue"
        raise BadInput(message, where=str(settings.initial_model), mend="continue a BERT, or pretrain one")
