"""The rows of users' tokens: code flow, refresh, introspection, userinfo, each beside what its signatures and its HTTP
exchanges cost alone: nginx gives the same answers to the same requests.

Signatures are made together where several requests are at hand. The limit that has to be reached is what they cost one by
one, as OpenSSL makes them; what they cost together sets another, which is the higher one, and has rows of its own, whose marks
keep what was reached."""

import json
import os
import re
import socket
import urllib.parse

from . import load, processes, signatures
from .http import CLIENT, exchange
from .machine import Broken, Cores, median
from .settings import BUSY_RATE, CONNECTIONS, SATURATED, SESSIONS_BEFORE_MEMORY, Settings
from .table import Table

MARK = 0.70
# Ours, and beside nginx alone: whoever verifies each time reaches 0.1.
KNOWN_MARK = 0.25
REFRESH_ROW = "refresh with ID token, ES256"
# The smallest answer of the server.
SMALL = "/health"
SCOPE = "openid offline_access"
REDIRECT = "http://127.0.0.1/callback"
AUTHORIZE = "/authorize?" + urllib.parse.urlencode(
    {"client_id": "service", "response_type": "code", "redirect_uri": REDIRECT, "scope": SCOPE, "state": "s"})
HEADERS = f"""
local form = {{["Content-Type"] = "application/x-www-form-urlencoded", ["Authorization"] = "Basic {CLIENT}"}}
"""

# Every second request redeems a code that an earlier one brought.
CODE_FLOW = HEADERS + f"""
local codes = {{}}
function request()
  local code = table.remove(codes)
  if code == nil then return wrk.format("GET", "{AUTHORIZE}") end
  return wrk.format("POST", "/token", form,
    "grant_type=authorization_code&redirect_uri={urllib.parse.quote(REDIRECT, safe='')}&code=" .. code)
end
function response(status, headers, body)
  local place = headers["Location"]
  if place ~= nil then table.insert(codes, place:match("[?&]code=([^&]+)")) end
end
"""

# Each refresh token is presented once; the next one comes with the answer, and waits until the others have been used.
REFRESH = """
local tokens = {%s}
local first, last = 1, #tokens
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

# Each of these tokens in its turn: one that is known to the server, or so many that it has forgotten each when it comes again.
# It keeps 1,024 (AccessTokenVerifier), and those who ask for different things ask about different tokens. One thread alone may
# drive this: two would go through the tokens one behind the other.
IN_TURN = """
local tokens = {%s}
local place = 0
local function turn()
  place = place %% #tokens + 1
  return tokens[place]
