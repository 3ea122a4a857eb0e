import argparse

from pyflink.datastream import StreamExecutionEnvironment


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--output", required=True)
    arguments = parser.parse_args()

    env = StreamExecutionEnvironment.get_execution_environment()
    env.from_collection(range(1_000_000)).map(lambda number: number * 2).print(arguments.output)
    env.execute()


if __name__ == "__main__":
    main()
