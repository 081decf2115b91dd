"""The servers: ours, and the one it is compared with."""

import os
import socket
import subprocess
import time
from dataclasses import dataclass

from .http import exchange, free_port, token_request
from .machine import Broken, Cores, command, pinned

START_SECONDS = 10.0
STOP_SECONDS = 10.0


class Server:
    """A process that listens on a port of the loopback interface. Use it with `with`."""

    def __init__(self, arguments: list[str], port: int, log: str) -> None:
        self.port = port
        self.log = log
        with open(log, "wb") as output:
            self.process = subprocess.Popen(
                arguments, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                return
            except OSError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    self.stop()
                    raise Broken(f"{arguments[0]} did not start:\n{self.last_words()}") from None
                time.sleep(0.01)

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_) -> None:
        self.stop()

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def last_words(self) -> str:
        with open(self.log, encoding="utf-8", errors="replace") as file:
            return file.read()[-2000:]

    def get(self, path: str) -> tuple[int, bytes, bytes]:
        with socket.create_connection(("127.0.0.1", self.port), timeout=5) as connection:
            return exchange(connection, f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode())

    def busy_seconds(self) -> float:
        """Processor time used so far, by the process and its children."""
        return sum(busy_seconds(pid) for pid in [self.process.pid] + children(self.process.pid))

    def resident_bytes(self) -> int:
        with open(f"/proc/{self.process.pid}/status", encoding="utf-8") as file:
            for line in file:
                if line.startswith("VmRSS:"):
                    return int(line.split()[1]) * 1024
        raise Broken("the process has no resident memory")


def busy_seconds(pid: int) -> float:
    try:
        tasks = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return 0.0
    total = 0
    for task in tasks:
        try:
            with open(f"/proc/{pid}/task/{task}/schedstat", encoding="utf-8") as file:
                total += int(file.read().split()[0])
        except OSError:
            continue
    return total / 1e9


def children(pid: int) -> list[int]:
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as file:
            return [int(child) for child in file.read().split()]
    except OSError:
        return []


def pawl_arguments(pawl: str, port: int, keys: str) -> list[str]:
    return [
        pawl, "serve", "--listen", f"127.0.0.1:{port}", "--loops", "1", "--alg", "ES256", "--keys", keys,
        "--log-level", "error",
    ]


def pawl(binary: str, folder: str, cores: Cores, *more: str, name: str = "pawl") -> Server:
    port = free_port()
    arguments = pinned((cores.subject,), pawl_arguments(binary, port, os.path.join(folder, "keys")) + list(more))
    return Server(arguments, port, os.path.join(folder, f"{name}.log"))


def first_token(pawl: str, keys: str, *more: str) -> float:
    port = free_port()
    arguments = pawl_arguments(pawl, port, keys) + list(more)
    request = token_request(port)
    began = time.perf_counter()
    process = subprocess.Popen(
        arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while True:
            try:
                connection = socket.create_connection(("127.0.0.1", port), timeout=5)
                break
            except ConnectionRefusedError:
                if process.poll() is not None or time.perf_counter() - began > START_SECONDS:
                    raise Broken("pawl serve did not start") from None
        with connection:
            status, _, body = exchange(connection, request)
        taken = time.perf_counter() - began
        if status != 200 or b"access_token" not in body:
            raise Broken(f"POST /token is answered with {status}")
        return taken * 1000
    finally:
        process.terminate()
        process.wait()


@dataclass(frozen=True)
class Answer:
    """What a server gives whenever it is asked for a path."""

    status: int
    fields: list[tuple[str, str]]
    body: str

    # What each server writes by itself.
    OWN = {"content-length", "content-type", "connection", "date", "server"}

    @staticmethod
    def of(exchanged: tuple[int, bytes, bytes]) -> "Answer":
        status, head, body = exchanged
        fields = [tuple(line.decode().split(": ", 1)) for line in head.split(b"\r\n")[1:]]
        return Answer(status, fields, body.decode())

    @property
    def content_type(self) -> str:
        return next((value for name, value in self.fields if name.lower() == "content-type"), "application/json")

    def location(self, path: str) -> str:
        """A redirect is answered as a 200 with the same fields: nginx has a page of its own for its redirects."""
        fields = " ".join(
            f"add_header {name} {quoted(value)};" for name, value in self.fields if name.lower() not in self.OWN)
        status = 200 if 300 <= self.status < 400 else self.status
        return (f"location = {path} {{ default_type {quoted(self.content_type)}; {fields} "
                f"return {status} {quoted(self.body)}; }}")


def quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace("$", "${dollar}")
    return f"'{escaped}'"


def nginx(answers: dict[str, Answer], folder: str, cores: Cores) -> Server:
    """One worker that answers each path with what another server has answered."""
    port = free_port()
    prefix = os.path.join(folder, "nginx")
    os.makedirs(prefix, exist_ok=True)
    temporary = "\n".join(
        f"  {name}_temp_path {prefix}/{name};" for name in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
    locations = "\n".join(f"    {answer.location(path)}" for path, answer in answers.items())
    configuration = f"""
daemon off;
worker_processes 1;
pid {prefix}/nginx.pid;
error_log {prefix}/error.log crit;
events {{ worker_connections 1024; }}
http {{
  access_log off;
  keepalive_timeout 60s;
  keepalive_requests 1000000000;
{temporary}
  geo $dollar {{ default '$'; }}
  server {{
    listen 127.0.0.1:{port};
{locations}
  }}
}}
"""
    path = os.path.join(prefix, "nginx.conf")
    with open(path, "w", encoding="utf-8") as file:
        file.write(configuration)
    arguments = pinned((cores.subject,), [command("nginx"), "-p", prefix, "-c", path, "-e", f"{prefix}/error.log"])
    return Server(arguments, port, os.path.join(folder, "nginx.log"))
