"""The dtype that a device computes in."""

import pytest
import torch
from tests.models.language_models import made_up

from wordworth.errors import BadInput
from wordworth.models.cpu_inference.select_dtype_and_kernel import resolve_dtype

GPU = torch.device("cuda")


@pytest.mark.parametrize(("native", "dtype"), [(True, "bfloat16"), (False, "float32")])
def test_a_gpu_computes_in_bfloat16_where_it_has_the_instructions(monkeypatch, native, dtype):
    monkeypatch.setattr("torch.cuda.is_bf16_supported", lambda including_emulation: native or including_emulation)
    model = made_up("gpt2").model  # which no kernel of a CPU is written for
    assert resolve_dtype(model, "auto", GPU) == dtype
    assert resolve_dtype(model, "auto") == "float32"
    assert resolve_dtype(model, "bfloat16", GPU) == "bfloat16"


def test_int8_is_refused_on_a_gpu_with_what_it_can_do():
    with pytest.raises(BadInput, match=r"int8 is computed on a CPU only.*give `dtype` bfloat16"):
        resolve_dtype(made_up("bert").model, "int8", GPU)
