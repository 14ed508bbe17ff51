"""A linear-chain conditional random field over tags (Lafferty et al. 2001; Lample et al. 2016, section 2.2), in logs.

Sentences are packed by time: first the first words of all sentences, longest sentence first, then the second words of
those that have one, and so on; `live[t]` sentences have a word t. Nothing is padded and nothing is masked.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

FORBIDDEN = -1e4
"""Added to the score of a step that may not be: large enough to rule it out, finite so that no NaN can arise."""


class Crf(nn.Module):
    """Scores of a tag after a tag, of the first tag and of the last; all zero at the start.

    Args:
        tags: how many there are.
        forbidden: bool [tags + 1, tags], True where a tag may not follow; the last row is the start of a sentence.
    """

    rules: Tensor

    def __init__(self, tags: int, forbidden: NDArray[np.bool_] | None = None) -> None:
        super().__init__()
        self.step = nn.Parameter(torch.zeros(tags, tags))
        self.first = nn.Parameter(torch.zeros(tags))
        self.last = nn.Parameter(torch.zeros(tags))
        closed = np.zeros((tags + 1, tags), dtype=bool) if forbidden is None else forbidden
        self.register_buffer("rules", torch.from_numpy(np.where(closed, FORBIDDEN, 0.0).astype(np.float32)))

    def losses(self, emissions: Tensor, tags: Tensor, live: Sequence[int]) -> Tensor:
        """Minus the log-probability of each sentence's tags, [sentences].

        Args:
            emissions: [words, tags], packed by time.
            tags: int64 [words], likewise.
            live: sentences alive at each time, never rising, summing to the words.
        """
        return self.log_partition(emissions, live) - self.path_score(emissions, tags, live)

    def log_partition(self, emissions: Tensor, live: Sequence[int]) -> Tensor:
        """Log of the sum over all tag sequences of exp(score), [sentences]: the forward algorithm."""
        step = self.step + self.rules[:-1]
        alphas, ended = None, []
        for now in torch.split(emissions, list(live)):
            if alphas is None:
                alphas = self.first + self.rules[-1] + now
                continue
            ended.append(alphas[len(now) :])
            alphas = torch.logsumexp(alphas[: len(now), :, None] + step, dim=1) + now
        assert alphas is not None, "there is at least one word"  # noqa: S101 - an empty batch is our mistake
        return torch.logsumexp(torch.cat([alphas, *reversed(ended)]) + self.last, dim=1)

    def path_score(self, emissions: Tensor, tags: Tensor, live: Sequence[int]) -> Tensor:
        """Score of each sentence's given tags, [sentences]."""
        at, sentences, count = torch.tensor(live), torch.arange(live[0]), live[0]
        starts = at.cumsum(0) - at
        sentence = torch.arange(len(tags)) - starts.repeat_interleave(at)
        before = torch.arange(count, len(tags)) - at[:-1].repeat_interleave(at[1:])
        steps = (self.step + self.rules[:-1])[tags[before], tags[count:]]
        final = starts[(at[:, None] > sentences).sum(0) - 1] + sentences
        ends = (self.first + self.rules[-1])[tags[:count]] + self.last[tags[final]]
        words = emissions.gather(1, tags[:, None])[:, 0]
        return ends.index_add(0, sentence, words).index_add(0, sentence[count:], steps)

    @torch.no_grad()
    def decode(self, emissions: Tensor, live: Sequence[int]) -> Tensor:
        """The best tags, int64 [words] packed by time (Viterbi 1967); the lower tag number wins a tie."""
        step = self.step + self.rules[:-1]
        steps = torch.split(emissions, list(live))
        best = self.first + self.rules[-1] + steps[0]
        back: list[Tensor] = []
        for now in steps[1:]:
            score, source = (best[: len(now), :, None] + step).max(dim=1)
            back.append(source)
            best = torch.cat([score + now, best[len(now) :]])
        return self._follow(best, back, live)

    def _follow(self, best: Tensor, back: Sequence[Tensor], live: Sequence[int]) -> Tensor:
        tags = (best + self.last).argmax(1)
        path = [tags[: live[-1]]]
        for source, count in zip(reversed(back), reversed(live[:-1]), strict=True):
            tags = torch.cat([source.gather(1, tags[: len(source), None])[:, 0], tags[len(source) :]])
            path.append(tags[:count])
        return torch.cat(path[::-1])


def iob2_forbidden(classes: Sequence[str]) -> NDArray[np.bool_]:
    """Which tag may not follow which in IOB2, bool [tags + 1, tags]: `I-x` follows `B-x` or `I-x` only.

    The last row is the start of a sentence. Tags of no such form are free.
    """
    names = [*classes, ""]
    return np.array(
        [[now.startswith("I-") and before not in {now, f"B-{now[2:]}"} for now in classes] for before in names]
    ).reshape(len(names), len(classes))
