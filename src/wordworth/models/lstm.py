"""LSTMs, two of them side by side over packed sequences, projected if wanted (Sak et al. 2014, arXiv 1402.1128).

torch's own `nn.LSTM` has no fast kernel for packed sequences or projections on a CPU, cannot clip, and over packed
sequences its gradient takes time that grows with the square of the length. Here all that does not depend on the step
before is one product over all tokens, forward and backward; what does goes through time once for both directions.
`written_out` is the specification.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
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

    A forget gate's bias counts one more than it says, as in TensorFlow's cell: a fresh cell remembers. Without a
    projection a state is as wide as the cell.
    """

    def __init__(self, inputs: int, cell_size: int, projection_size: int | None) -> None:
        super().__init__()
        self.input = nn.Linear(inputs, 4 * cell_size)
        self.recurrent = nn.Linear(projection_size or cell_size, 4 * cell_size, bias=False)
        self.projection = nn.Linear(cell_size, projection_size, bias=False) if projection_size else None

    @property
    def forget_offset(self) -> Tensor:
        """[4 * cell_size]: what the forget gate gets beyond its bias."""
        offset = torch.zeros_like(self.input.bias).view(4, -1)
        offset[1] = 1
        return offset.flatten()


@dataclass(frozen=True, slots=True)
class PackedOrder:
    """How packed sequences are walked through step by step, the longest first, from the left and from the right.

    Attributes:
        walk: int64 [2, tokens], the token read at each place of the walk, by the first direction and the second.
        back: int64 [2, tokens], the place in the walk of each token.
        before: int64 [tokens], the place of the step before in the walk; for a first step a row past the walk's end,
            where what its sequence begins with stands.
        live: how many sequences have a first token, a second, and so on.
        sequences: int64 [sequences], the longest first.
        apart: int64 [2, tokens], where each place stands when the steps follow one another, both directions in each.
        steps: int64 [2 * tokens], the way back: what stands there, of the walks end to end.
    """

    walk: Tensor
    back: Tensor
    before: Tensor
    live: tuple[int, ...]
    sequences: Tensor
    apart: Tensor
    steps: Tensor

    @classmethod
    def by_time(cls, live: Tensor) -> PackedOrder:
        """The order for tokens packed by time: the first of every sequence, the longest first, then the second ones.

        Args:
            live: int64 [steps], sequences that have a first token, a second, and so on, never rising.
        """
        bounds = torch.cat([live.new_zeros(1), live.cumsum(0)])
        step = torch.arange(len(live), device=live.device).repeat_interleave(live)
        row = torch.arange(len(step), device=live.device) - bounds[step]
        sequences = torch.arange(int(live[0]) if len(live) else 0, device=live.device)
        lengths = (live[:, None] > sequences).sum(0)
        walk = torch.stack([bounds[step] + row, bounds[lengths[row] - 1 - step] + row])  # each its own inverse
        first = 2 * bounds[step] + row
        apart = torch.stack([first, first + live[step]])
        return cls(
            walk, walk, bounds[step - 1] + row, tuple(live.tolist()), sequences, apart, apart.flatten().argsort()
        )

    @classmethod
    def of(cls, starts: Tensor) -> PackedOrder:
        """The order for sequences that start at `starts` [sequences + 1]."""
        firsts, lengths = starts[:-1].long(), (starts[1:] - starts[:-1]).long()
        longest_first = torch.argsort(lengths, descending=True, stable=True)
        firsts, lengths = firsts[longest_first], lengths[longest_first]
        step = torch.arange(int(lengths.max()) if len(lengths) else 0, device=starts.device)[:, None]
        active = step < lengths
        order = cls.by_time(active.sum(1))
        walk = (firsts + step)[active][order.walk]
        return replace(order, walk=walk, back=walk.argsort(1), sequences=longest_first)

    def by_step(self, values: Tensor) -> list[Tensor]:
        """A copy of values [2, tokens, ...] in the order of the walk, for each step [2, live, ...]."""
        blocks = torch.split(values.flatten(0, 1)[self.steps], [2 * count for count in self.live])
        return [block.view(2, count, *values.shape[2:]) for block, count in zip(blocks, self.live, strict=True)]

    def joined(self, blocks: Sequence[Tensor], like: Tensor) -> Tensor:
        """[2, tokens, ...] in the order of the walk, from [2, live, ...] of each step; `like` says what `...` is."""
        return torch.cat([block.flatten(0, 1) for block in (like[:, :0], *blocks)])[self.apart]

    def ends(self, blocks: Sequence[Tensor], begun: Tensor) -> Tensor:
        """[2, sequences, ...]: what each sequence came to; what it began with where it is empty."""
        live = (*self.live, 0)
        last = [block[:, after:] for block, after in zip(blocks, live[1:], strict=True) if block.shape[1] > after]
        return torch.cat([*reversed(last), begun[:, live[0] :]], 1)


