"""Standards that the libraries have no client for, spoken with requests and joserfc."""

import base64
import hashlib
import json
import time
import urllib.parse
import uuid

import requests
from joserfc import jws, jwt
from joserfc.jwk import ECKey, OctKey

from .provider import CALLBACK, Browser, Form, Provider, parameters

SERVICE = ("service", "secret")


def service_tokens(provider: Provider, scope: str = "openid offline_access", **more) -> dict:
    url = provider["authorization_endpoint"] + "?" + urllib.parse.urlencode(
        {"client_id": "service", "response_type": "code", "redirect_uri": CALLBACK, "scope": scope} | more)
    code = parameters(Browser(provider).authorize(url))["code"]
    answer = provider.post("token_endpoint", {
        "grant_type": "authorization_code", "code": code, "redirect_uri": CALLBACK}, SERVICE)
    assert answer.status_code == 200, answer.text
    return answer.json() | {"code": code}


def a_replayed_code_revokes_what_it_gave(provider: Provider) -> None:
    token = service_tokens(provider)
    again = provider.post("token_endpoint", {
        "grant_type": "authorization_code", "code": token["code"], "redirect_uri": CALLBACK}, SERVICE)
    assert again.status_code == 400 and again.json()["error"] == "invalid_grant", again.text
    for name in ("access_token", "refresh_token"):
        answer = provider.post("introspection_endpoint", {"token": token[name]}, SERVICE)
        assert answer.json() == {"active": False}, (name, answer.text)


def a_reused_refresh_token_ends_the_family(provider: Provider) -> None:
    token = service_tokens(provider)
    form = {"grant_type": "refresh_token", "refresh_token": token["refresh_token"]}
    winner = provider.post("token_endpoint", form, SERVICE).json()
    loser = provider.post("token_endpoint", form, SERVICE)
    assert loser.json()["error"] == "invalid_grant", loser.text
    form["refresh_token"] = winner["refresh_token"]
    assert provider.post("token_endpoint", form, SERVICE).json()["error"] == "invalid_grant"
    headers = {"Authorization": "Bearer " + winner["access_token"]}
    refused = requests.get(provider["userinfo_endpoint"], headers=headers, timeout=20)
    assert refused.status_code == 401 and 'error="invalid_token"' in refused.headers["WWW-Authenticate"]


class Proofs:
    """RFC 9449, written from its text."""

    def __init__(self) -> None:
        self.key = ECKey.generate_key("P-256")

    def proof(self, method: str, url: str, nonce: str | None = None, token: str | None = None) -> dict:
        claims = {"jti": str(uuid.uuid4()), "htm": method, "htu": url, "iat": int(time.time())}
        if nonce:
            claims["nonce"] = nonce
        if token:
            digest = hashlib.sha256(token.encode()).digest()
            claims["ath"] = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        header = {"typ": "dpop+jwt", "alg": "ES256", "jwk": self.key.as_dict(private=False)}
        return {"DPoP": jws.serialize_compact(header, json.dumps(claims), self.key, algorithms=["ES256"])}


def proof_of_possession(provider: Provider) -> None:
    proofs, form = Proofs(), {"grant_type": "client_credentials"}
    url = provider["token_endpoint"]
    answer = provider.post("token_endpoint", form, SERVICE, headers=proofs.proof("POST", url))
    assert answer.status_code == 200 and answer.json()["token_type"] == "DPoP", answer.text
    claims = provider.claims(answer.json()["access_token"])
    assert claims["cnf"]["jkt"] == proofs.key.thumbprint(), claims
    once = proofs.proof("POST", url)
    assert provider.post("token_endpoint", form, SERVICE, headers=once).status_code == 200
    replayed = provider.post("token_endpoint", form, SERVICE, headers=once)
    assert replayed.json()["error"] == "invalid_dpop_proof", replayed.text


def proof_at_userinfo(provider: Provider) -> None:
    proofs = Proofs()
    url = provider["authorization_endpoint"] + "?" + urllib.parse.urlencode(
        {"client_id": "service", "response_type": "code", "redirect_uri": CALLBACK, "scope": "openid"})
    code = parameters(Browser(provider).authorize(url))["code"]
    token = provider.post(
        "token_endpoint", {"grant_type": "authorization_code", "code": code, "redirect_uri": CALLBACK}, SERVICE,
        headers=proofs.proof("POST", provider["token_endpoint"])).json()["access_token"]
    place = provider["userinfo_endpoint"]
    rightly = proofs.proof("GET", place, token=token) | {"Authorization": "DPoP " + token}
    assert requests.get(place, headers=rightly, timeout=20).json()["sub"] == "alice"
    for wrongly in [
        {"Authorization": "Bearer " + token},
        {"Authorization": "DPoP " + token},
        Proofs().proof("GET", place, token=token) | {"Authorization": "DPoP " + token},
        proofs.proof("POST", place, token=token) | {"Authorization": "DPoP " + token},
        proofs.proof("GET", place) | {"Authorization": "DPoP " + token},
    ]:
        assert requests.get(place, headers=wrongly, timeout=20).status_code == 401, wrongly


