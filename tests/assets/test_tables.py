"""The data model: keys that exist, names that differ, a table a vector length."""

import pyarrow as pa
import pytest

from assets import tables
from assets.tables import PACKAGED_DIMENSION, dense_index, vectors
from resources.lake import Table

ALL = [table for table in vars(tables).values() if isinstance(table, Table)]


@pytest.mark.parametrize("table", [*ALL, vectors(), dense_index()], ids=lambda table: table.name)
def test_a_key_is_made_of_columns_of_text(table: Table) -> None:
    for name in table.key:
        assert table.schema.field(name).type == pa.string()
    assert len(set(table.schema.names)) == len(table.schema.names)


def test_every_table_has_a_name_of_its_own() -> None:
    names = [table.name for table in [*ALL, vectors(), dense_index()]]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("make", [vectors, dense_index])
def test_another_encoders_vectors_have_a_table_of_their_own(make: object) -> None:
    assert callable(make)
    packaged, other = make(PACKAGED_DIMENSION), make(768)
    assert packaged.name != other.name
    assert other.schema.field("vector").type == pa.list_(pa.float32(), 768)
