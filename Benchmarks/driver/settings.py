"""How long and how often things are measured."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    rounds: int
    # openssl speed takes whole seconds only.
    speed_seconds: int
    row_seconds: float
    wrk_rounds: int
    wrk_seconds: int
    starts: int
    session_rounds: int
    # In a database, where there are many.
    stored_families: int
    # Of load, before anything is measured there.
    journal_turns: int


FULL = Settings(rounds=5, speed_seconds=1, row_seconds=1.0, wrk_rounds=5, wrk_seconds=4, starts=31, session_rounds=3,
                stored_families=1_000_000, journal_turns=12)
QUICK = Settings(rounds=2, speed_seconds=1, row_seconds=0.5, wrk_rounds=2, wrk_seconds=2, starts=9, session_rounds=1,
                 stored_families=50_000, journal_turns=1)

# Simultaneous keep-alive connections, and threads, of the load.
CONNECTIONS = 32
THREADS = 1
TOKENS_BEFORE_MEMORY = 10_000
SESSIONS_BEFORE_MEMORY = 20_000
# A server that is busy for less of the time was not measured at its limit.
SATURATED = 0.9
BUSY_RATE = "rate_per_busy_second"
# Where there are few families in a database.
FEW_STORED_FAMILIES = 1_000
