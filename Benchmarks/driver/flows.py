"""The rows of users' tokens: code flow, refresh, introspection, userinfo, each beside what its signatures and its HTTP
exchanges cost alone."""

import json
import os
import re
import socket
import urllib.parse

from . import load, processes
from .http import CLIENT, exchange
from .machine import Broken, Cores, median
from .settings import CONNECTIONS, SESSIONS_BEFORE_MEMORY, Settings
from .table import Table

MARK = 0.70
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

# Each refresh token is presented once; the next one comes with the answer.
REFRESH = """
local tokens = {%s}
function request()
  local token = table.remove(tokens)
  return wrk.format("POST", "/token", form, "grant_type=refresh_token&refresh_token=" .. token)
end
function response(status, headers, body)
  table.insert(tokens, body:match('"refresh_token":"([^"]+)"'))
end
"""

INTROSPECT = """
wrk.method = "POST"
wrk.headers["Content-Type"] = form["Content-Type"]
wrk.headers["Authorization"] = form["Authorization"]
wrk.body = "token=%s"
"""

USERINFO = """
wrk.headers["Authorization"] = "Bearer %s"
"""


def measure(table: Table, pawl: str, cores: Cores, settings: Settings, folder: str, progress) -> None:
    rates: dict[str, list[dict]] = {}
    with processes.pawl(pawl, folder, cores, "--auto-login", "--token-lifetime", "1h") as server:
        for number in range(settings.wrk_rounds):
            progress(f"users' tokens, round {number + 1} of {settings.wrk_rounds}")
            answers = [tokens(server) for _ in range(CONNECTIONS * 2)]
            refresh = ", ".join(json.dumps(answer["refresh_token"]) for answer in answers)
            access = answers[0]["access_token"]
            for name, path, script in [
                ("code", "/", CODE_FLOW),
                ("refresh", "/token", HEADERS + REFRESH % refresh),
                ("introspection", "/introspect", HEADERS + INTROSPECT % access),
                ("userinfo", "/userinfo", USERINFO % access),
            ]:
                driven = load.drive(server, path, script, settings.wrk_seconds, folder, cores)
                rates.setdefault(name, []).append(driven)

    signature, verification = table.find("ES256 signatures"), table.find("ES256 verifications")
    http = table.find("small JSON response")
    if signature is None or verification is None or http is None:
        return
    sign, verify, exchange_cost = 1 / signature.ours, 1 / verification.ours, 1 / http.ours

    def add(figure: str, name: str, requests: int, seconds: float) -> None:
        ours = median([result["rate"] for result in rates[name]]) / requests
        row = table.add(figure, "/s", ours, 1 / seconds, MARK, details={"ours": rates[name]})
        busy = median([result["busy"] for result in rates[name]])
        if busy < 0.9:
            row.note = f"the load did not fill the core (busy {busy:.0%})"

    # Two exchanges; an access token and an ID token are signed.
    add("code flow to tokens, ES256", "code", 2, 2 * sign + 2 * exchange_cost)
    add("refresh with ID token, ES256", "refresh", 1, 2 * sign + exchange_cost)
    add("introspection, ES256", "introspection", 1, verify + exchange_cost)
    add("userinfo, ES256", "userinfo", 1, verify + exchange_cost)


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
    host = f"Host: 127.0.0.1:{server.port}\r\n"
    status, head, _ = exchange(connection, f"GET {AUTHORIZE} HTTP/1.1\r\n{host}\r\n".encode())
    found = re.search(rb"(?i)location: \S*[?&]code=([^&\s]+)", head)
    if found is None:
        raise Broken(f"GET /authorize is answered with {status} and without a code")
    body = urllib.parse.urlencode(
        {"grant_type": "authorization_code", "redirect_uri": REDIRECT, "code": found.group(1).decode()}).encode()
    status, _, answer = exchange(connection, (
        f"POST /token HTTP/1.1\r\n{host}Authorization: Basic {CLIENT}\r\n"
        f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n").encode() + body)
    if status != 200:
        raise Broken(f"POST /token is answered with {status}: {answer[:200]!r}")
    return json.loads(answer)
