"""requests-oauthlib as the client, PyJWT for the tokens."""

import hashlib
import time

import jwt
import requests
from oauthlib.oauth2 import (
    BackendApplicationClient, DeviceClient, LegacyApplicationClient, MobileApplicationClient, WebApplicationClient,
)
from requests_oauthlib import OAuth2Session

from .provider import CALLBACK, Browser, Form, Provider

SCOPE = ["openid", "email", "offline_access"]


def verified(provider: Provider, token: str, audience: str) -> dict:
    key = jwt.PyJWKClient(provider["jwks_uri"]).get_signing_key_from_jwt(token)
    return jwt.decode(
        token, key.key, algorithms=[key.algorithm_name], audience=audience, issuer=provider.issuer,
        options={"require": ["exp", "iat", "iss", "sub", "aud"]})


def code(provider: Provider) -> None:
    session = OAuth2Session(client=WebApplicationClient("web"), redirect_uri=CALLBACK, scope=SCOPE, pkce="S256")
    url, _ = session.authorization_url(provider["authorization_endpoint"], nonce="n-3")
    place = Browser(provider).authorize(url)
    token = session.fetch_token(
        provider["token_endpoint"], authorization_response=place, include_client_id=True)
    claims = verified(provider, token["id_token"], "web")
    assert claims["nonce"] == "n-3" and claims["email"] == "alice@example.com"
    key = jwt.PyJWKClient(provider["jwks_uri"]).get_signing_key_from_jwt(token["id_token"])
    digest = hashlib.sha256(token["access_token"].encode()).digest()
    assert key.algorithm_name.endswith("256")
    assert claims["at_hash"] == jwt.utils.base64url_encode(digest[:16]).decode()
    assert session.get(provider["userinfo_endpoint"]).json()["sub"] == "alice"


def automatic_refresh(provider: Provider) -> None:
    kept = []
    session = OAuth2Session(
        client=WebApplicationClient("native"), redirect_uri="com.example.app:/callback", scope=SCOPE, pkce="S256",
        auto_refresh_url=provider["token_endpoint"], auto_refresh_kwargs={"client_id": "native"},
        token_updater=kept.append)
    url, _ = session.authorization_url(provider["authorization_endpoint"])
    place = Browser(provider).authorize(url)
    assert place.startswith("com.example.app:/callback?"), place
    first = dict(session.fetch_token(
        provider["token_endpoint"], code=place.split("code=")[1].split("&")[0], include_client_id=True))
    session.token = first | {"expires_in": -5, "expires_at": 1}
    assert session.get(provider["userinfo_endpoint"]).status_code == 200
    assert kept and kept[0]["refresh_token"] != first["refresh_token"]


def client_credentials(provider: Provider) -> None:
    session = OAuth2Session(client=BackendApplicationClient("service"))
    token = session.fetch_token(provider["token_endpoint"], client_id="service", client_secret="secret")
    claims = verified(provider, token["access_token"], provider.issuer)
    assert claims["sub"] == "service"
    assert jwt.get_unverified_header(token["access_token"])["typ"] == "at+jwt"


def password(provider: Provider) -> None:
    session = OAuth2Session(client=LegacyApplicationClient("service", scope=SCOPE))
    token = session.fetch_token(
        provider["token_endpoint"], username="bob", password="bob", client_id="service", client_secret="secret")
    assert verified(provider, token["id_token"], "service")["sub"] == "bob"


def implicit(provider: Provider) -> None:
    session = OAuth2Session(client=MobileApplicationClient("service"), redirect_uri=CALLBACK, scope=["email"])
    url, _ = session.authorization_url(provider["authorization_endpoint"])
    place = Browser(provider).authorize(url)
    token = session.token_from_fragment(place)
    assert verified(provider, token["access_token"], provider.issuer)["sub"] == "alice"


def device(provider: Provider) -> None:
    answer = provider.post("device_authorization_endpoint", {"client_id": "native", "scope": "openid"})
    assert answer.status_code == 200, answer.text
    grant = answer.json()
    session = OAuth2Session(client=DeviceClient("native"))

    def poll() -> requests.Response:
        return provider.post("token_endpoint", {
            "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": grant["device_code"],
            "client_id": "native"})

    assert poll().json()["error"] == "authorization_pending"
    assert poll().json()["error"] == "slow_down"
    approve(provider, grant)
    time.sleep(grant["interval"] + 6)
    token = session.fetch_token(
        provider["token_endpoint"], device_code=grant["device_code"], include_client_id=True, code="")
    assert verified(provider, token["id_token"], "native")["sub"] == "alice"
    assert poll().json()["error"] in ("invalid_grant", "slow_down", "expired_token")


def approve(provider: Provider, grant: dict) -> None:
    browser = Browser(provider)
    page = browser.get(grant["verification_uri_complete"])
    for _ in range(5):
        assert not isinstance(page, str)
        if grant["user_code"].replace("-", "") not in page.text.replace("-", "") and "password" not in page.text:
            return
        form = Form(page.text)
        buttons = dict((value, name) for name, value in form.buttons)
        if "password" in form.fields:
            page = browser.submit(page, username="alice", password="alice")
        elif "allow" in buttons or "approve" in buttons:
            word = "allow" if "allow" in buttons else "approve"
            page = browser.submit(page, **{buttons[word]: word})
            return
        else:
            page = browser.submit(page)
    raise AssertionError("the pages do not end")


SCENARIOS = [code, automatic_refresh, client_credentials, password, implicit, device]
