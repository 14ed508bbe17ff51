"""A linear-chain conditional random field over tags (Lafferty et al. 2001; Lample et al. 2016, section 2.2).

Sentences are packed by time (`PackedWords`); `batch_sizes[t]` is the number of sentences that have a word t.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from wordworth.training.pack_words_by_time import PackedWords, viterbi

FORBIDDEN = -1e4
"""Added to the score of a forbidden transition: large enough to rule it out, finite so that no NaN can arise."""


class Crf(nn.Module):
    """A linear-chain CRF with scores for transitions between tags, for the first tag and for the last.

    All scores are initially 0.

    Args:
        tags: number of tags.
        forbidden: bool [tags + 1, tags], True where the column's tag may not follow the row's; the last row is the
            start of a sentence.
    """

    rules: Tensor

    def __init__(self, tags: int, forbidden: NDArray[np.bool_] | None = None) -> None:
        super().__init__()
        self.step = nn.Parameter(torch.zeros(tags, tags))
        self.first = nn.Parameter(torch.zeros(tags))
        self.last = nn.Parameter(torch.zeros(tags))
        banned = np.zeros((tags + 1, tags), dtype=bool) if forbidden is None else forbidden
        self.register_buffer("rules", torch.from_numpy(np.where(banned, FORBIDDEN, 0.0).astype(np.float32)))

    def losses(self, emissions: Tensor, tags: Tensor, batch_sizes: Sequence[int]) -> Tensor:
        """Return minus the log-probability of the tags of each sentence, [sentences].

        Args:
            emissions: [words, tags], the score of each tag at each word; words are in the order of `PackedWords`.
            tags: int64 [words], the index of each word's tag, in the same order.
            batch_sizes: `PackedWords.batch_sizes`: number of sentences that have a first word, a second word, and so
                on.
        """
        return self.log_partition(emissions, batch_sizes) - self.path_score(emissions, tags, batch_sizes)

    def log_partition(self, emissions: Tensor, batch_sizes: Sequence[int]) -> Tensor:
        """Return the log of the sum of exp(score) over all tag sequences of each sentence, [sentences].

        The sum is computed by the forward algorithm.

        Args:
            emissions: [words, tags], the score of each tag at each word; words are in the order of `PackedWords`.
            batch_sizes: `PackedWords.batch_sizes`: number of sentences that have a first word, a second word, and so
                on.
        """
        step = self.step + self.rules[:-1]
        alphas, ended = None, []
        for now in torch.split(emissions, list(batch_sizes)):
            if alphas is None:
                alphas = self.first + self.rules[-1] + now
                continue
            ended.append(alphas[len(now) :])
            alphas = torch.logsumexp(alphas[: len(now), :, None] + step, dim=1) + now
        assert alphas is not None, "there is at least one word"  # noqa: S101 - an empty batch is our mistake
        return torch.logsumexp(torch.cat([alphas, *reversed(ended)]) + self.last, dim=1)

    def path_score(self, emissions: Tensor, tags: Tensor, batch_sizes: Sequence[int]) -> Tensor:
        """Return the score of a given tag sequence of each sentence, [sentences].

        Args:
            emissions: [words, tags], the score of each tag at each word; words are in the order of `PackedWords`.
            tags: int64 [words], the index of each word's tag, in the same order.
            batch_sizes: `PackedWords.batch_sizes`: number of sentences that have a first word, a second word, and so
                on.
        """
        sizes, sentences, num_sentences = torch.tensor(batch_sizes), torch.arange(batch_sizes[0]), batch_sizes[0]
        starts = sizes.cumsum(0) - sizes
        sentence_of_word = torch.arange(len(tags)) - starts.repeat_interleave(sizes)
        previous = torch.arange(num_sentences, len(tags)) - sizes[:-1].repeat_interleave(sizes[1:])
        steps = (self.step + self.rules[:-1])[tags[previous], tags[num_sentences:]]
        final = starts[(sizes[:, None] > sentences).sum(0) - 1] + sentences
        ends = (self.first + self.rules[-1])[tags[:num_sentences]] + self.last[tags[final]]
        words = emissions.gather(1, tags[:, None])[:, 0]
        return ends.index_add(0, sentence_of_word, words).index_add(0, sentence_of_word[num_sentences:], steps)

    @torch.no_grad()
    def decode(self, emissions: Tensor, by_time: PackedWords) -> Tensor:
        """Return the tag indices of each sentence's best tag sequence, int64 [words]; a tie goes to the lower index.

        Args:
            emissions: [words, tags], the score of each tag at each word; words are in the order of `by_time`.
            by_time: the packing of the sentences, which is also the packing of the result.
        """
        scores = emissions.clone()
        scores[by_time.at(0)] += self.first + self.rules[-1]
        step = self.step + self.rules[:-1]
        return torch.from_numpy(viterbi(scores.numpy(), step.numpy(), by_time, self.last.numpy()))


def iob2_forbidden(classes: Sequence[str]) -> NDArray[np.bool_]:
    """Return the transitions between tags that IOB2 forbids, bool [tags + 1, tags], True for a forbidden transition.

    Rows are previous tags, columns next tags; the last row is the start of a sentence. `I-x` may only follow `B-x` or
    `I-x`; other tags may follow any tag.

    Args:
        classes: the tags, such as `B-x`, in the order of rows and columns.
    """
    names = [*classes, ""]
    return np.array(
        [[now.startswith("I-") and before not in {now, f"B-{now[2:]}"} for now in classes] for before in names]
    ).reshape(len(names), len(classes))