def pushed_request(provider: Provider) -> None:
    form = {"client_id": "service", "response_type": "code", "redirect_uri": CALLBACK, "scope": "openid", "state": "x"}
    pushed = provider.post("pushed_authorization_request_endpoint", form, SERVICE)
    assert pushed.status_code == 201, pushed.text
    url = provider["authorization_endpoint"] + "?" + urllib.parse.urlencode(
        {"client_id": "service", "request_uri": pushed.json()["request_uri"]})
    answer = parameters(Browser(provider).authorize(url))
    assert "code" in answer and answer["state"] == "x", answer
    again = Browser(provider).get(url)
    assert isinstance(again, str) and "error" in parameters(again) or again.status_code == 400


def request_object(provider: Provider) -> None:
    key = ECKey.generate_key("P-256", {"kid": "r1", "use": "sig", "alg": "ES256"})
    registered = provider.register(
        redirect_uris=[CALLBACK], request_object_signing_alg="ES256", jwks={"keys": [key.as_dict(private=False)]},
        token_endpoint_auth_method="client_secret_basic")
    now = int(time.time())
    claims = {
        "iss": registered["client_id"], "aud": provider.issuer, "client_id": registered["client_id"],
        "response_type": "code", "redirect_uri": CALLBACK, "scope": "openid", "state": "inside", "iat": now,
        "nbf": now, "exp": now + 60, "jti": str(uuid.uuid4()),
        "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "code_challenge_method": "S256",
    }
    header = {"alg": "ES256", "kid": "r1", "typ": "oauth-authz-req+jwt"}
    signed = jwt.encode(header, claims, key)

    def authorize(token: str):
        return Browser(provider).authorize(provider["authorization_endpoint"] + "?" + urllib.parse.urlencode(
            {"client_id": registered["client_id"], "request": token, "state": "outside"}))

    answer = parameters(authorize(signed))
    assert answer["state"] == "inside" and "code" in answer, answer
    forged = jwt.encode(header, claims, ECKey.generate_key("P-256"))
    try:
        answer = parameters(authorize(forged))
    except AssertionError:
        return
    assert answer["error"] == "invalid_request_object", answer


def token_exchange(provider: Provider) -> None:
    token = service_tokens(provider, "openid profile offline_access")
    form = {
        "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "subject_token": token["access_token"],
        "subject_token_type": "urn:ietf:params:oauth:token-type:access_token", "scope": "profile",
        "audience": "https://backend.example",
    }
    answer = provider.post("token_endpoint", form, SERVICE)
    assert answer.status_code == 200, answer.text
    assert answer.json()["issued_token_type"] == "urn:ietf:params:oauth:token-type:access_token"
    claims = provider.claims(answer.json()["access_token"])
    assert claims["sub"] == "alice" and claims["scope"] == "profile" and claims["aud"] == "https://backend.example"
    wider = provider.post("token_endpoint", form | {"scope": "profile email"}, SERVICE)
    assert wider.json()["error"] == "invalid_scope", wider.text


def jwt_bearer_of_a_stranger_is_refused(provider: Provider) -> None:
    key = ECKey.generate_key("P-256", {"kid": "b1", "use": "sig", "alg": "ES256"})
    grant = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    registered = provider.register(
        redirect_uris=[CALLBACK], grant_types=["authorization_code", grant],
        jwks={"keys": [key.as_dict(private=False)]}, token_endpoint_auth_method="client_secret_basic")
    now = int(time.time())
    claims = {"iss": registered["client_id"], "sub": "alice", "aud": provider["token_endpoint"], "iat": now,
              "exp": now + 60, "jti": str(uuid.uuid4())}
    auth = (registered["client_id"], registered["client_secret"])
    form = {"grant_type": grant, "assertion": jwt.encode({"alg": "ES256", "kid": "b1"}, claims, key)}
    answer = provider.post("token_endpoint", form, auth)
    assert answer.status_code == 400 and answer.json()["error"] == "invalid_grant", answer.text
    assert "access_token" not in answer.json() and "configuration" in answer.json()["error_description"], answer.text


