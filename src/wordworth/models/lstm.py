"""LSTMs with a projection, two of them side by side over packed sequences (Sak et al. 2014, arXiv 1402.1128).

torch's own `nn.LSTM` with `proj_size` has no fast kernel on a CPU, cannot clip, and over packed sequences its gradient
takes time that grows with the square of the length. Here all that does not depend on the step before is one product
over all tokens, forward and backward; what does depend on it goes through time once for both directions.
`written_out` is the specification.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable
from torch.nn import functional

_EXACT = torch.float32


@dataclass(frozen=True, kw_only=True, slots=True)
class Clips:
    """Largest absolute values, as ELMo has them (bilm-tf: 3 and 3); None clips nothing.

    Attributes:
        cell: of a cell's memory, clipped at each step.
        projection: of a state, likewise.
    """

    cell: float | None = None
    projection: float | None = None


class Direction(nn.Module):
    """The weights of one LSTM; the gates stand in the order input, forget, candidate, output.

    A forget gate's bias counts one more than it says, as in TensorFlow's cell: a fresh cell remembers.
    """

    def __init__(self, inputs: int, cell_size: int, projection_size: int) -> None:
        super().__init__()
        self.input = nn.Linear(inputs, 4 * cell_size)
        self.recurrent = nn.Linear(projection_size, 4 * cell_size, bias=False)
        self.projection = nn.Linear(cell_size, projection_size, bias=False)

    @property
    def forget_offset(self) -> Tensor:
        """[4 * cell_size]: what the forget gate gets beyond its bias."""
        offset = torch.zeros_like(self.input.bias).view(4, -1)
        offset[1] = 1
        return offset.flatten()


@dataclass(frozen=True, slots=True)
class Order:
    """How packed sequences are walked through step by step, the longest first, from the left and from the right.

    Attributes:
        walk: int64 [2, tokens], the token read at each place of the walk, by the first direction and the second.
        back: int64 [2, tokens], the place in the walk of each token.
        before: int64 [tokens], the place of the step before in the walk; for a first step a row past the walk's end,
            where what its sequence begins with stands.
        bounds: where each step begins in the walk, and its end.
        sequences: int64 [sequences], the longest first.
        last: int64 [sequences], in this order, the place of each one's last step; of an empty one its row past the end.
    """

    walk: Tensor
    back: Tensor
    before: Tensor
    bounds: tuple[int, ...]
    sequences: Tensor
    last: Tensor

    def preceding(self, step: int) -> slice:
        """The places of the step before, of those sequences that go on; the rows past the end before the first."""
        first = self.bounds[step - 1] if step else self.bounds[-1]
        return slice(first, first + self.bounds[step + 1] - self.bounds[step])

    @classmethod
    def of(cls, starts: Tensor) -> Order:
        """The order for sequences that start at `starts` [sequences + 1]."""
        firsts, lengths = starts[:-1].long(), (starts[1:] - starts[:-1]).long()
        longest_first = torch.argsort(lengths, descending=True, stable=True)
        firsts, lengths = firsts[longest_first], lengths[longest_first]
        longest = int(lengths.max()) if len(lengths) else 0
        steps = torch.arange(longest, device=starts.device)[:, None]
        active = steps < lengths
        walk = torch.stack([(firsts + steps)[active], (firsts + lengths - 1 - steps)[active]])
        sizes = active.sum(1)
        bounds = torch.cat([sizes.new_zeros(1), sizes.cumsum(0)])
        step = torch.arange(longest, device=starts.device).repeat_interleave(sizes)
        row = torch.arange(len(step), device=starts.device) - bounds[step]
        before = bounds[step - 1] + row
        last = bounds[lengths - 1] + torch.arange(len(lengths), device=starts.device)
        return cls(walk, walk.argsort(1), before, tuple(bounds.tolist()), longest_first, last)


class Held(NamedTuple):
    """What the two directions of a layer hold of each sequence, no gradient with it.

    Attributes:
        states: [2, sequences, projection_size].
        cells: float32 [2, sequences, cell_size].
    """

    states: Tensor
    cells: Tensor


class Pair(nn.Module):
    """An LSTM from the left and one from the right, with nothing in common."""

    def __init__(self, inputs: int, cell_size: int, projection_size: int, clips: Clips) -> None:
        super().__init__()
        self.clips = clips
        self.left_to_right = Direction(inputs, cell_size, projection_size)
        self.right_to_left = Direction(inputs, cell_size, projection_size)

    def forward(self, x: Tensor, order: Order) -> Tensor:
        """[2, tokens, projection_size] from [2, tokens, inputs], both in the order of the walk."""
        return self.carried(x, order, None)[0]

    def carried(self, x: Tensor, order: Order, held: Held | None) -> tuple[Tensor, Held]:
        """As `forward`, but each sequence begins with what is held of it; and what is held of it at its end.

        No gradient flows into what was held. Of the second direction a sequence's end is its first token.
        """
        both = (self.left_to_right, self.right_to_left)
        bias = torch.stack([one.input.bias + one.forget_offset for one in both])[:, None]
        gates = torch.baddbmm(bias, x, torch.stack([one.input.weight for one in both]).transpose(1, 2))
        recurrent = torch.stack([one.recurrent.weight for one in both])
        projection = torch.stack([one.projection.weight for one in both])
        states, *ends = _Walk.apply(gates, recurrent, projection, order, self.clips, held)  # type: ignore[no-untyped-call]  # torch leaves it unannotated
        home = order.sequences.argsort()
        return states, Held(*(end[:, home] for end in ends))

    def wider(self, held: Held | None, sequences: int, like: Tensor) -> Held:
        """What is held, with zeros for those of the sequences that it lacks."""
        width, size = self.left_to_right.projection.weight.shape
        held = Held(like.new_zeros(2, 0, width), like.new_zeros(2, 0, size, dtype=_EXACT)) if held is None else held
        more = max(0, sequences - held.states.shape[1])
        return Held(*(functional.pad(values, (0, 0, 0, more)) for values in held))


class _Walk(torch.autograd.Function):
    """The steps through time. Products are in the type of the weights, cells and gates in float32."""

    @staticmethod
    def forward(  # noqa: PLR0913, PLR0917 - as autograd calls it
        ctx: Any,  # noqa: ANN401 - torch's context
        given: Tensor,
        recurrent: Tensor,
        projection: Tensor,
        order: Order,
        clips: Clips,
        held: Held | None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        tokens, (width, size) = given.shape[1], projection.shape[1:]
        gates = given.new_empty(2, tokens, 4, size, dtype=_EXACT)
        states, cells = _blank(given, order, (width, size), held)
        turned, down = recurrent.transpose(1, 2), projection.transpose(1, 2)
        cell, hidden = cells[:, tokens:], states[:, tokens:]
        for start, end in pairwise(order.bounds):
            now, count = slice(start, end), end - start
            asked = torch.baddbmm(given[:, now], hidden[:, :count], turned) if start or held else given[:, now]
            gate = _activated(gates[:, now].copy_(asked.view(*asked.shape[:2], 4, size)))
            cell = torch.addcmul(gate[:, :, 0] * gate[:, :, 2], gate[:, :, 1], cell[:, :count])
            cell = cells[:, now] = cell if clips.cell is None else cell.clamp_(-clips.cell, clips.cell)
            hidden = torch.bmm((gate[:, :, 3] * cell.tanh()).to(states.dtype), down)
            if clips.projection is not None:
                hidden.clamp_(-clips.projection, clips.projection)
            states[:, now] = hidden
        ctx.save_for_backward(states, gates, cells, recurrent, projection)
        ctx.order, ctx.clips = order, clips
        ends = states[:, order.last], cells[:, order.last]
        ctx.mark_non_differentiable(*ends)
        return states[:, :tokens], *ends

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor, *_: Tensor) -> tuple[Tensor | None, ...]:  # noqa: ANN401 - torch's context
        states, gates, cells, recurrent, projection = ctx.saved_tensors
        order, clips, tokens = ctx.order, ctx.clips, grad.shape[1]
        reaching, asked = grad.clone(), torch.empty_like(gates, dtype=grad.dtype)
        told = grad.new_empty(2, tokens, cells.shape[2])
        later_state, later_cell = reaching[:, :0], cells[:, :0]
        for step in reversed(range(len(order.bounds) - 1)):
            now, count = slice(*order.bounds[step : step + 2]), later_cell.shape[1]
            gate, squashed = gates[:, now], cells[:, now].tanh()
            told[:, now] = gate[:, :, 3] * squashed
            state = reaching[:, now]
            state[:, :count] += later_state
            _stopped(state, states[:, now], clips.projection)
            inner = torch.bmm(state, projection).to(_EXACT)
            cell = torch.ops.aten.tanh_backward(inner * gate[:, :, 3], squashed)
            cell[:, :count] += later_cell
            _stopped(cell, cells[:, now], clips.cell)
            asked[:, now] = _to_gates(cell, inner * squashed, cells[:, order.preceding(step)], gate)
            later_cell = cell * gate[:, :, 1]
            later_state = torch.bmm(asked[:, now].flatten(2), recurrent)
        inward = asked.flatten(2)
        by_state = torch.bmm(inward.transpose(1, 2), states[:, order.before])
        return inward, by_state, torch.bmm(reaching.transpose(1, 2), told), None, None, None


def _blank(given: Tensor, order: Order, sizes: tuple[int, int], held: Held | None) -> Held:
    """States and cells still to be computed; in the rows past the walk's end, what sequences begin with."""
    rows, tokens = given.shape[1] + len(order.sequences), given.shape[1]
    blank = Held(given.new_empty(2, rows, sizes[0]), given.new_empty(2, rows, sizes[1], dtype=_EXACT))
    for values, begun in zip(blank, (None, None) if held is None else held, strict=True):
        values[:, tokens:] = 0 if begun is None else begun[:, order.sequences]
    return blank


