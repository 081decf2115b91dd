"""Sessions in cookies, with the cookie jar of requests: it decides what is sent where."""

import base64
import hashlib
import urllib.parse
import uuid

import requests

from .provider import CALLBACK, Browser, Provider, parameters

ALICE = {"client_id": "web", "username": "alice", "password": "alice", "scope": "openid email"}


class Pages:
    """Pages of the provider's own origin in a browser."""

    def __init__(self, provider: Provider) -> None:
        self.issuer = provider.issuer
        self.session = requests.Session()

    def send(self, method: str, path: str = "/session", form: dict | None = None, **keywords) -> requests.Response:
        answer = self.session.request(method, self.issuer + path, data=form, timeout=20, **keywords)
        assert answer.headers["Cache-Control"] == "no-store", path
        return answer

    def names_sent_to(self, path: str) -> list[str]:
        request = self.session.prepare_request(requests.Request("GET", self.issuer + path))
        return sorted(pair.split("=")[0] for pair in request.headers.get("Cookie", "").split("; ") if pair)

    def value(self, part: str) -> str:
        return next(cookie.value for cookie in self.session.cookies if part in cookie.name)


def signed_in(provider: Provider, **more) -> Pages:
    pages = Pages(provider)
    answer = pages.send("POST", form=ALICE | more)
    assert answer.status_code == 200 and answer.json()["sub"] == "alice", answer.text
    return pages


def a_session_begins_lasts_and_ends(provider: Provider) -> None:
    assert provider["cookie_session_endpoint"] == provider.issuer + "/session"
    pages = signed_in(provider)
    assert pages.send("GET").json()["scope"] == "openid email"
    assert pages.send("GET", "/session/resource").json()["presented_as"] == "cookie"
    before = pages.value("refresh")
    assert pages.send("POST", "/session/refresh").status_code == 200
    assert pages.value("refresh") != before
    assert pages.send("DELETE").json() == {"ended": "session"}
    assert len(pages.session.cookies) == 0
    refused = pages.send("GET")
    assert refused.status_code == 401 and refused.json()["error"] == "no_session"


def the_refresh_cookie_goes_to_the_session_alone(provider: Provider) -> None:
    pages = signed_in(provider)
    assert len(pages.names_sent_to("/session/refresh")) == 2
    assert len(pages.names_sent_to("/session")) == 2
    for path in ("/", "/sessions", "/userinfo", "/api/session"):
        assert ["access" in name for name in pages.names_sent_to(path)] == [True], path


def the_cookies_are_for_no_script_and_persist(provider: Provider) -> None:
    for cookie in signed_in(provider).session.cookies:
        assert cookie.has_nonstandard_attr("HttpOnly") and not cookie.discard and not cookie.domain_specified
        assert cookie.get_nonstandard_attr("SameSite") == ("Lax" if "access" in cookie.name else "Strict")


def a_session_begins_with_a_code(provider: Provider) -> None:
    verifier = uuid.uuid4().hex + uuid.uuid4().hex
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    url = provider["authorization_endpoint"] + "?" + urllib.parse.urlencode({
        "client_id": "web", "response_type": "code", "redirect_uri": CALLBACK, "scope": "openid",
        "code_challenge": challenge, "code_challenge_method": "S256"})
    code = parameters(Browser(provider).authorize(url))["code"]
    form = {"client_id": "web", "code": code, "redirect_uri": CALLBACK}
    pages = Pages(provider)
    refused = pages.send("POST", form=form)
    assert refused.status_code == 400 and refused.json()["error"] == "invalid_grant", refused.text
    answer = pages.send("POST", json=form | {"code_verifier": verifier})
    assert answer.status_code == 200 and answer.json()["username"] == "alice", answer.text


