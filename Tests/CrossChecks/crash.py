"""Kills a provider under load, again and again, and sees that nothing it had acknowledged is lost.

    crash.py --pawl .build/release/pawl --rounds 200

A round: a server with --data is started, several connections get tokens by code flows and refresh them without pause, and
at a random moment the process is killed with SIGKILL. Then it is started again, and asked:

- a refresh token whose answer was wholly read is good, unless it had been presented again when the end came: then it is
  good or has been spent;
- the one before it is what the rotation profile says, each round another: with 'strict' it is spent, and ends its family when
  it is shown, so that no family has two that are good; within a window it gets the successor that it had, and no other, or
  one more; and then a token that was presented when the end came is not lost at all. After the window it is refused, and its
  family ends where the profile says so, and there alone;
- a code that was handed out can be redeemed, once;
- a client that has registered itself is there as it last registered, unless it had asked for a change when the end came, and
  one that has removed itself is not;
- the keys of a tenant are what they were;
- the database passes SQLite's own check of its integrity.

Prints one line for each round, and what it found at the end as JSON. Exits with 1 at the first loss, and with 2 when there was
no time for as many rounds as were asked for.
"""

import argparse
import base64
import hashlib
import http.client
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

REDIRECT = "http://127.0.0.1/callback"
VERIFIER = "v" * 50
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
SECONDS_TO_START = 30


