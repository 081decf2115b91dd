"""Authlib as the client."""

from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc7523 import ClientSecretJWT, PrivateKeyJWT
from authlib.oidc.core import CodeIDToken, HybridIDToken, ImplicitIDToken, UserInfo
from joserfc.jwk import OctKey, RSAKey

from .provider import ALGORITHMS, CALLBACK, Browser, Provider, parameters

SCOPE = "openid profile email offline_access"


def session(client_id: str, secret: str | None = None, **keywords) -> OAuth2Session:
    keywords.setdefault("redirect_uri", CALLBACK)
    keywords.setdefault("scope", SCOPE)
    return OAuth2Session(client_id, secret, **keywords)


def check_id_token(provider: Provider, kind, token: dict, client_id: str, nonce: str | None, key=None,
                   code: str | None = None) -> dict:
    claims = provider.claims(token["id_token"], key)
    checked = kind(
        claims, {"alg": "RS256"}, {"iss": {"value": provider.issuer}, "aud": {"value": client_id}},
        {"nonce": nonce, "client_id": client_id})
    checked.validate(leeway=5)
    assert claims["iss"] == provider.issuer and claims["aud"] == client_id, claims
    if nonce:
        assert claims["nonce"] == nonce
    return claims


def code_flow(provider: Provider, client: OAuth2Session, username: str = "alice", **keywords) -> tuple[dict, str]:
    verifier = "correct-horse-battery-staple-correct-horse-battery-staple"
    url, state = client.create_authorization_url(
        provider["authorization_endpoint"], nonce="n-0S6_WzA2Mj", code_verifier=verifier, **keywords)
    place = Browser(provider).authorize(url, username)
    answer = parameters(place)
    assert answer["iss"] == provider.issuer and answer["state"] == state, answer
    token = client.fetch_token(
        provider["token_endpoint"], authorization_response=place, state=state, code_verifier=verifier)
    return token, answer["code"]


def code_with_pkce(provider: Provider) -> None:
    client = session("web", token_endpoint_auth_method="none", code_challenge_method="S256")
    token, _ = code_flow(provider, client)
    claims = check_id_token(provider, CodeIDToken, token, "web", "n-0S6_WzA2Mj")
    assert claims["sub"] == "alice" and claims["amr"] == ["pwd"] and "sid" in claims and "at_hash" in claims
    access = provider.claims(token["access_token"])
    assert access["client_id"] == "web" and access["sub"] == "alice" and access["scope"] == SCOPE, access
    info = UserInfo(**client.get(provider["userinfo_endpoint"]).json())
    assert info.sub == "alice" and info.email == "alice@example.com" and info.name == "Alice Adams", info


def refresh(provider: Provider) -> None:
    client = session("web", token_endpoint_auth_method="none", code_challenge_method="S256")
    first, _ = code_flow(provider, client)
    second = client.refresh_token(provider["token_endpoint"], refresh_token=first["refresh_token"])
    assert second["refresh_token"] != first["refresh_token"] and second["access_token"] != first["access_token"]
    before, after = (provider.claims(token["id_token"]) for token in (first, second))
    assert "nonce" not in after
    for name in ("iss", "sub", "aud", "auth_time", "sid"):
        assert before[name] == after[name], name
    assert second["expires_in"] > 0


def secret_basic(provider: Provider) -> None:
    client = session("service", "secret", token_endpoint_auth_method="client_secret_basic",
                     code_challenge_method="S256")
    token, _ = code_flow(provider, client, username="bob")
    assert check_id_token(provider, CodeIDToken, token, "service", "n-0S6_WzA2Mj")["sub"] == "bob"


def secret_post(provider: Provider) -> None:
    client = session("service", "secret", token_endpoint_auth_method="client_secret_post",
                     code_challenge_method="S256")
    token, _ = code_flow(provider, client)
    assert token["token_type"] == "Bearer"


def client_credentials(provider: Provider) -> None:
    client = session("service", "secret", scope="read write")
    token = client.fetch_token(provider["token_endpoint"], grant_type="client_credentials")
    claims = provider.claims(token["access_token"])
    assert claims["sub"] == claims["client_id"] == "service" and claims["scope"] == "read write", claims
    assert "refresh_token" not in token and "id_token" not in token


def password(provider: Provider) -> None:
    client = session("service", "secret")
    token = client.fetch_token(provider["token_endpoint"], username="alice", password="alice")
    assert provider.claims(token["access_token"])["sub"] == "alice"
    try:
        client.fetch_token(provider["token_endpoint"], username="alice", password="wrong")
    except Exception as error:
        assert "invalid_grant" in str(error), error
    else:
        raise AssertionError("a wrong password is good for a token")


