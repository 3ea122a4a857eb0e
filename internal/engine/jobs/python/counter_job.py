# Copyright (c) The terraform-provider-streaming authors
# SPDX-License-Identifier: MPL-2.0
"""Counts the numbers 0, 1, 2, ... by their remainder in state of Python, and prints what it counted.

Of the number v the count is v // 5 + 1, always, through any stop and restore: anybody who reads the
output can tell whether a number was lost or counted twice.

Arguments: --label L, --name N, --rate R (numbers a second), --crash (fails before anything is
submitted), --twice (submits two jobs), --none (submits no job).
"""

import argparse
import sys

from pyflink.common import Types
from pyflink.datastream import KeyedProcessFunction, StreamExecutionEnvironment
from pyflink.datastream.state import ValueStateDescriptor
from pyflink.table import StreamTableEnvironment

import counter_words

KEYS = 5


class Count(KeyedProcessFunction):
    """Keeps the count of each key in state."""

    def __init__(self, label):
        self.label = label
        self.count = None

    def open(self, runtime_context):
        self.count = runtime_context.get_state(ValueStateDescriptor("count", Types.LONG()))

    def process_element(self, value, ctx):
        number = value[0]
        now = (self.count.value() or 0) + 1
        self.count.update(now)
        yield counter_words.line(self.label, number % KEYS, number, now)


def build(env, tables, label, rate):
    # A sequence keeps all its numbers in memory: enough for hours, not for days.
    tables.execute_sql(
        "CREATE TEMPORARY TABLE numbers (v BIGINT) WITH ('connector' = 'datagen', "
        f"'rows-per-second' = '{rate}', 'fields.v.kind' = 'sequence', "
        "'fields.v.start' = '0', 'fields.v.end' = '1000000')"
    )
    (
        tables.to_data_stream(tables.from_path("numbers"))
        .key_by(lambda row: row[0] % KEYS, key_type=Types.LONG())
        .process(Count(label), output_type=Types.STRING())
        .uid("counter")
        .name("counter")
        .print()
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--label", default="counter")
    parser.add_argument("--name", default="python counter")
    parser.add_argument("--rate", type=int, default=20)
    parser.add_argument("--crash", action="store_true")
    parser.add_argument("--twice", action="store_true")
    parser.add_argument("--none", action="store_true")
    arguments = parser.parse_args()
    if arguments.crash:
        raise ValueError("the program was asked to crash")

    env = StreamExecutionEnvironment.get_execution_environment()
    env.set_parallelism(1)
    tables = StreamTableEnvironment.create(env)
    if arguments.none:
        return 0
    build(env, tables, arguments.label, arguments.rate)
    env.execute(arguments.name)
    if arguments.twice:
        tables.execute_sql("DROP TEMPORARY TABLE numbers")
        build(env, tables, arguments.label + "-second", arguments.rate)
        env.execute(arguments.name + " second")
    return 0


if __name__ == "__main__":
    sys.exit(main())
