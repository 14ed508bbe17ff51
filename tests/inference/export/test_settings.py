"""The form of an export is one of those that there are, and has no default."""

import pytest

from wordworth.errors import BadInput
from wordworth.inference.export.settings import ExportSettings


def test_a_form_is_needed_and_the_forms_are_named():
    assert ExportSettings(to="onnx").text == "text"
    with pytest.raises(TypeError, match="to"):
        ExportSettings()
    with pytest.raises(BadInput, match="no form 'pdf'; available: 'onnx', 'int8'"):
        ExportSettings(to="pdf")
