"""A small random ELMo as a folder of its published form, for tests."""

import json
from pathlib import Path

import h5py
import torch
from tests.models.tiny import loud_

from wordworth.models.families.elmo import ELMO, ElmoConfig, elmo

TINY = ElmoConfig(
    projection_size=6,
    cell_size=10,
    character_size=3,
    filters=((1, 4), (2, 5), (5, 7)),
    num_highways=1,
    max_length=24,
)


def an_elmo(config=TINY, seed=0):
    model = elmo(config).eval()
    loud_(model, seed)
    return model


def write_elmo(folder: Path, config=TINY, **changed: object) -> Path:
    """`options.json` and `weights.hdf5`; `changed` are arrays put in the place of others."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "elmo_tiny_options.json").write_text(json.dumps(dict(ELMO.write(config))))
    tensors = ELMO.table.to_checkpoint(an_elmo(config).state_dict())
    with h5py.File(folder / "elmo_tiny_weights.hdf5", "w") as file:
        for name, tensor in {**tensors, **changed}.items():
            if tensor is not None:
                file[name] = torch.as_tensor(tensor).numpy()
    return folder
