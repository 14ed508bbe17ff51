"""Masked language modelling: predict the original tokens at the chosen positions (Devlin et al. 2019, 3.1, task 1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from torch import nn

from wordworth.errors import BadInput
from wordworth.models.encoder_base import Encoder
from wordworth.models.families import family_of
from wordworth.text.corpus.pretraining_sequences import Instances
from wordworth.text.corpus.token_store import TokenStore, Vocabulary
from wordworth.training.loop import Loss
from wordworth.training.objectives.masking.lexicon_files import read_phrases
from wordworth.training.objectives.masking.mask_sampling import MaskingUnit, Text, sample_groups
from wordworth.training.objectives.masking.masking_units import SingleTokens, Spans, WholeWords
from wordworth.training.objectives.masking.phrases import Phrases
from wordworth.training.objectives.objective import (
    ModelOutput,
    Numbers,
    Objective,
    ObjectiveContext,
    Targets,
    vocabulary_loss,
)
from wordworth.training.pretraining.recipe import Unit

_UNITS: Mapping[Unit, Callable[[], MaskingUnit]] = {"token": SingleTokens, "word": WholeWords, "span": Spans}
UNMASKED_ROLES = ("cls", "sep", "pad", "mask")
"""Roles of special tokens that are never masked; [UNK] stands for text and may be, as in the original."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Rates:
    """The rates of masked language modelling: the share of tokens to predict, and what replaces them.

    Attributes:
        share: fraction of a sequence's tokens (special ones counted) to predict: `max(1, round(share * length))`,
            halves to even.
        mask: fraction of the chosen tokens that become [MASK].
        random: fraction of the chosen tokens that become a subword drawn from the whole vocabulary, special tokens
            included; all other chosen tokens are unchanged.
        most: maximal number of predicted positions in a sequence; None sets no bound. The original code sets one that
            fits its sequence length (20 for 128 tokens, 77 for 512).
    """

    share: float = 0.15
    mask: float = 0.8
    random: float = 0.1
    most: int | None = None

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1:
            raise BadInput(
                f"masking share {self.share} is out of range", mend="give more than 0 and at most 1; 0.15 is usual"
            )
        if min(self.mask, self.random) < 0 or self.mask + self.random > 1 + 1e-9:
            message = f"mask={self.mask} and random={self.random} are out of range"
            raise BadInput(message, mend="give shares of 0 or more that add up to at most 1; 0.8 and 0.1 are usual")

    def quota(self, lengths: NDArray[np.integer[Any]]) -> Numbers:
        """Return the number of positions to predict in sequences of these lengths in tokens, int64 [n].

        >>> Rates().quota(np.array([3, 10, 30, 50, 128, 512])).tolist()
        [1, 2, 4, 8, 19, 77]
        """
        counts: Numbers = np.maximum(1, np.rint(self.share * lengths)).astype(np.int64)
        return counts if self.most is None else np.minimum(counts, np.int64(self.most))

    def replacements(self, ids: Numbers, fate: NDArray[np.float64], drawn: Numbers, mask: int) -> Numbers:
        """Return what replaces the chosen tokens, int64 [n]: the mask, a random id, or the token's own id.

        Args:
            ids: int64 [n], the ids of the chosen tokens.
            fate: float64 [n], uniform random numbers from 0 to 1, which decide between the three replacements.
            drawn: int64 [n], ids drawn at random from the vocabulary.
            mask: id of the mask.
        """
        other = np.where(fate < self.mask + self.random, drawn, ids)
        return np.where(fate < self.mask, mask, other)