def a_replayed_cookie_ends_the_session(provider: Provider) -> None:
    pages = signed_in(provider)
    copy = Pages(provider)
    copy.session.cookies.update(pages.session.cookies)
    assert pages.send("POST", "/session/refresh").status_code == 200
    refused = copy.send("POST", "/session/refresh")
    assert refused.status_code == 400 and refused.json()["error"] == "invalid_grant", refused.text
    # A late refusal must not take the cookies of a newer session, so that they stay unless the client wants it otherwise.
    assert "Set-Cookie" not in refused.headers and len(copy.session.cookies) == 2
    assert pages.send("GET").json()["error"] == "invalid_token"


def body_and_cookies_are_one_session(provider: Provider) -> None:
    pages = signed_in(provider)
    form = {"grant_type": "refresh_token", "client_id": "web", "refresh_token": pages.value("refresh")}
    tokens = provider.post("token_endpoint", form).json()
    other = Pages(provider)
    answer = other.send("POST", "/session/refresh", {
        "client_id": "web", "refresh_token": tokens["refresh_token"]})
    assert answer.status_code == 200, answer.text
    assert other.send("POST", "/session/refresh").status_code == 200


def what_is_ambiguous_spends_nothing(provider: Provider) -> None:
    pages = signed_in(provider)
    both = pages.send("POST", "/session/refresh", {"client_id": "web", "refresh_token": pages.value("refresh")})
    assert both.status_code == 400 and both.json()["error"] == "ambiguous_session", both.text
    name = next(cookie.name for cookie in pages.session.cookies if "refresh" in cookie.name)
    pages.session.cookies.set(name, "rt1.x", domain="127.0.0.1", path="/session/refresh")
    two = pages.send("POST", "/session/refresh")
    assert two.status_code == 400 and two.json()["error"] == "ambiguous_session", two.text
    pages.session.cookies.clear("127.0.0.1", "/session/refresh", name)
    assert pages.send("POST", "/session/refresh").status_code == 200


def another_site_is_refused(provider: Provider) -> None:
    pages = signed_in(provider)
    for headers in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}):
        for method, path in (("POST", "/session"), ("POST", "/session/refresh"), ("POST", "/session/fork"),
                             ("DELETE", "/session")):
            refused = pages.send(method, path, ALICE if method == "POST" else None, headers=headers)
            assert refused.status_code == 403 and refused.json()["error"] == "cross_site_request", refused.text
            assert "Set-Cookie" not in refused.headers
            assert "Access-Control-Allow-Origin" not in refused.headers
    assert pages.send("POST", "/session/refresh").status_code == 200


def a_fork_lives_beside_its_session(provider: Provider) -> None:
    base = {"redirect_uris": [CALLBACK], "grant_types": ["authorization_code", "refresh_token"]}
    suffix = uuid.uuid4().hex[:8]
    for name, session in ((f"app-{suffix}", {"fork_to": [f"view-{suffix}"], "sign_out": "login"}),
                          (f"view-{suffix}", {})):
        made = requests.put(
            f"{provider.issuer}/_pawl/clients/{name}", json=base | {"cookie_session": session}, timeout=20)
        assert made.status_code == 201, made.text
    own, fork = {"client_id": f"app-{suffix}"}, {"client_id": f"view-{suffix}"}
    pages = signed_in(provider, **own)
    answer = pages.send("POST", "/session/fork", {"fork_client_id": f"view-{suffix}"})
    assert answer.status_code == 200 and answer.json()["client_id"] == f"view-{suffix}", answer.text
    for _ in range(2):
        for client in (own, fork):
            assert pages.send("POST", "/session/refresh", client).status_code == 200
    assert pages.send("DELETE", f"/session?client_id=app-{suffix}").json() == {"ended": "login"}
    assert pages.send("GET", f"/session?client_id=view-{suffix}").json()["error"] == "invalid_token"
    assert pages.send("POST", "/session/refresh", fork).json()["error"] == "invalid_grant"


SCENARIOS = [
    a_session_begins_lasts_and_ends, the_refresh_cookie_goes_to_the_session_alone,
    the_cookies_are_for_no_script_and_persist, a_session_begins_with_a_code, a_replayed_cookie_ends_the_session,
    body_and_cookies_are_one_session, what_is_ambiguous_spends_nothing, another_site_is_refused,
    a_fork_lives_beside_its_session,
]
