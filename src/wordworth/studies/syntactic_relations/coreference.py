"""Attention heads that find the antecedent of a pronoun (Clark et al. 2019, section 4.3), compared with two rules.

A sentence has several candidates for the antecedent. Each head is read in two directions: the head chooses the
candidate that the pronoun attends to most, or the candidate that attends to the pronoun most. The attention of a
candidate is that of the candidate's last word.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wordworth.errors import BadInput
from wordworth.measures.bootstrap import Resamples
from wordworth.measures.weighted_sums import Integers
from wordworth.models.encoder_base import Encoder
from wordworth.models.pruning import Heads
from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import Progress, Step
from wordworth.records import Finding, Table
from wordworth.sentence_formatting import count_of, percent, signed_with_range
from wordworth.studies.syntactic_relations.attention_head_selection import Counts, selected_maps
from wordworth.studies.syntactic_relations.pronoun_sentences import PronounSentence, PronounSet
from wordworth.studies.syntactic_relations.tables import RELATIONS, columns_of
from wordworth.studies.word_attention import word_attention
from wordworth.text.tokens import Tokens

BASELINES = ("nearest candidate", "first candidate")
COREFERENCE = {
    "sentences": "number of sentences measured, in the half that did not choose the head",
    **{name: RELATIONS[name] for name in ("layer", "head")},
    "direction": "from pronoun: the candidate it attends to most; to pronoun: the one that attends most to it",
    "accuracy": "share of pronouns for which the head finds the right candidate",
    "low": "of its 95 % interval, over sets of candidates",
    "high": "of its 95 % interval",
    "rule": "the better of two rules, the nearest and the first candidate, chosen in the same way",
    "rule_accuracy": "share of pronouns for which it is right",
    "rule_low": "of its 95 % interval",
    "rule_high": "of its 95 % interval",
    "random_accuracy": "share that the best attention head of an encoder with random weights finds",
    "random_low": "of its 95 % interval",
    "random_high": "of its 95 % interval",
    "gap": "accuracy less that of the rule",
    "gap_low": "of its 95 % interval, on the same draws",
    "gap_high": "of its 95 % interval",
    "ahead": "whether the interval of the gap is above 0",
    "chance": "share that guessing among the candidates finds, over all sentences",
    "on_choosing_half": "accuracy of the best attention head on the half that chose it",
}


@dataclass(frozen=True, slots=True)
class PronounInputs:
    """Sentences with pronouns that fit into the encoder's window.

    Attributes:
        sentences: the sentences with a pronoun.
        tokens: the tokens of each sentence.
        left_out: number of rows of the file that were left out as unusable or too long.
    """

    sentences: Sequence[PronounSentence]
    tokens: Sequence[Tokens]
    left_out: int

    @classmethod
    def of(cls, encoder: TextEncoder, pronouns: PronounSet) -> PronounInputs:
        """Tokenize sentences with pronouns, and return the ones that fit into the encoder's window."""
        tokens = encoder.tokenizer.encode_words([sentence.words for sentence in pronouns.sentences])
        fitting = [row for row, read in enumerate(tokens) if len(read) <= encoder.max_length]
        sentences = [pronouns.sentences[row] for row in fitting]
        return cls(sentences, [tokens[row] for row in fitting], pronouns.rows - len(fitting))