class Server:
    """A provider, from its start to its violent end."""

    def __init__(self, pawl, directory, rotation="strict"):
        self.process = subprocess.Popen(
            [pawl, "serve", "--data", directory, "--listen", "127.0.0.1:0", "--auto-login", "--alg", "ES256", "--json",
             "--registration", "open", "--log-level", "error", "--rotation", rotation],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        watch = threading.Timer(SECONDS_TO_START, self.process.kill)
        watch.start()
        line = self.process.stdout.readline()
        watch.cancel()
        if not line.startswith("{"):
            raise Loss("the server does not start: " + self.process.stderr.read())
        self.port = json.loads(line)["addresses"][0]["port"]

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.communicate(timeout=SECONDS_TO_START)
        except subprocess.TimeoutExpired:
            self.kill()
            raise Loss("the server does not stop")


class Loss(Exception):
    """Something that was acknowledged is gone, or something is there that must not be."""


class Connection:
    def __init__(self, port):
        self.http = http.client.HTTPConnection("127.0.0.1", port, timeout=20)

    def code(self):
        query = urllib.parse.urlencode({
            "response_type": "code", "client_id": "web", "redirect_uri": REDIRECT, "scope": "openid offline_access",
            "state": "1", "code_challenge": CHALLENGE, "code_challenge_method": "S256"})
        self.http.request("GET", "/authorize?" + query)
        response = self.http.getresponse()
        response.read()
        location = response.headers.get("Location") or ""
        parameters = urllib.parse.parse_qs(urllib.parse.urlsplit(location).query)
        if "code" not in parameters:
            raise Loss(f"no code, but {response.status} {location}")
        return parameters["code"][0]

    def token(self, **parameters):
        """Status and refresh token; only an answer that was wholly read counts."""
        body = urllib.parse.urlencode(dict(parameters, client_id="web"))
        self.http.request("POST", "/token", body, {"Content-Type": "application/x-www-form-urlencoded"})
        response = self.http.getresponse()
        answer = json.loads(response.read())
        return response.status, answer.get("refresh_token"), answer.get("error")

    def registration(self, method, path, token=None, members=None):
        headers = {"Content-Type": "application/json"} if members is not None else {}
        if token is not None:
            headers["Authorization"] = "Bearer " + token
        self.http.request(method, path, json.dumps(members) if members is not None else None, headers)
        response = self.http.getresponse()
        body = response.read()
        return response.status, json.loads(body) if body else {}

    def keys(self, tenant):
        self.http.request("GET", f"/t/{tenant}/jwks.json")
        response = self.http.getresponse()
        return sorted(key["kid"] for key in json.loads(response.read())["keys"])

    def advance(self, duration):
        self.http.request(
            "POST", "/_pawl/clock/advance", json.dumps({"by": duration}), {"Content-Type": "application/json"})
        response = self.http.getresponse()
        response.read()
        if response.status != 200:
            raise Loss(f"the clock cannot be moved: {response.status}")

    def redeem(self, code):
        return self.token(grant_type="authorization_code", code=code, redirect_uri=REDIRECT, code_verifier=VERIFIER)

    def refresh(self, token):
        return self.token(grant_type="refresh_token", refresh_token=token)


class Family:
    """What a client knows of one authorisation."""

    def __init__(self, code):
        self.code = code
        self.tokens = []
        # Those that were good when the end had been looked at.
        self.last = []
        # Whether the code, or the last token, was presented and no answer came.
        self.is_asking = False


class Registered:
    """A client that looks after its own registration (RFC 7592)."""

    def __init__(self, connection):
        self.members = {"redirect_uris": [REDIRECT], "client_name": "0", "id_token_signed_response_alg": "ES256"}
        status, answer = connection.registration("POST", "/register", members=self.members)
        if status != 201:
            raise Loss(f"a client cannot register: {status} {answer}")
        self.id = answer["client_id"]
        self.token = answer["registration_access_token"]
        self.secret = answer["client_secret"]
        self.names = {"0"}
        self.is_gone = False
        self.is_leaving = False

    @property
    def path(self):
        return "/register?client_id=" + self.id

    def rename(self, connection, name):
        # Until the answer is there it may have either.
        self.names.add(name)
        members = dict(self.members, client_id=self.id, client_name=name)
        status, answer = connection.registration("PUT", self.path, self.token, members)
        if status != 200:
            raise Loss(f"a client cannot change: {status} {answer}")
        self.names = {name}

    def leave(self, connection):
        self.is_leaving = True
        status, answer = connection.registration("DELETE", self.path, self.token)
        if status != 204:
            raise Loss(f"a client cannot leave: {status} {answer}")
        self.is_gone = True

    def verify(self, connection):
        status, answer = connection.registration("GET", self.path, self.token)
        if self.is_gone:
            if status != 401:
                raise Loss("a client that was removed has come back")
            return
        if status == 401 and self.is_leaving:
            return
        if status != 200:
            raise Loss(f"a client that was registered is lost: {status} {answer}")
        if answer["client_name"] not in self.names:
            raise Loss(f"a client is called {answer['client_name']}, and not {self.names}")
        if answer["client_secret"] != self.secret:
            raise Loss("a client has another secret")


def register(port, clients, errors):
    """Registers clients, changes them and removes some, until the connection breaks."""
    try:
        connection = Connection(port)
        number = 0
        while True:
            client = Registered(connection)
            clients.append(client)
            for _ in range(random.randrange(4)):
                number += 1
                client.rename(connection, str(number))
            if random.random() < 0.3:
                client.leave(connection)
    except (OSError, http.client.HTTPException, ValueError):
        pass
    except Loss as loss:
        errors.append(loss)


def load(port, families, errors):
    """Begins families and refreshes them, until the connection breaks."""
    try:
        connection = Connection(port)
        mine = []
        while True:
            if len(mine) < 3 or random.random() < 0.1:
                family = Family(connection.code())
                families.append(family)
                mine.append(family)
                # Some codes are left for after the end.
                if random.random() < 0.2:
                    continue
            family = random.choice(mine)
            family.is_asking = True
            if family.tokens:
                status, token, error = connection.refresh(family.tokens[-1])
            else:
                status, token, error = connection.redeem(family.code)
            if status != 200:
                raise Loss(f"refused before the end: {status} {error}")
            family.tokens.append(token)
            family.is_asking = False
    except (OSError, http.client.HTTPException, ValueError):
        pass
    except Loss as loss:
        errors.append(loss)


class Rules:
    """What holds after the end under a rotation profile."""

    def __init__(self, rotation):
        self.rotation = rotation

    def verify(self, connection, family, counts, generator):
        if family.tokens:
            counts["tokens"] += 1
            self.verify_tokens(connection, family, counts, generator)
        else:
            self.verify_code(connection, family, counts)

    def verify_code(self, connection, family, counts):
        status, _, error = connection.redeem(family.code)
        if status != 200 and not (family.is_asking and error == "invalid_grant"):
            raise Loss(f"a code that was handed out is lost: {status} {error}")
        counts["codes"] += 1
        if status == 200 and connection.redeem(family.code)[0] == 200:
            raise Loss("a code was redeemed twice")

    def verify_later(self, connection, family):
        """When every window is over."""


class Strict(Rules):
    """A token is good once, and who shows one that was replaced ends its family."""

    def verify_tokens(self, connection, family, counts, generator):
        if len(family.tokens) > 1 and generator.random() < 0.3:
            return self.check_earlier(connection, family)
        status, token, error = connection.refresh(family.tokens[-1])
        if status != 200:
            if not (family.is_asking and error == "invalid_grant"):
                raise Loss(f"a refresh token that was handed out is lost: {status} {error}")
            # It was spent on a successor that never arrived. So it was ended, as a stolen one.
            counts["successors"] += 1
            return
        # What was good before is not good any more, and whoever shows it ends the family.
        refused(connection, family.tokens[-1], "two refresh tokens of a family are good", "invalid_grant")
        refused(connection, token, "a family lives on after the reuse of a token", "invalid_grant")

    def check_earlier(self, connection, family):
        """A token from before the last one was spent, and its spending acknowledged."""
        refused(connection, family.tokens[-2], "a refresh token that was spent is good again", "invalid_grant")
        refused(connection, family.tokens[-1], "a family lives on after the reuse of a token", "invalid_grant")


class SameSuccessor(Rules):
    """Within the window a token that was replaced gets the successor that there is: who has lost an answer finds it again."""

    def verify_tokens(self, connection, family, counts, generator):
        last = family.tokens[-1]
        if len(family.tokens) > 2:
            # Its successor was spent, and that was acknowledged. Nothing ends with it.
            refused(connection, family.tokens[-3], "a token is good although its successor was spent", "invalid_request")
        if len(family.tokens) > 1:
            status, token, error = connection.refresh(family.tokens[-2])
            if status == 200 and token != last:
                raise Loss("a token that was replaced gets another successor than before the end")
            if status != 200:
                if not (family.is_asking and error == "invalid_request"):
                    raise Loss(f"a token that was replaced does not get its successor: {status} {error}")
                counts["successors"] += 1
        # Be it that it was presented when the end came: its successor is there for it.
        successor = accepted(connection, last, "a refresh token that was handed out is lost")
        if accepted(connection, last, "a token that was replaced does not get its successor") != successor:
            raise Loss("two successors of a token are good")
        if successor == last:
            raise Loss("a token is its own successor")
        family.tokens.append(successor)

    def verify_later(self, connection, family):
        if family.tokens:
            refused(connection, family.tokens[-2], "a token is good after its window", "invalid_request")
            accepted(connection, family.tokens[-1], "a token that was refused has ended its family")


class NewSuccessor(Rules):
    """Within the window a token that was replaced gets another successor, beside the one before."""

    def verify_tokens(self, connection, family, counts, generator):
        given = list(family.tokens)
        for token in family.tokens[-2:]:
            given.append(accepted(connection, token, "a refresh token that was handed out is lost"))
        given.append(accepted(connection, family.tokens[-1], "a token that was replaced gets no other successor"))
        if len(set(given)) != len(given):
            raise Loss("a successor is one that was given before")
        if family.is_asking:
            counts["successors"] += 1
        # All that were given now are good beside each other.
        family.last = [accepted(connection, token, "a successor is not good") for token in given[len(family.tokens):]]

    def verify_later(self, connection, family):
        if family.tokens:
            refused(connection, family.tokens[-1], "a token is good after its window", "invalid_grant")
            for token in family.last:
                refused(connection, token, "a family lives on after the reuse of a token", "invalid_grant")


def accepted(connection, token, otherwise):
    status, successor, error = connection.refresh(token)
    if status != 200 or successor is None:
        raise Loss(f"{otherwise}: {status} {error}")
    return successor


def refused(connection, token, otherwise, expected):
    status, _, error = connection.refresh(token)
    if status != 400 or error != expected:
        raise Loss(f"{otherwise}: {status} {error}")


# Longer than any round takes; then the clock of the server is moved.
WINDOW = "10m"
RULES = [Strict("strict"), SameSuccessor(f"dex,window={WINDOW},young=rotated"), NewSuccessor(f"okta,window={WINDOW}")]


def check_database(directory):
    database = sqlite3.connect(os.path.join(directory, "pawl.db"))
    try:
        finding = database.execute("PRAGMA integrity_check").fetchall()
        if finding != [("ok",)]:
            raise Loss(f"the database is damaged: {finding}")
        for name, count in database.execute("SELECT name, sum(count) FROM counts GROUP BY name").fetchall():
            found = database.execute(f"SELECT count(*) FROM {name}").fetchone()[0]
            if found != count:
                raise Loss(f"{name} has {found} rows, and {count} are counted")
    finally:
        database.close()


def play(pawl, directory, connections, rules, generator, counts):
    server = Server(pawl, directory, rules.rotation)
    families, clients, errors = [], [], []
    tenant = f"tenant-{generator.randrange(20)}"
    keys = Connection(server.port).keys(tenant)
    threads = [threading.Thread(target=load, args=(server.port, families, errors)) for _ in range(connections)]
    threads.append(threading.Thread(target=register, args=(server.port, clients, errors)))
    for thread in threads:
        thread.start()
    time.sleep(generator.uniform(0.02, 0.5))
    server.kill()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    server = Server(pawl, directory, rules.rotation)
    try:
        connection = Connection(server.port)
        for family in families:
            rules.verify(connection, family, counts, generator)
        for client in clients:
            client.verify(connection)
        counts["clients"] += len(clients)
        if connection.keys(tenant) != keys:
            raise Loss("a tenant has other keys")
        connection.advance(WINDOW)
        for family in families:
            rules.verify_later(connection, family)
    finally:
        server.stop()
    check_database(directory)
    counts["families"] += len(families)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pawl", required=True)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--connections", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=600, help="no round begins after so many")
    parser.add_argument("--seed", type=int, default=None)
    options = parser.parse_args()
    if options.rounds < len(RULES):
        parser.error(f"--rounds: {len(RULES)} at least, one for each rotation profile")
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1 << 32)
    generator = random.Random(seed)
    directory = tempfile.mkdtemp(prefix="pawl-crash-")
    counts = {"seed": seed, "rounds": 0, "families": 0, "tokens": 0, "codes": 0, "successors": 0, "clients": 0,
              "profiles": {rules.rotation: 0 for rules in RULES}}
    began = time.monotonic()
    try:
        while counts["rounds"] < options.rounds and time.monotonic() - began < options.seconds:
            rules = RULES[counts["rounds"] % len(RULES)]
            play(options.pawl, os.path.join(directory, "data"), options.connections, rules, generator, counts)
            counts["rounds"] += 1
            counts["profiles"][rules.rotation] += 1
            print(f"round {counts['rounds']}, {rules.rotation}: {counts['families']} families, {counts['tokens']} tokens,"
                  f" {counts['codes']} codes, {counts['clients']} clients", file=sys.stderr)
    except Loss as loss:
        rotation = RULES[counts["rounds"] % len(RULES)].rotation
        print(f"round {counts['rounds'] + 1}, {rotation}, seed {seed}: {loss}", file=sys.stderr)
        print(json.dumps(dict(counts, loss=str(loss))))
        return 1
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    counts["seconds"] = round(time.monotonic() - began, 1)
    print(json.dumps(counts))
    if counts["rounds"] < options.rounds:
        print(f"{counts['rounds']} rounds were played of {options.rounds}: no more begins after {options.seconds:g} s",
              file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
