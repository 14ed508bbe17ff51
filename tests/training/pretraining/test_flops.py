"""What the machine can do: measured in a moment, whatever it is good at."""

import pytest
import torch

from wordworth.training.pretraining import flops

CPU = torch.device("cpu")


@pytest.mark.parametrize(("rate", "sides"), [(1e9, [256, 512]), (1e12, [256, 512, 1024, 2048])])
def test_products_grow_until_one_takes_long(monkeypatch, rate, sides):
    asked = []

    def product(side, *_):
        asked.append(side)
        return 2 * side**3 / rate

    monkeypatch.setattr(flops, "_product", product)
    assert flops.matmul_peak(torch.bfloat16, CPU) == pytest.approx(rate)
    assert asked == sides


def test_the_peak_is_that_of_the_best_size(monkeypatch):
    rates = {256: 1e11, 512: 4e11, 1024: 3e11, 2048: 2e11}
    monkeypatch.setattr(flops, "_product", lambda side, *_: 2 * side**3 / rates[side])
    assert flops.matmul_peak(torch.float32, CPU) == pytest.approx(4e11)
