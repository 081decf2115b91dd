"""The rows that need no server: signatures and tokens, in one process on one core."""

import json
import re

from .machine import Broken, Cores, command, median, pinned, run
from .settings import Settings
from .table import Table

SIGN, TOGETHER, VERIFY = "es256-sign", "es256-sign-together", "es256-verify"
ROWS = ["rs256-sign", "ps256-sign", SIGN, TOGETHER, VERIFY]


def measure(table: Table, bench: str, cores: Cores, settings: Settings, progress) -> None:
    limits: dict[str, list[float]] = {}
    ours: dict[str, list[float]] = {}
    # Limit and figure take turns, so that a machine that slows down slows down both.
    for number in range(settings.rounds):
        progress(f"signatures, round {number + 1} of {settings.rounds}")
        for name, value in openssl_speed(cores, settings).items():
            limits.setdefault(name, []).append(value)
        for name, value in pawl_bench(bench, ROWS, cores, settings).items():
            ours.setdefault(name, []).append(value)
        tokens = pawl_bench(bench, ["hs256-bare-hmac", "hs256-jwt"], cores, settings)
        limits.setdefault("hmac", []).append(tokens["hs256-bare-hmac"])
        ours.setdefault("hs256-jwt", []).append(tokens["hs256-jwt"])

    def add(figure: str, row: str, limit: str, mark: float) -> None:
        table.add(figure, "/s", median(ours[row]), median(limits[limit]), mark,
                  details={"ours": ours[row], "limit": limits[limit]})

    add("RS256 signatures", "rs256-sign", "rsa-sign", 0.95)
    add("PS256 signatures", "ps256-sign", "rsa-sign", 0.95)
    add("ES256 signatures", SIGN, "ecdsa-sign", 0.90)
    # OpenSSL has no way to make several at once: the limit is what they take one after the other.
    add("ES256 signatures, 16 at once", TOGETHER, "ecdsa-sign", 1.40)
    add("ES256 verifications", VERIFY, "ecdsa-verify", 0.95)
    add("HS256 whole JWT", "hs256-jwt", "hmac", 0.50)


class Beside:
    """What signatures take between the rounds of something else that owes some: a machine that slows down slows down both.
    False without a program to measure them by."""

    def __init__(self, bench: str | None, rows: list[str], cores: Cores, settings: Settings) -> None:
        self.bench, self.rows, self.cores, self.settings = bench, rows, cores, settings
        self.rates: dict[str, list[float]] = {row: [] for row in rows}

    def __bool__(self) -> bool:
        return bool(self.bench)

    def measure(self) -> None:
        if not self.bench:
            return
        for row, rate in pawl_bench(self.bench, self.rows, self.cores, self.settings).items():
            self.rates[row].append(rate)

    def rate(self, row: str) -> float:
        return median(self.rates[row])


def openssl_speed(cores: Cores, settings: Settings) -> dict[str, float]:
    """Signatures and verifications per second of processor time, as OpenSSL counts itself."""
    text = run(pinned((cores.subject,), [
        command("openssl"), "speed", "-seconds", str(settings.speed_seconds), "rsa2048", "ecdsap256"]))
    # sign time, verify time, signatures per second, verifications per second
    rsa = re.search(r"rsa\s+2048 bits\s+\S+s\s+\S+s\s+([\d.]+)\s+([\d.]+)", text)
    ecdsa = re.search(r"256 bits ecdsa.*?\s+\S+s\s+\S+s\s+([\d.]+)\s+([\d.]+)", text)
    if rsa is None or ecdsa is None:
        raise Broken("openssl speed printed something unexpected")
    return {
        "rsa-sign": float(rsa.group(1)),
        "ecdsa-sign": float(ecdsa.group(1)),
        "ecdsa-verify": float(ecdsa.group(2)),
    }


def pawl_bench(bench: str, rows: list[str], cores: Cores, settings: Settings) -> dict[str, float]:
    text = run(pinned((cores.subject,), [bench, "--json", "--seconds", str(settings.row_seconds)] + rows))
    return json.loads(text)