class SavedStates(NamedTuple):
    """What the two directions of a layer hold of each sequence, no gradient with it.

    Attributes:
        states: [2, sequences, projection_size].
        cells: float32 [2, sequences, cell_size].
    """

    states: Tensor
    cells: Tensor


class BidirectionalLSTM(nn.Module):
    """An LSTM from the left and one from the right, with nothing in common."""

    def __init__(self, inputs: int, cell_size: int, projection_size: int | None, clips: Clips) -> None:
        super().__init__()
        self.clips = clips
        self.left_to_right = Direction(inputs, cell_size, projection_size)
        self.right_to_left = Direction(inputs, cell_size, projection_size)

    def forward(self, x: Tensor, order: PackedOrder) -> Tensor:
        """[2, tokens, state] from [2, tokens, inputs], both in the order of the walk."""
        return self.carried(x, order, None)[0]

    def carried(self, x: Tensor, order: PackedOrder, held: SavedStates | None) -> tuple[Tensor, SavedStates]:
        """As `forward`, but each sequence begins with what is held of it; and what is held of it at its end.

        No gradient flows into what was held. Of the second direction a sequence's end is its first token.
        """
        both = (self.left_to_right, self.right_to_left)
        bias = torch.stack([one.input.bias + one.forget_offset for one in both])[:, None]
        gates = torch.baddbmm(bias, x, torch.stack([one.input.weight for one in both]).transpose(1, 2))
        recurrent = torch.stack([one.recurrent.weight for one in both])
        down = [one.projection.weight for one in both if one.projection is not None]
        projection = torch.stack(down) if down else None
        states, *ends = _Walk.apply(gates, recurrent, projection, order, self.clips, held)  # type: ignore[no-untyped-call]  # torch leaves it unannotated
        home = order.sequences.argsort()
        return states, SavedStates(*(end[:, home] for end in ends))

    def wider(self, held: SavedStates | None, sequences: int, like: Tensor) -> SavedStates:
        """What is held, with zeros for those of the sequences that it lacks."""
        gates, width = self.left_to_right.recurrent.weight.shape
        size = gates // 4
        held = (
            SavedStates(like.new_zeros(2, 0, width), like.new_zeros(2, 0, size, dtype=_EXACT)) if held is None else held
        )
        more = max(0, sequences - held.states.shape[1])
        return SavedStates(*(functional.pad(values, (0, 0, 0, more)) for values in held))


