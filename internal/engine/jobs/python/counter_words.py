# Copyright (c) The terraform-provider-streaming authors
# SPDX-License-Identifier: MPL-2.0
"""What the counter says, and functions for SQL: the part of the bundle that tests edit."""

from pyflink.table import DataTypes
from pyflink.table.udf import udf

EDITION = "first"


def line(label, key, number, count):
    """Is the line that the counter prints, as the Java counter does."""
    return f"COUNT label={label} edition={EDITION} key={key} value={number} count={count}"


@udf(result_type=DataTypes.BIGINT())
def add_one(number):
    """Adds one: SELECT add_one(41)."""
    return number + 1
