"""From settings to the parts of a run: encoder, objectives, streams."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from wordworth.errors import BadInput
from wordworth.models.bert import BertConfig, bert
from wordworth.models.bilm import BilmConfig, bilm, matched
from wordworth.models.checkpoint import Checkpoint
from wordworth.models.elmo import ElmoConfig
from wordworth.models.encoder_module import EncoderConfig, EncoderModule
from wordworth.models.gpt2 import Gpt2Config, gpt2
from wordworth.models.model_sizes import shape
from wordworth.models.transformer import TransformerConfig
from wordworth.text.corpus.instance_stream import InstanceStream
from wordworth.text.corpus.samplers.base import Sampler
from wordworth.text.corpus.samplers.bert_pairs import BertPairs
from wordworth.text.corpus.samplers.packed import PackedTexts
from wordworth.text.corpus.samplers.sentence_order import SentenceOrderPairs
from wordworth.text.corpus.store import TokenStore
from wordworth.text.corpus.vocabulary_info import Vocabulary
from wordworth.text.tokenizer import Tokenizer
from wordworth.training.objectives.anisotropy import AnisotropyPenalty
from wordworth.training.objectives.bidirectional_lm import ForwardBackward
from wordworth.training.objectives.causal import CausalLanguageModel
from wordworth.training.objectives.masking.phrases import Phrases
from wordworth.training.objectives.masking.sampling import MaskingUnit
from wordworth.training.objectives.masking.span import Spans
from wordworth.training.objectives.masking.token import SingleTokens
from wordworth.training.objectives.masking.whole_word import WholeWords
from wordworth.training.objectives.mlm import MaskedLanguageModel, Rates
from wordworth.training.objectives.nsp import NextSentence
from wordworth.training.objectives.objective import Objective
from wordworth.training.objectives.sentence_order import SentenceOrder
from wordworth.training.pretraining.batches import Phase
from wordworth.training.pretraining.config import Architecture, PretrainingConfig
from wordworth.training.pretraining.recipe import Recipe, Unit

_UNITS: dict[Unit, Callable[[], MaskingUnit]] = {"token": SingleTokens, "word": WholeWords, "span": Spans}


def encoder(settings: PretrainingConfig, vocabulary: Vocabulary) -> EncoderModule:
    """The encoder of a run, its weights still to be drawn.

    Raises:
        BadInput: there is no such shape, or the architecture does not go with the recipe.
    """
    named, recipe = shape(settings.shape), settings.recipe
    rows = -(-vocabulary.vocab_size // recipe.multiple) * recipe.multiple
    shared: dict[str, Any] = {
        "vocab_size": rows,
        "norm": recipe.norm,
        "activation": recipe.activation,
        "dropout": recipe.dropout,
        "attention_dropout": recipe.dropout,
        "initializer_range": recipe.initial_spread(named.width),
        "max_positions": max(512, *recipe.lengths),
        **named.fields,
    }
    if settings.architecture == "bilm":
        return bilm(matched(BertConfig(**shared)))
    if settings.architecture == "gpt":
        return gpt2(Gpt2Config(**{**shared, "norm": "pre"}))
    shared |= {"positions": recipe.positions, "biases": recipe.biases, "gated": recipe.gated}
    if recipe.gated:
        shared["intermediate_size"] = 8 * round(named.fields["intermediate_size"] / 12)
    return bert(BertConfig(**shared, pooler=_asks_pairs(settings), causal=settings.architecture == "causal-bert"))


def architecture_of(config: EncoderConfig, folder: Path) -> Architecture:
    """What `encoder` would have had to be asked for to build the model of this config.

    Raises:
        BadInput: it reads characters and knows no pieces.
    """
    if isinstance(config, ElmoConfig):
        mend = "give a model that reads pieces, such as one of `wordworth pretrain --architecture bilm`"
        raise BadInput("this model reads characters, and goes on with pieces only", where=str(folder), mend=mend)
    if isinstance(config, BilmConfig):
        return "bilm"
    if isinstance(config, Gpt2Config):
        return "gpt"
    return "causal-bert" if isinstance(config, TransformerConfig) and config.causal else "bert"


def objectives(settings: PretrainingConfig, store: TokenStore) -> Sequence[Objective]:
    """What the run learns.

    Raises:
        BadInput: the lexicon cannot be read.
    """
    weight = settings.recipe.anisotropy
    penalty = [AnisotropyPenalty(vocabulary=store.vocabulary, weight=weight)] if weight else []
    return [*_asked(settings, store), *penalty]


def _asked(settings: PretrainingConfig, store: TokenStore) -> Sequence[Objective]:
    """What the model is asked for."""
    if settings.architecture == "bilm":
        return [ForwardBackward()]
    if settings.architecture in {"gpt", "causal-bert"}:
        return [CausalLanguageModel()]
    recipe = settings.recipe
    rates = Rates(share=recipe.masking, mask=recipe.mask, random=recipe.random)
    lexicon = None if settings.lexicon is None else Phrases.read(settings.lexicon, store.tokenizer)
    masked = MaskedLanguageModel(vocabulary=store.vocabulary, rates=rates, candidates=lexicon or _UNITS[recipe.unit]())
    if not _asks_pairs(settings):
        return [masked]
    return [masked, NextSentence() if recipe.sequences == "pairs" else SentenceOrder()]


def phases(settings: PretrainingConfig, stores: Sequence[TokenStore]) -> list[Phase]:
    """The streams of a run's phases: longest sequences and batches change from one to the next."""
    recipe = settings.recipe
    sizes = [(begins, recipe.length_at(begins), recipe.batch_at(begins)) for begins in recipe.turns]
    return [Phase(begins, stream(settings, stores, *size), *size) for begins, *size in sizes]