@dataclass(frozen=True, kw_only=True)
class MaskedLanguageModel(Objective):
    """The objective of masked language modelling: predict the masked tokens.

    Logits are computed at the positions of these tokens only.

    Attributes:
        vocabulary: the vocabulary of the masked subwords.
        rates: the share of tokens that are masked, and what replaces them.
        masking_unit: the rule for which tokens are masked together.
    """

    vocabulary: Vocabulary
    rates: Rates = field(default_factory=Rates)
    masking_unit: MaskingUnit = field(default_factory=SingleTokens)
    name: str = "mlm"
    head_name: str = "mlm"
    unmasked_roles: ClassVar[tuple[str, ...]] = UNMASKED_ROLES

    @classmethod
    def build(cls, context: ObjectiveContext) -> Self:
        """Build the objective for a run with the recipe's rates and masking unit.

        If the run has a lexicon, its phrases are the masking unit instead.

        Raises:
            BadInput: an option or the lexicon is invalid.
        """
        recipe, store, lexicon = context.config.recipe, context.store, context.config.lexicon
        rates = Rates(share=recipe.mlm_probability, mask=recipe.mask_replace_prob, random=recipe.random_replace_prob)
        options = context.parse_options(cls, ("vocabulary", "rates", "masking_unit"))
        if lexicon is None:
            units: MaskingUnit = _UNITS[recipe.masking_unit]()
        else:
            units = read_phrases(lexicon, store.tokenizer, map(TokenStore.open, context.config.stores))
        return cls(vocabulary=store.vocabulary, rates=rates, masking_unit=units, **options)

    def prepare(self, instances: Instances, rng: np.random.Generator) -> tuple[Instances, Targets]:
        """Return the instances with masked ids, and the masked positions with the original ids as labels."""
        word_starts = self.vocabulary.word_starts.find(instances.ids)
        text = Text.read(instances.ids, instances.starts, self._special(), word_starts)
        groups = self.masking_unit.groups(text, rng)
        chosen = groups.take(sample_groups(groups, text.starts, self.rates.quota(np.diff(text.starts)), rng))
        positions, owner = chosen.tokens()
        ids = instances.ids.copy()
        ids[positions] = self._replacements(instances.ids[positions], owner, rng)
        return replace(instances, ids=ids), Targets(positions, instances.ids[positions])

    def head(self, encoder: Encoder) -> nn.Module:
        """Return a head over the vocabulary, built as in the encoder's family; BERT's has a transform and a bias.

        Raises:
            BadInput: the model is causal, and would not see what follows a masked token.
        """
        if encoder.config.reads != "masked":
            raise BadInput(
                f"masks are for models like BERT, and this one is {encoder.config.reads}", mend="use another"
            )
        return family_of(encoder.config.model_type).lm_head(encoder.config, {})

    def loss(self, head: nn.Module, output: ModelOutput, targets: Targets) -> Loss:
        """Return the cross-entropy over the vocabulary at the masked positions.

        Args:
            head: maps states to logits.
            output: the output of the encoder for the batch.
            targets: the masked positions and their tokens.
        """
        return vocabulary_loss(head, output, targets)

    def identity(self) -> Mapping[str, Any]:
        """Return how the tokens of phrases are replaced, as a value that must be unchanged for a run to resume."""
        return {"phrase_replacement": "by token"} if isinstance(self.masking_unit, Phrases) else {}

    def _special(self) -> NDArray[np.bool_]:
        special = np.zeros(self.vocabulary.vocab_size, dtype=np.bool_)
        ids = self.vocabulary.special_ids
        special[[ids[role] for role in self.unmasked_roles if role in ids]] = True
        return special

    def _replacements(self, ids: Numbers, owner: Numbers, rng: np.random.Generator) -> Numbers:
        """Return what replaces each of the chosen ids, int64 [n]: the id of [MASK], a random id or the id itself.

        `owner`, int64 [n], is the index of each token's group of tokens that are masked together.
        """
        fate = rng.random(len(ids))
        fate = fate[owner] if self.masking_unit.together else fate
        drawn = rng.integers(self.vocabulary.vocab_size, size=len(ids))
        return self.rates.replacements(ids, fate, drawn, self.vocabulary.special_ids["mask"])
