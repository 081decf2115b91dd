"""The rows that need the server."""

import os
import shutil
import socket
import tempfile

from . import flows, load, processes, signatures, stores
from .http import exchange, token_request
from .machine import Broken, Cores, median
from .settings import BUSY_RATE, SATURATED, TOKENS_BEFORE_MEMORY, Settings
from .table import Table


def measure(table: Table, pawl: str, bench: str | None, cores: Cores, settings: Settings, progress) -> None:
    folder = tempfile.mkdtemp(prefix="pawl-bench-")
    try:
        os.makedirs(os.path.join(folder, "keys"), mode=0o700)
        throughput(table, pawl, bench, cores, settings, folder, progress)
        flows.measure(table, pawl, bench, cores, settings, folder, progress)
        if bench:
            stores.measure(table, pawl, bench, cores, settings, folder, progress)
        progress("cold start")
        cold_start(table, pawl, settings, folder)
        progress(f"memory after {TOKENS_BEFORE_MEMORY} tokens")
        memory(table, pawl, cores, folder)
        flows.memory(table, pawl, cores, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def throughput(
    table: Table, pawl: str, bench: str | None, cores: Cores, settings: Settings, folder: str, progress
) -> None:
    signed = signatures.Beside(bench, [signatures.SIGN], cores, settings)
    small, small_limit, tokens = [], [], []
    with processes.pawl(pawl, folder, cores) as ours:
        answer = processes.Answer.of(ours.get(flows.SMALL))
        if answer.status != 200:
            raise Broken(f"GET {flows.SMALL} is answered with {answer.status}")
        with processes.nginx({flows.SMALL: answer}, folder, cores) as nginx:
            if nginx.get(flows.SMALL)[2].decode() != answer.body:
                raise Broken("nginx does not give the same answer")
            for server in (ours, nginx):
                load.drive(server, flows.SMALL, "", 1, folder, cores)
            for number in range(settings.wrk_rounds):
                progress(f"responses, round {number + 1} of {settings.wrk_rounds}")
                small.append(load.drive(ours, flows.SMALL, "", settings.wrk_seconds, folder, cores))
                small_limit.append(load.drive(nginx, flows.SMALL, "", settings.wrk_seconds, folder, cores))
                tokens.append(load.drive(ours, "/token", load.TOKEN, settings.wrk_seconds, folder, cores))
                signed.measure()

    def middle(results: list[dict], what: str = "rate") -> float:
        return median([result[what] for result in results])

    row = table.add("small JSON response", "/s", middle(small), middle(small_limit), 0.85,
                    details={"ours": small, "limit": small_limit})
    if min(middle(small, "busy"), middle(small_limit, "busy")) < SATURATED:
        exact = middle(small, BUSY_RATE) / middle(small_limit, BUSY_RATE)
        row.note = unsaturated(f"{middle(small, 'busy'):.0%}, nginx {middle(small_limit, 'busy'):.0%}", exact)
    if signed:
        signs = signed.rate(signatures.SIGN)
        row = table.add("client_credentials, ES256", "/s", middle(tokens), both(signs, row.ours), 0.75,
                        details={"ours": tokens, "signatures": signed.rates})
        if middle(tokens, "busy") < SATURATED:
            exact = middle(tokens, BUSY_RATE) / both(signs, middle(small, BUSY_RATE))
            row.note = unsaturated(f"{middle(tokens, 'busy'):.0%}", exact)


def both(one: float, other: float) -> float:
    """How often two things can be done one after the other, each of which can be done that often alone."""
    return 1 / (1 / one + 1 / other)


def unsaturated(busy: str, ratio: float) -> str:
    return (f"the core was not ours alone, or the load did not fill it (busy {busy}); "
            f"by processor time the ratio is {ratio:.2f}")


def cold_start(table: Table, pawl: str, settings: Settings, folder: str) -> None:
    """From exec to the whole answer with the first token; the keys are on disk from the runs before."""
    times = [processes.first_token(pawl, os.path.join(folder, "keys")) for _ in range(settings.starts)]
    table.add("cold start to first token", "ms", median(times), None, 30.0, details={"ours": times})


def memory(table: Table, pawl: str, cores: Cores, folder: str) -> None:
    with processes.pawl(pawl, folder, cores) as server:
        before = server.resident_bytes()
        request = token_request(server.port)
        with socket.create_connection(("127.0.0.1", server.port), timeout=5) as connection:
            for _ in range(TOKENS_BEFORE_MEMORY):
                if exchange(connection, request)[0] != 200:
                    raise Broken("POST /token fails")
        table.add(f"resident memory after {TOKENS_BEFORE_MEMORY:,} tokens", "MB", server.resident_bytes() / 1e6, None,
                  25.0, details={"before_megabytes": before / 1e6})