class _Walk(torch.autograd.Function):
    """The steps through time. Products are in the type of the weights, cells and gates in float32."""

    @staticmethod
    def forward(  # noqa: PLR0913, PLR0917 - as autograd calls it
        ctx: Any,  # noqa: ANN401 - torch's context
        given: Tensor,
        recurrent: Tensor,
        projection: Tensor | None,
        order: PackedOrder,
        clips: Clips,
        held: SavedStates | None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        begun = _begun(given, order, recurrent.shape[2], held)
        turned, down = recurrent.transpose(1, 2), None if projection is None else projection.transpose(1, 2)
        (hidden, cell), gates, states, cells = begun, list[Tensor](), list[Tensor](), list[Tensor]()
        for step in order.by_step(given):
            count = step.shape[1]
            asked = torch.baddbmm(step, hidden[:, :count], turned) if states or held else step
            gate = _activated(asked.view(2, count, 4, -1).to(_EXACT))
            enter, forget, candidate, leave = gate.unbind(2)
            cell = torch.addcmul(enter * candidate, forget, cell[:, :count])
            cell = cell if clips.cell is None else cell.clamp_(-clips.cell, clips.cell)
            hidden = (leave * cell.tanh()).to(given.dtype)
            hidden = hidden if down is None else torch.bmm(hidden, down)
            hidden = hidden if clips.projection is None else hidden.clamp_(-clips.projection, clips.projection)
            gates.append(gate)
            states.append(hidden)
            cells.append(cell)
        found = order.joined(states, begun.states)
        ctx.save_for_backward(found, *begun, recurrent, projection)
        ctx.order, ctx.clips, ctx.steps = order, clips, (gates, states, cells)
        ends = order.ends(states, begun.states), order.ends(cells, begun.cells)
        ctx.mark_non_differentiable(*ends)
        return found, *ends

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor, *_: Tensor) -> tuple[Tensor | None, ...]:  # noqa: ANN401 - torch's context
        found, begun, cell_begun, recurrent, projection = ctx.saved_tensors
        order, clips, (gates, states, cells) = ctx.order, ctx.clips, ctx.steps
        asked, reaching, told = list[Tensor](), list[Tensor](), list[Tensor]()
        later_state, later_cell = grad[:, :0], cell_begun[:, :0]
        for step, state in reversed(list(enumerate(order.by_step(grad)))):
            gate, cell_now, count = gates[step], cells[step], later_cell.shape[1]
            leave, squashed = gate[:, :, 3], cell_now.tanh()
            state[:, :count] += later_state
            _stopped(state, states[step], clips.projection)
            inner = (state if projection is None else torch.bmm(state, projection)).to(_EXACT)
            cell = torch.ops.aten.tanh_backward(inner * leave, squashed)
            cell[:, :count] += later_cell
            _stopped(cell, cell_now, clips.cell)
            before = (cells[step - 1] if step else cell_begun)[:, : cell.shape[1]]
            asked.append(_to_gates(cell, inner * squashed, before, gate).to(grad.dtype))
            later_cell = cell * gate[:, :, 1]
            later_state = torch.bmm(asked[-1].flatten(2), recurrent)
            reaching.append(state)
            told.append((leave * squashed).to(grad.dtype))
        size = cell_begun.shape[2]
        inward = order.joined(asked[::-1], grad.new_empty(2, 0, 4, size)).flatten(2)
        by_state = torch.bmm(inward.transpose(1, 2), torch.cat([found, begun], 1)[:, order.before])
        if projection is None:
            return inward, by_state, None, None, None, None
        reached, told_all = order.joined(reaching[::-1], grad), order.joined(told[::-1], grad.new_empty(2, 0, size))
        return inward, by_state, torch.bmm(reached.transpose(1, 2), told_all), None, None, None


def _begun(like: Tensor, order: PackedOrder, width: int, held: SavedStates | None) -> SavedStates:
    """What sequences begin with, in the order of the walk: what is held of them, or zeros."""
    if held is not None:
        return SavedStates(held.states[:, order.sequences], held.cells[:, order.sequences])
    count = len(order.sequences)
    return SavedStates(like.new_zeros(2, count, width), like.new_zeros(2, count, like.shape[2] // 4, dtype=_EXACT))


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
    """The states of one sequence, [length, projection_size], token by token: specifies `BidirectionalLSTM`."""
    width, down = direction.recurrent.in_features, direction.projection or nn.Identity()
    state, cell, found = torch.zeros(width), torch.zeros(direction.input.out_features // 4), []
    for vector in x:
        asked = direction.input(vector) + direction.recurrent(state) + direction.forget_offset
        enter, forget, candidate, leave = asked.chunk(4)
        cell = forget.sigmoid() * cell + enter.sigmoid() * candidate.tanh()
        cell = cell if clips.cell is None else cell.clamp(-clips.cell, clips.cell)
        state = down(leave.sigmoid() * cell.tanh())
        state = state if clips.projection is None else state.clamp(-clips.projection, clips.projection)
        found.append(state)
    return torch.stack(found) if found else torch.zeros(0, width)
