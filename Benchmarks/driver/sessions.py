"""The cost of a refresh with few and with many sessions in the store."""

from .machine import Cores, median
from .settings import Settings
from .signatures import pawl_bench
from .table import Table

FEW, SOME, MANY = "refresh-1", "refresh-1000", "refresh-1000000"
# Flat within 10 %.
MARK = 0.90


def measure(table: Table, bench: str, cores: Cores, settings: Settings, progress) -> None:
    rates: dict[str, list[float]] = {}
    for number in range(settings.session_rounds):
        progress(f"refresh with up to a million sessions, round {number + 1} of {settings.session_rounds}")
        # Each in a process of its own: what one leaves behind in the memory is not the other's.
        for name in (FEW, SOME, MANY):
            rates.setdefault(name, []).append(pawl_bench(bench, [name], cores, settings)[name])
    for name, figure in ((SOME, "refresh with 1,000 sessions, beside one"),
                         (MANY, "refresh with 1,000,000 sessions, beside one")):
        table.add(figure, "/s", median(rates[name]), median(rates[FEW]), MARK,
                  details={"ours": rates[name], "limit": rates[FEW]})
    progress("memory of a million sessions")
    size = pawl_bench(bench, ["session-bytes"], cores, settings)["session-bytes"]
    table.add("memory per family, of 1,000,000", "bytes", size, None, 1_000.0)