def coreference_table(
    inputs: PronounInputs, models: tuple[Encoder, Encoder], heads: Heads, resamples: Resamples, progress: Progress
) -> Table:
    """Return the table `coreference`, whose one row has the best attention head for finding a pronoun's antecedent.

    The row also has the best simple rule, and the best head of random weights.

    Args:
        inputs: the sentences with pronouns.
        models: the encoder, and an encoder of the same shape with random weights.
        heads: (layer, head) of each attention head, from 0, layer by layer.
        resamples: the bootstrap resamples: their number, and the seed.
        progress: shows the progress of reading attention.

    Raises:
        BadInput: the sentences are too few to choose a head on one half of them and to measure it on the other half.
            Sentences with the same candidates are kept in one half.
    """
    with progress.step("reading attention of pronouns", 2 * len(inputs.sentences)) as step:
        own, random = (_right(model, inputs, step) for model in models)
    rules, groups = _rules(inputs.sentences), np.array([sentence.group for sentence in inputs.sentences])
    counts = Counts(own, random, rules, np.ones((len(groups), 1), np.int64), groups)
    selected = selected_maps(counts, 2, resamples.draws, resamples.seed)
    if not selected:
        what = f"{count_of(len(groups), 'sentence')} with pronouns are too few for two halves"
        raise BadInput(what, mend="give more sets of candidates")
    (best,) = selected
    where = columns_of(best.map, heads)
    row = where | {"sentences": best.words, "direction": where["direction"].replace("dependent", "pronoun")}
    for name, prefix, (value, ends) in (
        ("accuracy", "", best.accuracy),
        ("rule_accuracy", "rule_", best.offset_accuracy),
        ("random_accuracy", "random_", best.random_accuracy),
        ("gap", "gap_", best.gap),
    ):
        row |= {name: value, **ends.columns(prefix)}
    chance = float(np.mean([1 / len(sentence.candidates) for sentence in inputs.sentences]))
    row |= {
        "rule": BASELINES[best.offset],
        "ahead": best.is_ahead,
        "chance": chance,
        "on_choosing_half": best.optimistic,
    }
    return Table.of([row], COREFERENCE)


def _right(model: Encoder, inputs: PronounInputs, step: Step) -> Integers:
    """Return 1 where a map finds the right candidate, else 0, int64 [sentences, maps, 1].

    A map is an attention head read in one direction; maps are ordered by layer, head and direction. The last axis
    stands for the relations of `Counts`, of which there is one here.
    """
    flags = []
    maps = word_attention(model, inputs.tokens, [len(sentence.words) for sentence in inputs.sentences], step)
    for attention, sentence in zip(maps, inputs.sentences, strict=True):
        heads_of_candidates = list(sentence.candidates)
        both = np.stack(
            [attention[:, sentence.pronoun, heads_of_candidates], attention[:, heads_of_candidates, sentence.pronoun]],
            1,
        )
        flags.append(both.argmax(2).reshape(-1, 1) == sentence.answer)
    return np.array(flags).astype(np.int64)


def _rules(sentences: Sequence[PronounSentence]) -> Integers:
    """Return 1 where a rule of `BASELINES` finds the right candidate, else 0, int64 [sentences, rules, 1].

    The last axis stands for the relations of `Counts`, of which there is one here.
    """
    flags = []
    for sentence in sentences:
        heads_of_candidates = np.array(sentence.candidates)
        chosen = (np.abs(heads_of_candidates - sentence.pronoun).argmin(), heads_of_candidates.argmin())
        flags.append([[int(number == sentence.answer)] for number in chosen])
    return np.array(flags)


def coreference_sentence(row: Mapping[str, Any]) -> str:
    """Return the sentence of the verdict on pronouns, from the one row of the table `coreference`."""
    whole = "ahead of" if row["ahead"] else "behind" if row["gap_high"] < 0 else "not told apart from"
    return (
        f"Of pronouns the best head, {row['layer']}-{row['head']}, finds {percent(row['accuracy'])}, {whole} the rule "
        f"of the {row['rule']}, {percent(row['rule_accuracy'])}: "
        f"{signed_with_range(row['gap'], row['gap_low'], row['gap_high'])}."
    )


def coreference_method(inputs: PronounInputs) -> Iterator[Finding]:
    """Yield the finding that says how attention heads were measured on pronouns."""
    yield Finding(
        "method.coreference",
        f"{count_of(len(inputs.sentences), 'sentence')} with a pronoun and its candidates; "
        f"{inputs.left_out:,} more are left out, too long or without the pronoun and each candidate exactly once. A "
        "head is right where, of all candidates, the right one has most attention at its last word. Head and rule are "
        "chosen on half of the sets of candidates and measured on the other; intervals are over sets.",
    )
