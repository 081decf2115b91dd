"""The rows of the database: what durability costs, and what a million families do."""

import json
import os
import re
import shutil
import sqlite3

from . import flows, load, processes
from .machine import Broken, Cores, median, pinned, run
from .settings import CONNECTIONS, FEW_STORED_FAMILIES, Settings
from .table import Table

# Flat within 10 %.
FLAT = 0.90
# Tokens that the load goes through, one after the other, where there are many families.
# None comes twice in a turn: the store gathers what changes of neighbours, and would gain by that.
SPREAD = 100_000
# Few and many are compared in so many more turns, of half the time: they differ by less than one turn does from the next.
TURNS = 3


def measure(table: Table, pawl: str, bench: str, cores: Cores, settings: Settings, folder: str, progress) -> None:
    durable(table, pawl, bench, cores, settings, folder, progress)
    engine(table, bench, cores, settings, folder, progress)
    many(table, pawl, bench, cores, settings, folder, progress)


def durable(table: Table, pawl: str, bench: str, cores: Cores, settings: Settings, folder: str, progress) -> None:
    """Refresh with every change on the disk before its answer.

    The limit is what all that is owed takes: signatures, one by one, and an exchange, as beside the refresh in memory, and
    what SQLite itself takes to commit. That is called as from C, in a copy of the very database that the server has written,
    in the same round, on the same disk and the same core, with as many rows in each transaction as the server had in the
    mean (its metrics say so). By itself it signs nothing and answers nobody: `engine` is held against that alone.
    """
    data = os.path.join(folder, "durable")
    ours, limits, groups = [], [], []
    for number in range(settings.wrk_rounds):
        progress(f"refresh on the disk, round {number + 1} of {settings.wrk_rounds}")
        with processes.pawl(pawl, folder, cores, "--auto-login", "--token-lifetime", "1h", "--data", data) as server:
            answers = [flows.tokens(server) for _ in range(CONNECTIONS * 2)]
            refresh = ", ".join(json.dumps(answer["refresh_token"]) for answer in answers)
            before = counts(server)
            ours.append(load.drive(server, "/token", flows.HEADERS + flows.REFRESH % refresh, settings.wrk_seconds,
                                   folder, cores))
            changes, syncs = (after - former for after, former in zip(counts(server), before))
            groups.append(changes / max(1, syncs))
        limits.append(alone(bench, (cores.subject,), settings, folder, data, groups[-1]))
    in_memory = table.find(flows.REFRESH_ROW)
    if in_memory is None:
        return
    commits = median(limits)
    row = table.add("refresh in SQLite, each on the disk", "/s", median([result["rate"] for result in ours]),
                    1 / (1 / in_memory.limit + 1 / commits), flows.MARK,
                    details={"ours": ours, "rows_per_second": limits, "rows_per_transaction": groups})
    row.note = (f"{median(groups):.1f} changes shared a sync, here and there; "
                f"p99 {median([result['p99_microseconds'] for result in ours]) / 1e3:.1f} ms; "
                f"SQLite alone commits {commits:,.0f}/s, of which this is {row.ours / commits:.2f}")


def alone(
    bench: str, cores: tuple[int, ...], settings: Settings, folder: str, directory: str, group: float
) -> float:
    """How many rows SQLite commits in a second, so many in each transaction, in a copy of a directory's database: by
    statements, or written where they lie, whichever is faster."""
    bare = os.path.join(folder, "bare")
    shutil.rmtree(bare, ignore_errors=True)
    os.mkdir(bare)
    shutil.copy(os.path.join(directory, "pawl.db"), bare)
    # Or the copy is put on the disk while the rows are.
    os.sync()
    text = run(pinned(cores, [
        bench, "--json", "--seconds", str(settings.wrk_seconds / 2), "--directory", bare, "--group", str(group),
        "sqlite-commits", "sqlite-commits-in-place"]))
    return max(json.loads(text).values())


def engine(table: Table, bench: str, cores: Cores, settings: Settings, folder: str, progress) -> None:
    """What the engine commits by itself: as many refreshes judged and kept as 32 callers at once can have, without HTTP and
    signatures, beside SQLite alone with groups of the size that came about, on the same cores, in turns.

    One core it shares with its callers; on all, as a server has them, the next group gathers while one is on its way to the
    disk. SQLite alone works on one in either case.
    """
    directory = os.path.join(folder, "engine")
    os.mkdir(directory, 0o700)
    fill(bench, directory, FEW_STORED_FAMILIES)
    places = {"one core": (cores.subject,)} | ({"all cores": cores.all} if len(cores.all) > 1 else {})
    found: dict[str, list[tuple[float, float, float]]] = {name: [] for name in places}
    for number in range(settings.wrk_rounds):
        for name, place in places.items():
            progress(f"refresh by the engine alone on {name}, round {number + 1} of {settings.wrk_rounds}")
            answer = json.loads(run(pinned(place, [
                bench, "--json", "--seconds", str(settings.wrk_seconds), "--directory", directory, "--clients",
                str(CONNECTIONS), "sqlite-rotations"])))
            group = answer["sqlite-rotations-group"]
            found[name].append(
                (answer["sqlite-rotations"], alone(bench, place, settings, folder, directory, group), group))
    for name, rounds in found.items():
        ours, limits, groups = (list(values) for values in zip(*rounds))
        row = table.add(f"refresh in SQLite by the engine alone, {name}", "/s", median(ours), median(limits),
                        flows.MARK, details={"ours": ours, "rows_per_second": limits, "rows_per_transaction": groups})
        row.note = f"cores: {len(places[name])}; {median(groups):.1f} changes shared a sync, here and there"


