from __future__ import annotations

import gc
import subprocess
import sys

import pytest

from wordworth.models.torch_import import start_torch, without_collection


def printed(code: str) -> str:
    """What a fresh interpreter prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.parametrize("before", ["", "import gc; gc.disable();"])
def test_torch_is_there_afterwards_and_garbage_is_looked_for_as_before(before):
    after = "import sys, gc; start_torch(); print('torch' in sys.modules, gc.isenabled())"
    found = printed(f"{before}from wordworth.models.torch_import import start_torch; {after}")
    assert found == f"True {not before}"


def test_where_torch_lies_otherwise_than_in_a_wheel_its_own_import_does_it_all():
    code = (
        "import importlib.util as u, wordworth.models.torch_import as start; "
        "start.find_spec = lambda name: u.spec_from_loader(name, None, origin='/nowhere/torch.py'); "
        "start.start_torch(); import torch; print(int(torch.ones(3).sum()))"
    )
    assert printed(code) == "3"


def test_a_damaged_library_is_left_to_torch_to_complain_about(tmp_path):
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "libtorch_cpu.so").write_bytes(b"nothing that can be linked")
    code = (
        "import importlib.util as u, wordworth.models.torch_import as start; "
        f"start.find_spec = lambda name: u.spec_from_loader(name, None, origin={str(tmp_path / '__init__.py')!r}); "
        "start.start_torch(); import torch; print(int(torch.ones(3).sum()))"
    )
    assert printed(code) == "3"


def test_an_error_inside_does_not_leave_the_garbage_lying():
    with pytest.raises(ZeroDivisionError), without_collection():
        divmod(1, gc.isenabled())
    assert gc.isenabled()


def test_starting_it_again_changes_nothing():
    start_torch()
    start_torch()
    assert gc.isenabled()


def test_an_encoder_starts_without_the_compiler_of_torch():
    """Which takes two seconds to import, and a first vector one."""
    code = "import sys, torch, wordworth.models.read_encoder; print('torch._dynamo' in sys.modules)"
    assert printed(code) == "False"
