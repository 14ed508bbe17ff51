"""Draw sentences of a treebank for a study, and split them by document into training, held-out and test sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.measures.weighted_sums import Flags, Integers
from wordworth.records import Finding
from wordworth.sentence_formatting import count_of
from wordworth.tasks.formats.data_folders import named_file
from wordworth.text.tokens import Tokens
from wordworth.text.treebank import DependencySentence, Treebank

if TYPE_CHECKING:  # commands look for a treebank before torch is imported
    from wordworth.models.text_encoder import TextEncoder

PUNCTUATION = "punct"
"""The relation of punctuation to its head."""
FEW_DOCUMENTS = 20
"""Number of documents below which studies split and resample sentences in place of documents."""
_SHORT_INTERVALS = 30
"""Number of documents below which a warning says that intervals over them are too short."""
_FOLDER = Path("syntax", "ud")
_HELD_OUT, _FEWEST = 0.1, 8


def treebank_path(treebank: Path | str | None, part: str = "dev") -> Path:
    """Return the path of a treebank.

    Args:
        treebank: a file, or the name of a treebank in `$WORDWORTH_DATA/syntax/ud`, such as `en_ewt`.
        part: if `treebank` is a name, the part of the treebank whose path is returned: `train`, `dev` or `test`.

    Raises:
        BadInput: `treebank` is None, or there is no such file and no such name.
    """
    if treebank is None:
        raise BadInput("no treebank is given", mend="give a file with --treebank, such as one in CoNLL-U")
    return named_file(treebank, _FOLDER / f"{treebank}-ud-{part}.conllu", "treebank")


def is_counted(sentence: DependencySentence) -> Flags:
    """Return which words of a sentence are scored, bool [words]: True for words, False for punctuation."""
    return np.array([relation != PUNCTUATION for relation in sentence.universal_relations])


@dataclass(frozen=True, slots=True)
class DrawnSentences:
    """The sentences that were drawn from a treebank and fit into an encoder's window.

    Attributes:
        sentences: the sentences, in the order of the treebank.
        tokens: the tokens of each sentence.
        too_long: number of drawn sentences that were left out, as they do not fit.
    """

    sentences: Sequence[DependencySentence]
    tokens: Sequence[Tokens]
    too_long: int

    @property
    def documents(self) -> Integers:
        """The index of each sentence's document in the treebank, int64 [sentences]."""
        return np.array([sentence.document for sentence in self.sentences], dtype=np.int64)

    @property
    def word_counts(self) -> Integers:
        """The number of words of each sentence, punctuation excluded, int64 [sentences]."""
        return np.array([is_counted(sentence).sum() for sentence in self.sentences], dtype=np.int64)


def drawn_sentences(encoder: TextEncoder, treebank: Treebank, limit: int, seed: int) -> DrawnSentences:
    """Draw sentences at random, and leave out sentences that are longer than the encoder's window.

    Args:
        encoder: the encoder, with its tokenizer.
        treebank: the treebank.
        limit: largest number of sentences to draw.
        seed: seed of the draw.
    """
    order = seeds.child(seed, "relations", "sentences").permutation(len(treebank.sentences))
    drawn = [treebank.sentences[row] for row in np.sort(order[:limit])]
    read = encoder.tokenizer.encode_words([sentence.words for sentence in drawn])
    fitting = [row for row, tokens in enumerate(read) if len(tokens) <= encoder.max_length]
    return DrawnSentences([drawn[row] for row in fitting], [read[row] for row in fitting], len(drawn) - len(fitting))


def halves(documents: Integers, seed: int) -> tuple[Integers, Integers]:
    """Split sentences into two halves by document: one to choose or train on, the other to test on.

    Args:
        documents: int64 [sentences], the index of each sentence's document.
        seed: seed of the split.

    Returns:
        The indices of the sentences of the first and of the second half, int64.
    """
    names = seeds.child(seed, "relations", "halves").permutation(np.unique(documents))
    choosing = np.isin(documents, names[: len(names) // 2])
    return np.flatnonzero(choosing), np.flatnonzero(~choosing)


@dataclass(frozen=True, slots=True)
class ProbeSplit:
    """A split of sentences for probes; each part is an array of indices of sentences.

    Attributes:
        train: int64 [training], the training sentences.
        held_out: int64 [held_out], the sentences that decide when training stops.
        test: int64 [tests], the test sentences.
    """

    train: Integers
    held_out: Integers
    test: Integers

    @property
    def train_and_held_out(self) -> Integers:
        """The indices of all sentences but the test sentences, int64 [n]: first `train`, then `held_out`."""
        return np.concatenate([self.train, self.held_out])

    @property
    def facts(self) -> dict[str, int]:
        """The numbers of training and of held-out sentences, as entries of a record's description of the data."""
        return {"training": len(self.train), "held_out": len(self.held_out)}


def probe_split(documents: Integers, words: Integers, seed: int, name: str, test: Integers | None = None) -> ProbeSplit:
    """Split sentences by document into a training half, of which a tenth is held out, and a test half.

    Args:
        documents: int64 [sentences], the index of each sentence's document.
        words: int64 [sentences], the number of words of each sentence, punctuation excluded.
        seed: seed of the split.
        name: name of the treebank, for the error message.
        test: int64 [tests], the indices of the test sentences, if they are a treebank of their own; None draws half of
            the documents.

    Raises:
        BadInput: there are too few documents for two halves, or a part has nothing but punctuation.
    """
    if (number := len(np.unique(documents))) < _FEWEST:
        few = count_of(number, "document is", "documents are")
        what = f"{few} too few to train probes on one half and measure them on the other"
        mend = f"give a treebank of {_FEWEST} documents or more"
        raise BadInput(what, where=name, mend=mend)
    if test is None:
        training, test = halves(documents, seed)
    else:
        training = np.setdiff1d(np.arange(len(documents)), test)
    names = seeds.child(seed, "relations", "held out").permutation(np.unique(documents[training]))
    held_out = np.isin(documents[training], names[: max(1, round(_HELD_OUT * len(names)))])
    split = ProbeSplit(training[~held_out], training[held_out], test)
    if not all(words[rows].any() for rows in (split.train, split.held_out, split.test)):
        raise BadInput("a part of the documents has no word but punctuation", where=name, mend="give more sentences")
    return split


def sample_warnings(facts: Mapping[str, int]) -> Iterator[Finding]:
    """Yield warnings about a sample of sentences: sentences left out as too long, and few documents.

    Args:
        facts: `too_long`, the number of sentences left out, and `documents`, the number of documents.
    """
    if left_out := facts["too_long"]:
        text = f"{count_of(left_out, 'sentence')} with more pieces than the encoder reads at once left out."
        yield Finding("warning.long_sentences", text, {"sentences": left_out})
    if facts["documents"] < FEW_DOCUMENTS:
        text = (
            f"The text is of {count_of(facts['documents'], 'document')}: sentences are divided and resampled, so that "
            "nothing is said about other documents."
        )
        yield Finding("warning.documents", text, {"documents": facts["documents"]})
    elif facts["documents"] < _SHORT_INTERVALS:
        text = f"Intervals over so few documents ({facts['documents']}) are too short."
        yield Finding("warning.documents", text, {"documents": facts["documents"]})
