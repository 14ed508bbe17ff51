"""`Subject`: the model that is tested, with its language model head, and its twin with random weights."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.models.encoder_base import Encoder
from wordworth.models.encoder_fingerprint import vectors_key
from wordworth.models.language_model import LanguageModel, language_model_head
from wordworth.models.lm_heads import word_table
from wordworth.models.load import load
from wordworth.models.random_weights_copy import random_head, random_twin
from wordworth.models.text_encoder import TextEncoder
from wordworth.models.transformer import Transformer
from wordworth.progress import Progress
from wordworth.studies.commonsense.attention_scores import attention_scores
from wordworth.studies.commonsense.cached_scores import cached_scores
from wordworth.studies.commonsense.candidate_mentions import FIRST, NEAREST, Mentions
from wordworth.studies.commonsense.items import Choice, ChoiceSet
from wordworth.studies.commonsense.likelihood_scores import ALONE, likelihood_scores
from wordworth.studies.commonsense.option_scores import Answers, Scores
from wordworth.studies.study_result_cache import FinishedParts
from wordworth.tasks.formats.pronoun_gaps import BLANKS
from wordworth.text.tokenizer import Tokenizer


@dataclass(frozen=True, slots=True)
class Subject:
    """The model that is tested, and a model of the same shape with random weights.

    Attributes:
        encoder: the model with its tokenizer.
        twin: an encoder of the same shape with random weights, the control.
        language, language_twin: the model and the control with a language model head; None for a model without one.
        no_head: the reason why the model has no language model head, for messages; "" if it has a head.
    """

    encoder: TextEncoder
    twin: Encoder
    language: LanguageModel | None
    language_twin: LanguageModel | None
    no_head: str = ""

    @classmethod
    def of(cls, name: str, seed: int) -> Subject:
        """Load a model by its name or folder, and make a model of the same shape with random weights.

        Args:
            name: name or folder of the model.
            seed: seed of the random weights.

        Raises:
            BadInput: there is no such model, or it has neither attention nor a language model head.
        """
        encoder = load(name, hash_whole=True)
        if not isinstance(encoder, TextEncoder):
            raise BadInput("this table reads no context", where=name, mend="name an encoder, such as mini")
        twin = random_twin(encoder.model, seeds.child_seed(seed, "commonsense", "random"))
        try:
            language = _language_model(encoder)
        except BadInput as error:
            if not isinstance(encoder.model, Transformer):
                mend = "name a transformer or a language model, such as mini"
                raise BadInput(f"no attention, and {error.what}", where=name, mend=mend) from error
            return cls(encoder, twin, None, None, error.what)
        head = random_head(language.head, encoder.model, seeds.child_seed(seed, "commonsense", "head"))
        return cls(encoder, twin, language, replace(language, encoder=twin, head=head))

    @property
    def has_attention(self) -> bool:
        """True if the model has attention weights."""
        return isinstance(self.encoder.model, Transformer)

    @property
    def reads(self) -> str:
        """How the model reads a text: `masked` (as BERT), `causal` (left to right) or `bidirectional` (both ways)."""
        return self.encoder.model.config.reads

    def fitting(self, items: ChoiceSet) -> ChoiceSet:
        """Return a data set without the items that have a text too long for the model."""
        texts = [text for item in items.items for text in (*item.texts, item.before + item.pronoun + item.after)]
        lengths = iter([len(tokens) + 1 for tokens in self.encoder.tokenizer.encode(texts)])  # GPT-2 adds a token
        longest = [max([next(lengths) for _ in range(len(item.options) + 1)]) for item in items.items]
        most = self.encoder.max_length
        return replace(items, items=[item for item, each in zip(items.items, longest, strict=True) if each <= most])

    def finished_parts(self, progress: Progress, seed: int) -> FinishedParts:
        """Return the disk cache of the results of a study of this model.

        Args:
            progress: receives a note when results of an earlier call are read.
            seed: the seed of the random weights.
        """
        head = () if self.language is None else self.language.head.state_dict().values()
        weights = [value.detach().cpu().numpy().tobytes() for value in head]
        return FinishedParts.of("commonsense", progress, vectors_key(self.encoder), *weights, seed)

    def answers(self, items: ChoiceSet, parts: FinishedParts) -> Answers:
        """Return the scores of a data set's options by every method that suits the model and the kind of items.

        If no method can score the items with this model, simple rules give no scores either.

        Args:
            items: the data set.
            parts: the disk cache of results; its `progress` receives the progress of reading.
        """
        own: dict[str, Scores] = {}
        random: dict[str, Scores] = {}
        rules: dict[str, Scores] = {}
        if items.kind == "pronouns":
            mentions = [self._mentions(item) for item in items.items]
            rules[NEAREST] = [None if each is None else each.nearest_scores() for each in mentions]
            rules[FIRST] = [None if each is None else each.first_scores() for each in mentions]
            if self.has_attention:
                own |= self._attention(self.encoder.model, items, mentions, parts)
                random |= self._attention(self.twin, items, mentions, parts, ", random weights")
        if self.language is not None and self.language_twin is not None:
            read = partial(likelihood_scores, self.language, items, parts.progress)
            own |= cached_scores(parts, items, "likelihood", read)
            of_twin = partial(likelihood_scores, self.language_twin, items, parts.progress, twin=True)
            random |= cached_scores(parts, items, "likelihood, random weights", of_twin)
        controls = frozenset((*rules, *({ALONE} & own.keys())))
        return Answers(items, own | rules if own else {}, random, controls)

    def _attention(
        self, model: Encoder, items: ChoiceSet, mentions: list[Mentions | None], parts: FinishedParts, of: str = ""
    ) -> dict[str, Scores]:
        """Return name of each direction -> the attention scores of a model, cached.

        Args:
            model: the tested model, or its twin with random weights.
            items: the data set.
            mentions: the positions of pronoun and candidates in each item.
            parts: the disk cache of results.
            of: suffix that names the model in progress and in the cache.
        """

        def read() -> dict[str, Scores]:
            total = sum(each is not None for each in mentions)
            with parts.progress.step(f"attention, {items.name}{of}", total) as step:
                return attention_scores(model, self.encoder.tokenizer, mentions, step)

        return cached_scores(parts, items, f"attention{of}", read)

    def _mentions(self, item: Choice) -> Mentions | None:
        """Return the positions of pronoun and candidates in an item; None if they are not found.

        A blank in the place of the pronoun is replaced by the mask token; the result is None for a model without one.
        """
        mask = self.encoder.tokenizer.special_tokens.get("mask")
        written = mask if item.pronoun in BLANKS else item.pronoun
        return Mentions.of(item, written) if written else None


def _language_model(encoder: TextEncoder) -> LanguageModel:
    reads, head = language_model_head(encoder.checkpoint, encoder.name)
    word_table(encoder.model)
    tokenizer = encoder.tokenizer
    if not isinstance(tokenizer, Tokenizer):
        raise BadInput("this model has no pieces to predict", where=encoder.name)
    return LanguageModel(name=encoder.name, encoder=encoder.model, head=head, reads=reads, tokenizer=tokenizer)
