"""Load by wrk."""

import json
import os
import time

from .http import CLIENT, FORM
from .machine import Broken, Cores, command, pinned, run
from .processes import Server
from .settings import CONNECTIONS, THREADS

DONE = """
done = function(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    '\\nRESULT {"requests": %d, "microseconds": %d, "failures": %d, "p99_microseconds": %d}\\n',
    summary.requests, summary.duration,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout, latency:percentile(99)))
end
"""

TOKEN = f"""
wrk.method = "POST"
wrk.body = "{FORM}"
wrk.headers["Content-Type"] = "application/x-www-form-urlencoded"
wrk.headers["Authorization"] = "Basic {CLIENT}"
"""


def drive(server: Server, path: str, prelude: str, seconds: int, folder: str, cores: Cores) -> dict:
    """Requests per second, and how much of its core the server used for them."""
    script = os.path.join(folder, "load.lua")
    with open(script, "w", encoding="utf-8") as file:
        file.write(prelude + DONE)
    busy, began = server.busy_seconds(), time.monotonic()
    text = run(pinned((cores.load,), [
        command("wrk"), f"-t{THREADS}", f"-c{CONNECTIONS}", f"-d{seconds}s", "-s", script,
        f"http://127.0.0.1:{server.port}{path}"]), timeout=seconds + 30)
    busy, elapsed = server.busy_seconds() - busy, time.monotonic() - began
    lines = [line for line in text.splitlines() if line.startswith("RESULT ")]
    if not lines:
        raise Broken(f"wrk printed something unexpected: {text[-500:]}")
    result = json.loads(lines[0].removeprefix("RESULT "))
    if result["failures"] or not result["requests"]:
        raise Broken(f"of {result['requests']} requests for {path} {result['failures']} failed\n{server.last_words()}")
    return {
        "rate": result["requests"] / (result["microseconds"] / 1e6),
        "rate_per_busy_second": result["requests"] / busy if busy else 0.0,
        "busy": busy / elapsed,
        "p99_microseconds": result["p99_microseconds"],
    }
