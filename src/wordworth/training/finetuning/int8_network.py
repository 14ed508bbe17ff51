"""A fine-tuned network whose encoder computes in int8, for predictions on a processor."""

from __future__ import annotations

from torch import Tensor, nn

from wordworth.models.activation_taps import Taps
from wordworth.models.batch import Batch
from wordworth.models.cpu_inference import int8_unsupported
from wordworth.models.cpu_inference.select_dtype_and_kernel import StateReader, accelerate, resolve_dtype
from wordworth.models.encoder_base import Encoder
from wordworth.text.tokenizer_protocol import TokenizerProtocol
from wordworth.training.finetuning.model import FineTuningModel
from wordworth.training.partial_embedding import SharedReference


class Int8Network(FineTuningModel):
    """A fine-tuned network whose encoder computes in int8 and whose other layers compute in float32.

    The network only predicts: it supports neither gradients, nor `Taps`, nor `head_scale`.

    Args:
        network: the network in float32, whose layers above the encoder are shared.
        reader: computes the states of the encoder's last layer from a batch, in int8.
    """

    def __init__(self, network: FineTuningModel, reader: StateReader) -> None:
        nn.Module.__init__(self)  # `FineTuningModel` would copy the encoder; all layers are shared here
        self.config, self.embedding, self.body = network.config, network.embedding, network.body
        self.pooler, self.output, self.recurrent = network.pooler, network.output, network.recurrent
        self._reader, self._network = reader, SharedReference(network)

    @property
    def word_table(self) -> Tensor:
        """The token embedding matrix of the network, float32 [vocabulary, width]."""
        return self._network.value.word_table

    def states(self, batch: Batch, taps: Taps | None = None, head_scale: Tensor | None = None) -> Tensor:
        """Return the states of the encoder's last layer, or of the BiLSTM above it, float32 [tokens, width].

        Args:
            batch: the packed sequences.
            taps: must be None.
            head_scale: must be None.

        Raises:
            ValueError: `taps` or `head_scale` is given.
        """
        if taps is not None or head_scale is not None:
            raise ValueError("an int8 network has no inner values to read or change")
        states = self._reader(batch).float()
        return states if self.recurrent is None else self.recurrent(states, batch.starts)


def int8_network(network: FineTuningModel, model: Encoder, tokenizer: TokenizerProtocol) -> Int8Network | None:
    """Return a fine-tuned network that computes its encoder in int8; None if model or machine do not allow it.

    Args:
        network: the network in float32, on a CPU.
        model: the encoder of the network, with the fine-tuned weights.
        tokenizer: tokenizes the texts on which the ranges of int8 are calibrated.
    """
    reader, kernel = accelerate(model, "int8", tokenizer.encode)
    return None if kernel == "plain" or network.device.type != "cpu" else Int8Network(network, reader)


def require_int8(network: FineTuningModel, model: Encoder, tokenizer: TokenizerProtocol) -> Int8Network:
    """Return a fine-tuned network that computes its encoder in int8; raise an error if that is not possible.

    Args:
        network: the network in float32, on a CPU.
        model: the encoder of the network, with the fine-tuned weights.
        tokenizer: tokenizes the texts on which the ranges of int8 are calibrated.

    Raises:
        BadInput: the network is on a GPU, this CPU has no int8 kernels, or the model is not of BERT's kind.
    """
    resolve_dtype(model, "int8", network.device)
    made = int8_network(network, model, tokenizer)
    if made is None:
        raise int8_unsupported(model, "dtype", "give float32 or bfloat16")
    return made