def form_post(provider: Provider) -> None:
    url = provider["authorization_endpoint"] + "?" + urllib.parse.urlencode({
        "client_id": "service", "response_type": "code id_token", "redirect_uri": CALLBACK, "scope": "openid",
        "nonce": "n", "state": "a b&c<d>\"e", "response_mode": "form_post"})
    browser = Browser(provider)
    page = browser.get(url)
    page = browser.submit(page, username="alice", password="alice")
    form = Form(page.text)
    assert form.action == CALLBACK and form.method == "post", form.action
    assert form.fields["state"] == "a b&c<d>\"e" and "code" in form.fields and "id_token" in form.fields
    assert form.fields["iss"] == provider.issuer


def registration_is_managed(provider: Provider) -> None:
    registered = provider.register(redirect_uris=[CALLBACK], client_name="First")
    place = registered["registration_client_uri"]
    headers = {"Authorization": "Bearer " + registered["registration_access_token"]}
    assert requests.get(place, headers=headers, timeout=20).json()["client_name"] == "First"
    changed = requests.put(place, headers=headers, timeout=20, json={
        "client_id": registered["client_id"], "redirect_uris": [CALLBACK], "client_name": "Second"})
    assert changed.status_code == 200 and changed.json()["client_name"] == "Second", changed.text
    headers = {"Authorization": "Bearer " + changed.json().get(
        "registration_access_token", registered["registration_access_token"])}
    assert requests.get(place, timeout=20).status_code == 401
    assert requests.delete(place, headers=headers, timeout=20).status_code == 204
    assert requests.get(place, headers=headers, timeout=20).status_code == 401


def signed_userinfo(provider: Provider) -> None:
    registered = provider.register(
        redirect_uris=[CALLBACK], userinfo_signed_response_alg="RS256", token_endpoint_auth_method="client_secret_post")
    verifier = "v" * 43
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    url = provider["authorization_endpoint"] + "?" + urllib.parse.urlencode({
        "client_id": registered["client_id"], "response_type": "code", "redirect_uri": CALLBACK,
        "scope": "openid email", "code_challenge": challenge, "code_challenge_method": "S256"})
    code = parameters(Browser(provider).authorize(url))["code"]
    token = provider.post("token_endpoint", {
        "grant_type": "authorization_code", "code": code, "redirect_uri": CALLBACK, "code_verifier": verifier,
        "client_id": registered["client_id"], "client_secret": registered["client_secret"]}).json()
    headers = {"Authorization": "Bearer " + token["access_token"]}
    answer = requests.get(provider["userinfo_endpoint"], headers=headers, timeout=20)
    assert answer.headers["Content-Type"].startswith("application/jwt"), answer.headers
    claims = provider.claims(answer.text)
    assert claims["iss"] == provider.issuer and claims["aud"] == registered["client_id"] and claims["sub"] == "alice"


def logout(provider: Provider) -> None:
    browser = Browser(provider)
    url = provider["authorization_endpoint"] + "?" + urllib.parse.urlencode({
        "client_id": "service", "response_type": "code", "redirect_uri": CALLBACK, "scope": "openid"})
    code = parameters(browser.authorize(url))["code"]
    token = provider.post("token_endpoint", {
        "grant_type": "authorization_code", "code": code, "redirect_uri": CALLBACK}, SERVICE).json()
    silent = parameters(browser.get(url + "&prompt=none"))
    assert "code" in silent, silent
    end = provider["end_session_endpoint"] + "?" + urllib.parse.urlencode({
        "id_token_hint": token["id_token"], "post_logout_redirect_uri": CALLBACK, "state": "bye"})
    place = browser.get(end)
    for _ in range(3):
        if isinstance(place, str):
            break
        if CALLBACK in place.text and "<form" not in place.text:
            break
        form = Form(place.text)
        place = browser.submit(place, **dict(form.buttons[:1]))
    assert isinstance(place, str) and place.startswith(CALLBACK) and parameters(place)["state"] == "bye", place
    assert parameters(browser.get(url + "&prompt=none"))["error"] == "login_required"


def tenants_never_meet(provider: Provider) -> None:
    one, other = Provider(provider.issuer + "/t/one"), Provider(provider.issuer + "/t/other")
    token = one.post("token_endpoint", {"grant_type": "client_credentials"}, SERVICE).json()["access_token"]
    assert one.claims(token)["iss"] == one.issuer
    for stranger in (other, provider):
        answer = stranger.post("introspection_endpoint", {"token": token}, SERVICE)
        assert answer.json() == {"active": False}, answer.text


SCENARIOS = [
    a_replayed_code_revokes_what_it_gave, a_reused_refresh_token_ends_the_family, proof_of_possession,
    proof_at_userinfo, pushed_request, request_object, token_exchange, jwt_bearer_of_a_stranger_is_refused,
    form_post, registration_is_managed, signed_userinfo, logout, tenants_never_meet,
]