def stream(settings: PretrainingConfig, stores: Sequence[TokenStore], length: int, batch: int) -> InstanceStream:
    """The sequences of a phase."""
    recipe, seed = settings.recipe, settings.seed
    return InstanceStream(
        [_generator(recipe, store, length, seed) for store in stores],
        batch_size=batch,
        seed=seed,
        sampling=settings.sampling,
    )


def open_stores(folders: Sequence[Path]) -> list[TokenStore]:
    """The stores, once each holds something.

    Raises:
        BadInput: one is missing, damaged or empty, or was built with another tokenizer than the first.
    """
    stores = [TokenStore.open(folder) for folder in folders]
    for store in stores:
        if not len(store.ids):
            raise BadInput("this corpus holds no text", where=str(store.folder), mend="give files with some text")
        if store.vocabulary.fingerprint != stores[0].vocabulary.fingerprint:
            said = "this corpus was brought to tokens with another tokenizer than the first one"
            raise BadInput(said, where=str(store.folder), mend="build every store with the same tokenizer")
    return stores


def _asks_pairs(settings: PretrainingConfig) -> bool:
    recipe = settings.recipe
    return recipe.ask_pairs and recipe.sequences in {"pairs", "ordered"} and settings.architecture == "bert"


def _generator(recipe: Recipe, store: TokenStore, length: int, seed: int) -> Sampler:
    if recipe.sequences == "pairs":
        return BertPairs(store=store, length=length, seed=seed)
    if recipe.sequences == "ordered":
        return SentenceOrderPairs(store=store, length=length, seed=seed)
    return PackedTexts(store=store, length=length, seed=seed, across=recipe.sequences == "sentences")


def continued(start: Checkpoint, recipe: Recipe) -> EncoderModule:
    """An encoder like that of a checkpoint, with the dropout of the recipe."""
    config = start.model.config
    if isinstance(config, BilmConfig):
        return start.family.build(replace(config, dropout=recipe.dropout))
    assert isinstance(config, TransformerConfig)  # noqa: S101 - every other family's is one
    return start.family.build(replace(config, dropout=recipe.dropout, attention_dropout=recipe.dropout))


def require_fit(store: TokenStore, folder: Path) -> None:
    """Make sure that a checkpoint knows the pieces of a store.

    Raises:
        BadInput: the store was built with another tokenizer than lies beside the checkpoint.
    """
    both = Tokenizer.read(folder), store.tokenizer
    if len({tokenizer.without_end_mark().fingerprint for tokenizer in both}) > 1:  # a left-to-right model's lacks it
        raise BadInput(
            "the corpus was brought to tokens with another tokenizer than this model's",
            where=str(folder),
            mend="build the store with the model's tokenizer, or let `wordworth adapt` do so",
        )


def require_reach(settings: PretrainingConfig, start: Checkpoint) -> None:
    """Make sure that a checkpoint can read the sequences of a run.

    Raises:
        BadInput: they are longer than it has positions, or it is asked about pairs and knows no second text.
    """
    recipe, config = settings.recipe, start.model.config
    used = [recipe.lengths[0]] * (recipe.phases > 0) + [recipe.lengths[1]] * (recipe.phases < 1)
    if isinstance(config, TransformerConfig) and max(used) > config.max_length:
        said = f"sequences of {max(used):,} tokens are asked for, and this model reads {config.max_length:,}"
        raise BadInput(said, where=str(settings.start), mend=f"add --with lengths=128,{config.max_length}")
    if _asks_pairs(settings) and not (isinstance(config, BertConfig) and config.pooler and config.segments > 1):
        said = f"sequences={recipe.sequences} asks how two texts stand to each other, and this model has no part for it"
        raise BadInput(said, where=str(settings.start), mend="add --with ask_pairs=no")
