#!/usr/bin/env python3
"""Measures what the project promises, each figure beside its limit in the same run, and prints a table.

Builds nothing: `make bench` does, and hands over the binaries. Needs the openssl, nginx, wrk and taskset commands.
A figure below its mark is marked and is no failure, unless --check is given.
"""

import argparse
import json
import sys

sys.dont_write_bytecode = True

from driver import machine, server, sessions, signatures  # noqa: E402
from driver.settings import FULL, QUICK  # noqa: E402
from driver.table import Table  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pawl", metavar="PATH", help="the release binary; without it only the micro rows are measured")
    parser.add_argument("--pawl-bench", metavar="PATH", help="the benchmark binary")
    parser.add_argument("--quick", action="store_true", help="a minute or so, and less exact")
    parser.add_argument("--check", action="store_true", help="exit with 1 if a figure is below its mark")
    parser.add_argument("--json", action="store_true", help="print JSON instead of the table")
    arguments = parser.parse_args()
    settings = QUICK if arguments.quick else FULL

    def progress(text: str) -> None:
        print(f"bench: {text}", file=sys.stderr, flush=True)

    table = Table()
    try:
        cores = machine.Cores.choose()
        if arguments.pawl_bench:
            signatures.measure(table, arguments.pawl_bench, cores, settings, progress)
            sessions.measure(table, arguments.pawl_bench, cores, settings, progress)
        if arguments.pawl:
            server.measure(table, arguments.pawl, arguments.pawl_bench, cores, settings, progress)
    except (machine.Broken, OSError) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    load = machine.other_load()
    if load is not None:
        progress(f"the machine was busy with other things (load {load:.1f}): do not take the figures at their word")
    if arguments.json:
        print(json.dumps({"machine": machine.description(), "rows": table.as_json()}, indent=2))
    else:
        print(table.as_text())
    return 1 if arguments.check and not table.all_reached else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
