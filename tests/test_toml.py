"""Values written as TOML read back unchanged."""

import math
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uplane import _toml

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
scalars = st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | texts
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=20,
)


@given(st.dictionaries(texts, values, max_size=6))
def test_a_document_reads_back(content: dict[str, object]) -> None:
    assert tomllib.loads(_toml.document(content)) == content


@given(values)
def test_a_value_reads_back(value: object) -> None:
    assert tomllib.loads(f"key = {_toml.value(value)}") == {"key": value}


def test_nan_is_written_so_the_simulator_refuses_it() -> None:
    assert math.isnan(tomllib.loads(f"key = {_toml.value(math.nan)}")["key"])


def test_nested_tables_become_sections() -> None:
    content = {"radio": {"geran": {"bler": 0.1}}, "ping": [{"name": "echo"}]}
    assert _toml.document(content) == '[radio.geran]\nbler = 0.1\n\n[[ping]]\nname = "echo"\n'


def test_a_value_without_a_place_in_toml_is_refused() -> None:
    with pytest.raises(TypeError, match="no place for complex"):
        _toml.value(1j)
