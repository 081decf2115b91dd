"""Trouble with the disk, as it comes from outside a provider: what it says at the start, what it answers while it lasts, and
that nothing is lost and it goes on when the cause is gone.

    trouble.py --pawl .build/release/pawl SCENARIO

Scenarios: see the functions that are named in SCENARIOS. Prints what was found as JSON; exits with 1 where something is not
as it must be. Nothing here needs special rights; run by root, it gives them up where they would hide the trouble.
"""

import argparse
import hashlib
import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile

from crash import Connection, Loss, Server

NOBODY = 65534


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def require(condition, what):
    if not condition:
        raise Loss(what)


def prepare(pawl, directory):
    """A database with a family, and its refresh token."""
    server = Server(pawl, directory)
    try:
        connection = Connection(server.port)
        status, token, _ = connection.redeem(connection.code())
        require(status == 200, f"no token at the beginning: {status}")
    finally:
        server.stop()
    return token


def refused_start(pawl, directory, expected, **process):
    """A start that fails, says why, and leaves the database as it is."""
    database = os.path.join(directory, "pawl.db")
    before = digest(database)
    result = subprocess.run(
        [pawl, "serve", "--data", directory, "--listen", "127.0.0.1:0", "--alg", "ES256"], capture_output=True, text=True,
        timeout=60, **process)
    require(result.returncode not in (0, -6, -11), f"it ends with {result.returncode}")
    require(expected in result.stderr, f"it says: {result.stderr}")
    require(digest(database) == before, "the database was changed")
    return result.stderr.strip().splitlines()[0]


def without_rights():
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)


def read_only(pawl, directory):
    """A directory that cannot be written: refused, and good again when it can."""
    token = prepare(pawl, directory)
    as_root = os.geteuid() == 0
    process = {"preexec_fn": without_rights} if as_root else {}
    paths = [os.path.join(folder, name) for folder, _, names in os.walk(directory) for name in names]
    folders = [folder for folder, _, _ in os.walk(directory)]
    for path in paths + folders:
        if as_root:
            os.chown(path, NOBODY, NOBODY)
        os.chmod(path, 0o500 if path in folders else 0o400)
    # Whoever has given up his rights may not be allowed to where the program is.
    program = shutil.copy(pawl, os.path.join(os.path.dirname(directory), "pawl"))
    os.chmod(program, 0o755)
    said = refused_start(program, directory, "ermission denied", **process)
    for path in paths + folders:
        if as_root:
            os.chown(path, 0, 0)
        os.chmod(path, 0o700 if path in folders else 0o600)
    works(pawl, directory, token)
    return {"said": said}


def truncated(pawl, directory):
    token = prepare(pawl, directory)
    path = os.path.join(directory, "pawl.db")
    with open(path, "rb") as file:
        whole = file.read()
    with open(path, "r+b") as file:
        file.truncate(len(whole) // 2)
    said = refused_start(pawl, directory, "damaged")
    with open(path, "wb") as file:
        file.write(whole)
    works(pawl, directory, token)
    return {"said": said}


def corrupt(pawl, directory):
    token = prepare(pawl, directory)
    path = os.path.join(directory, "pawl.db")
    with open(path, "rb") as file:
        whole = file.read()
    with open(path, "r+b") as file:
        file.seek(4096)
        file.write(b"Z" * (len(whole) - 4096))
    said = refused_start(pawl, directory, "damaged")
    with open(path, "wb") as file:
        file.write(whole)
    works(pawl, directory, token)
    return {"said": said}


def works(pawl, directory, token):
    """The token from before is good: nothing was spent, and nothing lost."""
    server = Server(pawl, directory)
    try:
        status, _, error = Connection(server.port).refresh(token)
        require(status == 200, f"the token from before is refused: {status} {error}")
    finally:
        server.stop()
    check(directory)


def check(directory):
    database = sqlite3.connect(os.path.join(directory, "pawl.db"))
    try:
        require(database.execute("PRAGMA integrity_check").fetchall() == [("ok",)], "the database is damaged")
    finally:
        database.close()


def refresh_in_trouble(server, token):
    """503, and when to come again."""
    connection = Connection(server.port)
    body = "grant_type=refresh_token&client_id=web&refresh_token=" + token
    connection.http.request("POST", "/token", body, {"Content-Type": "application/x-www-form-urlencoded"})
    response = connection.http.getresponse()
    answer = json.loads(response.read())
    require(response.status == 503, f"it answers {response.status} {answer}")
    require(response.headers.get("Retry-After", "").isdigit(), "it does not say when to come again")
    require(answer.get("error") == "temporarily_unavailable", f"it answers {answer}")


def tenant_in_trouble(server):
    """A tenant whose keys cannot be kept is not there yet, and is when they can."""
    connection = Connection(server.port)
    connection.http.request("GET", "/t/new/jwks.json")
    response = connection.http.getresponse()
    answer = json.loads(response.read())
    require(response.status == 503, f"a new tenant answers {response.status} {answer}")
    require(response.headers.get("Retry-After", "").isdigit(), "a new tenant does not say when to come again")


def goes_on(server, token):
    connection = Connection(server.port)
    status, successor, error = connection.refresh(token)
    require(status == 200, f"it does not go on: {status} {error}")
    require(len(connection.keys("new")) > 0, "a new tenant has no keys")
    # One of a login that began after the trouble.
    require(connection.redeem(connection.code())[0] == 200, "nobody can sign in any more")
    return successor


def locked(pawl, directory):
    """Another program keeps the database locked for writing."""
    token = prepare(pawl, directory)
    server = Server(pawl, directory)
    try:
        other = sqlite3.connect(os.path.join(directory, "pawl.db"), isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        refresh_in_trouble(server, token)
        # What writes nothing goes on.
        Connection(server.port).http.request("GET", "/jwks.json")
        other.execute("ROLLBACK")
        other.close()
        goes_on(server, token)
    finally:
        server.stop()
    check(directory)
    return {}


def file_limit(pawl, directory):
    """No file may grow any more: every write beyond its end fails, as on a full disk."""
    token = prepare(pawl, directory)
    server = Server(pawl, directory)
    pid = server.process.pid
    try:
        _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (4096, hard))
        refresh_in_trouble(server, token)
        refresh_in_trouble(server, token)
        # A key is smaller than that.
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (16, hard))
        tenant_in_trouble(server)
        require(server.process.poll() is None, "the server has died")
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (hard, hard))
        goes_on(server, token)
    finally:
        server.stop()
    check(directory)
    return {}


