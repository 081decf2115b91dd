"""What the providers that are made with Django have in common: a site with a login page, its database in a directory, a server
with threads, and two addresses for the tests under `/test/`. The rest is the packages' own.
"""

import argparse
import collections.abc
import json
import os
import socket
import threading
import time

import django
import waitress
from django.conf import settings

LOGIN = '<form method="post">{% csrf_token %}{{ form }}<button type="submit">Sign in</button></form>'
CLIENT, CALLBACK = "native", "http://127.0.0.1/callback"


def parser(description: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--directory", required=True)
    parser.add_argument("--lifetime", type=int, default=60, help="of access tokens, in seconds")
    parser.add_argument("--delay", type=int, default=0, help="of what the token endpoint says, in milliseconds")
    return parser


def configure(given: argparse.Namespace, app: str, **more) -> None:
    apps = ["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", app]
    settings.configure(
        SECRET_KEY=os.urandom(32).hex(), ALLOWED_HOSTS=["127.0.0.1"], USE_TZ=True, ROOT_URLCONF=__name__,
        INSTALLED_APPS=apps, LOGIN_URL="/login/", DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        # The tables come straight from the models, which takes a tenth of the time.
        MIGRATION_MODULES={name.split(".")[-1]: None for name in apps},
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        # What is read before it is written must not be written by another meanwhile: other databases lock rows, and this
        # one knows that only from the start of a transaction.
        DATABASES={"default": {
            "ENGINE": "django.db.backends.sqlite3", "NAME": os.path.join(given.directory, "provider.sqlite"),
            "OPTIONS": {"timeout": 20, "transaction_mode": "IMMEDIATE", "init_command": "PRAGMA journal_mode=wal;"},
        }},
        MIDDLEWARE=[
            f"{__name__}.watch", "django.contrib.sessions.middleware.SessionMiddleware",
            "django.middleware.csrf.CsrfViewMiddleware", "django.contrib.auth.middleware.AuthenticationMiddleware",
        ],
        TEMPLATES=[{
            "BACKEND": "django.template.backends.django.DjangoTemplates", "DIRS": [],
            "OPTIONS": {
                "context_processors": ["django.template.context_processors.request"],
                "loaders": [
                    ("django.template.loaders.locmem.Loader", {"registration/login.html": LOGIN}),
                    "django.template.loaders.app_directories.Loader",
                ],
            },
        }],
        **more,
    )
    django.setup()


class Watch:
    """What came to the token endpoint and what it said, and how many of its answers are to be lost."""

    def __init__(self) -> None:
        self.delay = 0.0
        self.lock = threading.Lock()
        self.requests: list[dict] = []
        self.losing = 0

    def note(self, request, response) -> None:
        try:
            error = json.loads(response.content).get("error")
        except ValueError:
            error = "no JSON"
        with self.lock:
            is_lost, self.losing = self.losing > 0, max(0, self.losing - 1)
            self.requests.append({
                "grant": request.POST.get("grant_type"), "status": response.status_code, "error": error,
                "isLost": is_lost,
            })
        # The network between the two: everything is done and stored.
        time.sleep(self.delay)
        if is_lost:
            # Not a byte arrives.
            request.environ["waitress.client_disconnected"].__self__.socket.shutdown(socket.SHUT_RDWR)


watched = Watch()


def watch(get_response):
    def middleware(request):
        response = get_response(request)
        if request.path.rstrip("/") == "/o/token":
            watched.note(request, response)
        return response
    return middleware


def serve(given: argparse.Namespace, urls: list, tables: collections.abc.Callable[[], dict]) -> None:
    """Serves what the package has under `/o/`, and says where in the first line of the output."""
    from django.contrib.auth.models import User
    from django.contrib.auth.views import LoginView
    from django.core.wsgi import get_wsgi_application
    from django.http import JsonResponse
    from django.urls import path
    from django.views.decorators.csrf import csrf_exempt

    def state(request):
        return JsonResponse({"requests": watched.requests, **tables()})

    @csrf_exempt
    def lose(request):
        with watched.lock:
            watched.losing = int(request.GET["count"])
        return JsonResponse({})

    globals()["urlpatterns"] = urls + [
        path("login/", LoginView.as_view()), path("test/state", state), path("test/lose", lose),
    ]
    watched.delay = given.delay / 1000
    User.objects.create_user("alice", "alice@pawl.example", "correct horse")
    server = waitress.create_server(get_wsgi_application(), host="127.0.0.1", port=0, threads=8)
    print(json.dumps({"issuer": f"http://127.0.0.1:{server.effective_port}/o"}), flush=True)
    server.run()


def rsa_key() -> str:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import rsa

    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()