def counts(server: processes.Server) -> tuple[float, float]:
    text = server.get("/metrics")[2].decode()
    found = [re.search(rf"^pawl_store_{name}_total (\S+)$", text, re.MULTILINE) for name in ("changes", "groups")]
    if None in found:
        raise Broken("the metrics do not count changes")
    return float(found[0].group(1)), float(found[1].group(1))


def many(table: Table, pawl: str, bench: str, cores: Cores, settings: Settings, folder: str, progress) -> None:
    count = settings.stored_families
    progress(f"a database with {count:,} families")
    few, lots = os.path.join(folder, "few"), os.path.join(folder, "many")
    fill(bench, few, FEW_STORED_FAMILIES)
    fill(bench, lots, count)
    size = os.path.getsize(os.path.join(lots, "pawl.db"))
    table.add(f"disk per family, of {count:,}", "bytes", size / count, None, 1_000.0)
    for directory in (few, lots):
        os.makedirs(os.path.join(directory, "keys"), mode=0o700, exist_ok=True)
    times = [processes.first_token(pawl, os.path.join(lots, "keys"), "--data", lots) for _ in range(settings.starts)]
    start = table.add(f"start to first token with {count:,} families", "ms", median(times), None, 100.0,
                      details={"ours": times})
    warm_up(pawl, bench, lots, cores, settings, folder, progress)
    times = [processes.first_token(pawl, os.path.join(lots, "keys"), "--data", lots) for _ in range(settings.starts)]
    start.details["after_refreshes"] = times
    start.note = f"after refreshes, with a journal to be read, {median(times):.0f} ms"
    rates: dict[str, list[dict]] = {}
    with processes.pawl(pawl, folder, cores, "--token-lifetime", "1h", "--data", few, name="few") as small, \
            processes.pawl(pawl, folder, cores, "--token-lifetime", "1h", "--data", lots, name="many") as large:
        at_start = large.resident_bytes()
        for number in range(settings.wrk_rounds * TURNS):
            progress(f"refresh with {count:,} families on the disk, turn {number + 1} of {settings.wrk_rounds * TURNS}")
            turn = [(small, few), (large, lots)]
            for server, directory in turn if number % 2 else reversed(turn):
                rates.setdefault(directory, []).append(
                    load.drive(server, "/token", script(bench, directory), settings.wrk_seconds // 2, folder, cores))
        groups = {}
        for name, server in (("few", small), ("many", large)):
            changes, syncs = counts(server)
            groups[name] = changes / max(1, syncs)
        row = table.add(f"refresh with {count:,} families in SQLite, beside 1,000", "/s",
                        median([result["rate"] for result in rates[lots]]),
                        median([result["rate"] for result in rates[few]]), FLAT,
                        details={"ours": rates[lots], "limit": rates[few], "rows_per_transaction": groups})
        table.add(f"resident memory with {count:,} families in SQLite", "MB", large.resident_bytes() / 1e6, None, 100.0,
                  details={"at_start_megabytes": at_start / 1e6})
    # What a change costs more among many, before anything is put around it.
    bare: dict[str, list[float]] = {}
    for number in range(settings.wrk_rounds):
        progress(f"{count:,} rows by SQLite alone, turn {number + 1} of {settings.wrk_rounds}")
        for name, directory in (("few", few), ("many", lots)):
            bare.setdefault(name, []).append(alone(bench, (cores.subject,), settings, folder, directory, groups[name]))
    row.details["rows_per_second"] = bare
    rate = {name: median(rates) for name, rates in bare.items()}
    row.note = (f"SQLite alone, with as many changes in each transaction, is at {rate['many'] / rate['few']:.2f}: "
                f"{1e6 / rate['many'] - 1e6 / rate['few']:.0f} µs more for each change, and this takes "
                f"{1e6 / row.ours - 1e6 / row.limit:.0f} µs more")


def warm_up(
    pawl: str, bench: str, directory: str, cores: Cores, settings: Settings, folder: str, progress
) -> None:
    """Refreshes until the journal is as long as it stays: before, less is written than in the long run, or more."""
    with processes.pawl(pawl, folder, cores, "--token-lifetime", "1h", "--data", directory) as server:
        for number in range(settings.journal_turns):
            progress(f"refreshes for the journal, {number + 1} of {settings.journal_turns}")
            load.drive(server, "/token", script(bench, directory), settings.wrk_seconds, folder, cores)


def fill(bench: str, directory: str, count: int) -> None:
    run([bench, "--directory", directory, "--families", str(count), "sqlite-fill"], timeout=900)
    database = sqlite3.connect(os.path.join(directory, "pawl.db"))
    found = database.execute("SELECT count(*) FROM families").fetchone()[0]
    database.close()
    if found != count:
        raise Broken(f"there are {found} families, and not {count}")


def script(bench: str, directory: str) -> str:
    """With tokens that are good now, of families all over the database."""
    path = os.path.join(directory, "tokens")
    with open(path, "w", encoding="utf-8") as file:
        file.write(run([bench, "--directory", directory, "--tokens", str(SPREAD), "sqlite-tokens"]))
    return flows.HEADERS + SPREAD_REFRESH.replace("TOKENS", json.dumps(path))


SPREAD_REFRESH = """
local tokens, first, last = {}, 1, 0
for line in io.lines(TOKENS) do last = last + 1; tokens[last] = line end
function request()
  local token = tokens[first]
  tokens[first] = nil
  first = first + 1
  return wrk.format("POST", "/token", form, "grant_type=refresh_token&refresh_token=" .. token)
end
function response(status, headers, body)
  last = last + 1
  tokens[last] = body:match('"refresh_token":"([^"]+)"')
end
"""