def secret_jwt(provider: Provider) -> None:
    registered = provider.register(
        redirect_uris=[CALLBACK], grant_types=["authorization_code", "client_credentials"],
        token_endpoint_auth_method="client_secret_jwt")
    client = session(registered["client_id"], registered["client_secret"], scope=None,
                     token_endpoint_auth_method="client_secret_jwt")
    client.register_client_auth_method(ClientSecretJWT(provider["token_endpoint"]))
    token = client.fetch_token(provider["token_endpoint"], grant_type="client_credentials")
    assert provider.claims(token["access_token"])["client_id"] == registered["client_id"]


def key_jwt(provider: Provider) -> None:
    key = RSAKey.generate_key(2048, {"kid": "k1", "use": "sig", "alg": "RS256"})
    registered = provider.register(
        redirect_uris=[CALLBACK], grant_types=["authorization_code", "client_credentials"],
        token_endpoint_auth_method="private_key_jwt", jwks={"keys": [key.as_dict(private=False)]})
    client = session(registered["client_id"], key.as_pem(private=True), scope=None,
                     token_endpoint_auth_method="private_key_jwt")
    client.register_client_auth_method(PrivateKeyJWT(provider["token_endpoint"]))
    token = client.fetch_token(provider["token_endpoint"], grant_type="client_credentials")
    assert provider.claims(token["access_token"])["client_id"] == registered["client_id"]


def introspection_and_revocation(provider: Provider) -> None:
    client = session("service", "secret", code_challenge_method="S256")
    token, _ = code_flow(provider, client)
    for hint in ("access_token", "refresh_token"):
        answer = client.introspect_token(provider["introspection_endpoint"], token=token[hint], token_type_hint=hint)
        assert answer.json()["active"] is True and answer.json()["client_id"] == "service", answer.text
    assert client.revoke_token(provider["revocation_endpoint"], token=token["refresh_token"]).status_code == 200
    for name in ("access_token", "refresh_token"):
        answer = client.introspect_token(provider["introspection_endpoint"], token=token[name])
        assert answer.json() == {"active": False}, answer.text


def hybrid(provider: Provider) -> None:
    client = session("service", "secret", response_type="code id_token token")
    url, state = client.create_authorization_url(provider["authorization_endpoint"], nonce="n-1")
    answer = parameters(Browser(provider).authorize(url), "fragment")
    claims = check_id_token(provider, HybridIDToken, answer, "service", "n-1")
    assert "c_hash" in claims and "at_hash" in claims and answer["state"] == state
    token = client.fetch_token(provider["token_endpoint"], code=answer["code"], grant_type="authorization_code")
    assert provider.claims(token["id_token"])["sub"] == claims["sub"]


def implicit(provider: Provider) -> None:
    client = session("service", "secret", response_type="id_token token")
    url, _ = client.create_authorization_url(provider["authorization_endpoint"], nonce="n-2")
    answer = parameters(Browser(provider).authorize(url), "fragment")
    claims = check_id_token(provider, ImplicitIDToken, answer, "service", "n-2")
    assert "at_hash" in claims and "refresh_token" not in answer and "code" not in answer


def every_algorithm(provider: Provider) -> None:
    for algorithm in ALGORITHMS:
        registered = provider.register(redirect_uris=[CALLBACK], id_token_signed_response_alg=algorithm)
        client = session(registered["client_id"], registered["client_secret"], scope="openid",
                         code_challenge_method="S256")
        token, _ = code_flow(provider, client)
        key = None
        if algorithm.startswith("HS"):
            key = OctKey.import_key(registered["client_secret"])
        check_id_token(provider, CodeIDToken, token, registered["client_id"], "n-0S6_WzA2Mj", key)


def pairwise_subjects(provider: Provider) -> None:
    subjects = set()
    for host in ("a.example", "b.example"):
        uri = f"https://{host}/callback"
        registered = provider.register(redirect_uris=[uri], subject_type="pairwise")
        client = session(registered["client_id"], registered["client_secret"], redirect_uri=uri, scope="openid",
                         code_challenge_method="S256")
        token, _ = code_flow(provider, client)
        subjects.add(provider.claims(token["id_token"])["sub"])
    assert len(subjects) == 2 and "alice" not in subjects, subjects


SCENARIOS = [
    code_with_pkce, refresh, secret_basic, secret_post, client_credentials, password, secret_jwt, key_jwt,
    introspection_and_revocation, hybrid, implicit, every_algorithm, pairwise_subjects,
]