def _activated(asked: Tensor) -> Tensor:
    """The gates [2, n, 4, size], in place of what they were asked."""
    asked[:, :, :2].sigmoid_()
    asked[:, :, 2].tanh_()
    asked[:, :, 3].sigmoid_()
    return asked


def _to_gates(cell: Tensor, leaving: Tensor, before: Tensor, gate: Tensor) -> Tensor:
    """The gradient at what the gates were asked, [2, n, 4, size], from those at the cell and the output gate."""
    (enter, forget, candidate, leave), out = gate.unbind(2), torch.empty_like(gate)
    for number, (grad, value) in enumerate([(cell * candidate, enter), (cell * before, forget)]):
        torch.ops.aten.sigmoid_backward.grad_input(grad, value, grad_input=out[:, :, number])
    torch.ops.aten.tanh_backward.grad_input(cell * enter, candidate, grad_input=out[:, :, 2])
    torch.ops.aten.sigmoid_backward.grad_input(leaving, leave, grad_input=out[:, :, 3])
    return out


def _stopped(grad: Tensor, values: Tensor, bound: float | None) -> None:
    """No gradient passes where a value was clipped."""
    if bound is not None:
        grad *= values.abs() < bound


def written_out(x: Sequence[Tensor], direction: Direction, clips: Clips) -> Tensor:
    """The states of one sequence, [length, projection_size], a token after the other: the specification of `Pair`."""
    width = direction.projection.out_features
    state, cell, found = torch.zeros(width), torch.zeros(direction.projection.in_features), []
    for vector in x:
        asked = direction.input(vector) + direction.recurrent(state) + direction.forget_offset
        enter, forget, candidate, leave = asked.chunk(4)
        cell = forget.sigmoid() * cell + enter.sigmoid() * candidate.tanh()
        cell = cell if clips.cell is None else cell.clamp(-clips.cell, clips.cell)
        state = direction.projection(leave.sigmoid() * cell.tanh())
        state = state if clips.projection is None else state.clamp(-clips.projection, clips.projection)
        found.append(state)
    return torch.stack(found) if found else torch.zeros(0, width)
