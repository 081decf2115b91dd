"""Kills a provider under load, again and again, and sees that nothing it had acknowledged is lost.

    crash.py --pawl .build/release/pawl --rounds 200

A round: a server with --data is started, several connections get tokens by code flows and refresh them without pause, and
at a random moment the process is killed with SIGKILL. Then it is started again, and asked:

- a refresh token whose answer was wholly read is good, unless it had been presented again when the end came: then it is
  good or has been spent;
- the one before it is spent, and ends its family when it is shown: no family has two that are good;
- a code that was handed out can be redeemed, once;
- a client that has registered itself is there as it last registered, unless it had asked for a change when the end came, and
  one that has removed itself is not;
- the keys of a tenant are what they were;
- the database passes SQLite's own check of its integrity.

Prints one line for each round, and what it found at the end as JSON. Exits with 1 at the first loss.
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

    def __init__(self, pawl, directory):
        self.process = subprocess.Popen(
            [pawl, "serve", "--data", directory, "--listen", "127.0.0.1:0", "--auto-login", "--alg", "ES256", "--json",
             "--registration", "open", "--log-level", "error"],
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

    def redeem(self, code):
        return self.token(grant_type="authorization_code", code=code, redirect_uri=REDIRECT, code_verifier=VERIFIER)

    def refresh(self, token):
        return self.token(grant_type="refresh_token", refresh_token=token)


class Family:
    """What a client knows of one authorisation."""

    def __init__(self, code):
        self.code = code
        self.tokens = []
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


def verify(connection, family, counts):
    if not family.tokens:
        status, token, error = connection.redeem(family.code)
        if status != 200 and not (family.is_asking and error == "invalid_grant"):
            raise Loss(f"a code that was handed out is lost: {status} {error}")
        counts["codes"] += 1
        if status == 200 and connection.redeem(family.code)[0] == 200:
            raise Loss("a code was redeemed twice")
        return
    status, token, error = connection.refresh(family.tokens[-1])
    counts["tokens"] += 1
    if status != 200:
        if not (family.is_asking and error == "invalid_grant"):
            raise Loss(f"a refresh token that was handed out is lost: {status} {error}")
        # It was spent on a successor that never arrived. So it was ended, as a stolen one.
        counts["successors"] += 1
        return
    # What was good before is not good any more, and whoever shows it ends the family.
    status, _, _ = connection.refresh(family.tokens[-1])
    if status == 200:
        raise Loss("two refresh tokens of a family are good")
    status, _, _ = connection.refresh(token)
    if status == 200:
        raise Loss("a family lives on after the reuse of a token")


def check_earlier(connection, family):
    """A token from before the last one was spent, and its spending acknowledged."""
    status, _, _ = connection.refresh(family.tokens[-2])
    if status == 200:
        raise Loss("a refresh token that was spent is good again")
    status, _, _ = connection.refresh(family.tokens[-1])
    if status == 200:
        raise Loss("a family lives on after the reuse of a token")


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


def play(pawl, directory, connections, generator, counts):
    server = Server(pawl, directory)
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
    server = Server(pawl, directory)
    try:
        connection = Connection(server.port)
        for family in families:
            if len(family.tokens) > 1 and generator.random() < 0.3:
                check_earlier(connection, family)
            else:
                verify(connection, family, counts)
        for client in clients:
            client.verify(connection)
        counts["clients"] += len(clients)
        if connection.keys(tenant) != keys:
            raise Loss("a tenant has other keys")
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
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1 << 32)
    generator = random.Random(seed)
    directory = tempfile.mkdtemp(prefix="pawl-crash-")
    counts = {"seed": seed, "rounds": 0, "families": 0, "tokens": 0, "codes": 0, "successors": 0, "clients": 0}
    began = time.monotonic()
    try:
        while counts["rounds"] < options.rounds and time.monotonic() - began < options.seconds:
            play(options.pawl, os.path.join(directory, "data"), options.connections, generator, counts)
            counts["rounds"] += 1
            print(f"round {counts['rounds']}: {counts['families']} families, {counts['tokens']} tokens,"
                  f" {counts['codes']} codes, {counts['clients']} clients", file=sys.stderr)
    except Loss as loss:
        print(f"round {counts['rounds'] + 1}, seed {seed}: {loss}", file=sys.stderr)
        print(json.dumps(dict(counts, loss=str(loss))))
        return 1
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    counts["seconds"] = round(time.monotonic() - began, 1)
    print(json.dumps(counts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
