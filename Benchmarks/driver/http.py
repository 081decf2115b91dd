"""As much HTTP as it takes to ask a server for a token, without the cost of a client library."""

import base64
import socket

CLIENT = base64.b64encode(b"service:secret").decode()
FORM = "grant_type=client_credentials"


def token_request(port: int) -> bytes:
    return (
        f"POST /token HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Basic {CLIENT}\r\n"
        f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(FORM)}\r\n\r\n{FORM}"
    ).encode()


def exchange(connection: socket.socket, request: bytes) -> tuple[int, bytes, bytes]:
    """Sends a request; returns status, head and body of the answer."""
    connection.sendall(request)
    received = b""
    while b"\r\n\r\n" not in received:
        received += more(connection)
    head, _, body = received.partition(b"\r\n\r\n")
    lengths = [line.split(b":", 1)[1] for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")]
    length = int(lengths[0]) if lengths else 0
    while len(body) < length:
        body += more(connection)
    return int(head.split(b" ", 2)[1]), head, body


def more(connection: socket.socket) -> bytes:
    piece = connection.recv(65_536)
    if not piece:
        raise ConnectionError("the server closed the connection")
    return piece


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