end
"""
KNOWN_TOKENS = 1
NEW_TOKENS = 4096

INTROSPECT = HEADERS + IN_TURN + """
function request() return wrk.format("POST", "/introspect", form, "token=" .. turn()) end
"""

USERINFO = IN_TURN + """
local bearer = {}
for _, token in ipairs(tokens) do bearer[token] = {["Authorization"] = "Bearer " .. token} end
function request() return wrk.format("GET", "/userinfo", bearer[turn()]) end
"""


def measure(
    table: Table, pawl: str, bench: str | None, cores: Cores, settings: Settings, folder: str, progress
) -> None:
    signed = signatures.Beside(
        bench, [signatures.SIGN, signatures.TOGETHER, signatures.VERIFY], cores, settings)
    rates: dict[str, list[dict]] = {}
    limits: dict[str, list[dict]] = {}
    with processes.pawl(pawl, folder, cores, "--auto-login", "--token-lifetime", "1h") as server:
        with processes.nginx(answers(server), folder, cores) as nginx:
            progress(f"users' tokens, {NEW_TOKENS:,} to ask about")
            new = [lua([tokens(server)["access_token"] for _ in range(NEW_TOKENS)]) for _ in range(2)]
            for number in range(settings.wrk_rounds):
                progress(f"users' tokens, round {number + 1} of {settings.wrk_rounds}")
                brought = [tokens(server) for _ in range(CONNECTIONS * 2)]
                refresh = lua([answer["refresh_token"] for answer in brought])
                known = lua([answer["access_token"] for answer in brought[:KNOWN_TOKENS]])
                signed.measure()
                small = load.drive(server, SMALL, "", settings.wrk_seconds, folder, cores)
                rates.setdefault("small", []).append(small)
                for name, path, script in [
                    ("code", "/", CODE_FLOW),
                    ("refresh", "/token", HEADERS + REFRESH % refresh),
                    ("introspection", "/introspect", INTROSPECT % new[0]),
                    ("introspection again", "/introspect", INTROSPECT % known),
                    ("userinfo", "/userinfo", USERINFO % new[1]),
                    ("userinfo again", "/userinfo", USERINFO % known),
                ]:
                    for peer, results in [(server, rates), (nginx, limits)]:
                        driven = load.drive(peer, path, script, settings.wrk_seconds, folder, cores)
                        results.setdefault(name, []).append(driven)

    if not signed:
        return
    sign, together, verify = (
        1 / signed.rate(row) for row in (signatures.SIGN, signatures.TOGETHER, signatures.VERIFY))

    def middle(results: list[dict], what: str = "rate") -> float:
        return median([result[what] for result in results])

    def add(figure: str, name: str, requests: int, seconds: float, mark: float = MARK) -> None:
        """Against the same messages from a server that only sends them, and what else is owed."""
        exchanges = requests / middle(limits[name])
        row = table.add(figure, "/s", middle(rates[name]) / requests, 1 / (seconds + exchanges), mark,
                        details={"ours": rates[name], "exchanges": limits[name], "signatures": signed.rates})
        busy, others = middle(rates[name], "busy"), middle(limits[name], "busy")
        if min(busy, others) < SATURATED:
            ours = middle(rates[name], BUSY_RATE) / requests
            ratio = ours * (seconds + requests / middle(limits[name], BUSY_RATE))
            row.note = (f"the core was not theirs alone, or the load did not fill it (busy {busy:.0%}, "
                        f"nginx {others:.0%}); by processor time the ratio is {ratio:.2f}")

    # Two exchanges; an access token and an ID token are signed.
    add("code flow to tokens, ES256", "code", 2, 2 * sign)
    add(REFRESH_ROW, "refresh", 1, 2 * sign)
    add("code flow, beside signatures together", "code", 2, 2 * together, 0.40)
    add("refresh, beside signatures together", "refresh", 1, 2 * together, 0.45)
    # Nobody has to verify a token twice, so that nothing but the exchange is owed for one that is known.
    for name in ("introspection", "userinfo"):
        add(f"{name}, ES256", name, 1, verify)
        add(f"{name}, token seen before", f"{name} again", 1, 0, KNOWN_MARK)

    # Of all connections at once, one waits for all others, here and there: on the mean as long as their number takes. A slow
    # one waits longer. The limit is a request of this length that is slow as often as the smallest one of the same server,
    # in turns with it: whatever makes a refresh wait for something else, a lock or a thread, shows in the ratio.
    def tail(results: list[dict]) -> float:
        return median([result["p99_microseconds"] * result["rate"] for result in results])

    mean = 1 / median([result["rate"] for result in rates["refresh"]])
    table.add(f"p99 of refresh, {CONNECTIONS} connections", "µs", tail(rates["refresh"]) * mean,
              tail(rates["small"]) * mean, MARK, is_time=True, details={"ours": rates["refresh"], "limit": rates["small"]})


def lua(texts: list[str]) -> str:
    """What a table of Lua has between its braces."""
    return ", ".join(json.dumps(text) for text in texts)


def answers(server: processes.Server) -> dict[str, processes.Answer]:
    """One answer of each kind that is measured."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as connection:
        authorized, code = authorize(server, connection)
        granted = redeem(server, connection, code)
        access = json.loads(granted[2])["access_token"]
        bearer = f"Authorization: Bearer {access}\r\n"
        introspected = post(server, connection, "/introspect", {"token": access})
        told = exchange(
            connection, f"GET /userinfo HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n{bearer}\r\n".encode())
    found = {"/authorize": authorized, "/token": granted, "/introspect": introspected, "/userinfo": told}
    return {path: processes.Answer.of(exchanged) for path, exchanged in found.items()}


def memory(table: Table, pawl: str, cores: Cores, folder: str) -> None:
    """What a live session, login and tokens, adds to the resident memory of the server."""
    with processes.pawl(pawl, folder, cores, "--auto-login") as server:
        tokens(server)
        before = server.resident_bytes()
        with socket.create_connection(("127.0.0.1", server.port), timeout=5) as connection:
            for _ in range(SESSIONS_BEFORE_MEMORY):
                flow(server, connection)
        grown = server.resident_bytes() - before
        table.add(f"memory per live session, of {SESSIONS_BEFORE_MEMORY:,}", "KB",
                  grown / SESSIONS_BEFORE_MEMORY / 1e3, None, 3.0, details={"before_megabytes": before / 1e6})


def tokens(server: processes.Server) -> dict:
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as connection:
        return flow(server, connection)


def flow(server: processes.Server, connection: socket.socket) -> dict:
    _, code = authorize(server, connection)
    return json.loads(redeem(server, connection, code)[2])


def authorize(server: processes.Server, connection: socket.socket) -> tuple[tuple[int, bytes, bytes], str]:
    exchanged = exchange(
        connection, f"GET {AUTHORIZE} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
    found = re.search(rb"(?i)location: \S*[?&]code=([^&\s]+)", exchanged[1])
    if found is None:
        raise Broken(f"GET /authorize is answered with {exchanged[0]} and without a code")
    return exchanged, found.group(1).decode()


def redeem(server: processes.Server, connection: socket.socket, code: str) -> tuple[int, bytes, bytes]:
    exchanged = post(
        server, connection, "/token",
        {"grant_type": "authorization_code", "redirect_uri": REDIRECT, "code": code})
    if exchanged[0] != 200:
        raise Broken(f"POST /token is answered with {exchanged[0]}: {exchanged[2][:200]!r}")
    return exchanged


def post(
    server: processes.Server, connection: socket.socket, path: str, form: dict[str, str]
) -> tuple[int, bytes, bytes]:
    body = urllib.parse.urlencode(form).encode()
    return exchange(connection, (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: Basic {CLIENT}\r\n"
        f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n").encode() + body)