def full_disk(pawl, directory):
    """A disk of two megabytes is filled by somebody else, and emptied again."""
    mounted = None
    for attempt in ([], ["--map-root-user"]):
        command = ["unshare", "--mount"] + attempt + [sys.executable, __file__, "--pawl", pawl, "on-small-disk"]
        mounted = subprocess.run(command, capture_output=True, text=True, timeout=120)
        if "cannot mount" not in mounted.stderr and "unshare: " not in mounted.stderr:
            break
    else:
        # A system that lets nobody have a small disk: a file that may not grow is as near as it gets.
        return dict(file_limit(pawl, directory), disk="a limit of the size of files")
    require(mounted.returncode == 0, f"{mounted.stdout}{mounted.stderr}")
    return {"disk": "a file system of two megabytes"}


def on_small_disk(pawl, directory):
    """For `full_disk`, which has a name space of its own for it."""
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m,mode=700", "none", directory]).returncode != 0:
        raise OSError("cannot mount")
    try:
        data = os.path.join(directory, "data")
        token = prepare(pawl, data)
        server = Server(pawl, data)
        ballast = os.path.join(directory, "ballast")
        try:
            with open(ballast, "wb", buffering=0) as file:
                try:
                    while file.write(b"x" * 4096):
                        pass
                except OSError:
                    pass
            refresh_in_trouble(server, token)
            refresh_in_trouble(server, token)
            tenant_in_trouble(server)
            os.unlink(ballast)
            goes_on(server, token)
        finally:
            server.stop()
        check(data)
    finally:
        subprocess.run(["umount", directory])
    return {}


def damaged_while_serving(pawl, directory):
    """The pages of the database are overwritten under a server, and put back."""
    token = prepare(pawl, directory)
    path = os.path.join(directory, "pawl.db")
    server = Server(pawl, directory)
    try:
        with open(path, "rb") as file:
            whole = file.read()
        with open(path, "r+b") as file:
            file.seek(4096)
            file.write(b"Z" * (len(whole) - 4096))
        refresh_in_trouble(server, token)
        with open(path, "r+b") as file:
            file.write(whole)
        goes_on(server, token)
    finally:
        server.stop()
    check(directory)
    return {}


SCENARIOS = {
    "read-only": read_only, "truncated": truncated, "corrupt": corrupt, "locked": locked, "file-limit": file_limit,
    "full-disk": full_disk, "on-small-disk": on_small_disk, "damaged-while-serving": damaged_while_serving,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pawl", required=True)
    parser.add_argument("scenario", choices=SCENARIOS)
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="pawl-trouble-")
    # Whoever has given up his rights has to get there.
    os.chmod(folder, 0o711)
    directory = os.path.join(folder, "data") if options.scenario != "on-small-disk" else folder
    try:
        found = SCENARIOS[options.scenario](os.path.abspath(options.pawl), directory)
        print(json.dumps(dict(found, scenario=options.scenario)))
        return 0
    except (Loss, OSError) as problem:
        print(f"{options.scenario}: {problem}", file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
