"""Holds a running Pawl to its OpenAPI document: validates the document, and real answers against its schemas.

Takes the URL of the provider. Writes {"checked": [operation and status, …], "problems": [text, …]} to standard output.
"""

import base64
import html
import json
import re
import sys
import urllib.error
import urllib.parse
import urllib.request

import jsonschema
import openapi_spec_validator
import referencing
import referencing.jsonschema

BASE = sys.argv[1].rstrip("/")
DOCUMENT = "urn:openapi"
BASIC = {"Authorization": "Basic " + base64.b64encode(b"service:secret").decode()}

METADATA = ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"]
METHODS = ["get", "put", "post", "delete", "patch"]
FORM = "application/x-www-form-urlencoded"
# No token has a space in it.
MALFORMED = {"Authorization": "Bearer x y"}
# More than the server reads by default (--max-body).
TOO_LONG = b"a=" + b"a" * (64 << 10)
CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

problems = []
checked = []


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *arguments):
        return None


opener = urllib.request.build_opener(NoRedirect)


class Browser:
    """Keeps the cookies of a person who goes through the pages, and the last page."""

    def __init__(self):
        self.cookies = {}
        self.page = ""
        self.location = ""

    def fields(self):
        return {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}

    def visit(self, method, path, expected, form=None):
        content = check(method, path, expected, form=form, headers=self.fields())
        for cookie in answered.get_all("Set-Cookie") or []:
            name, _, value = cookie.split(";")[0].partition("=")
            self.cookies[name] = value
        self.page = (content or b"").decode()
        self.location = answered.get("Location") or ""

    def hidden(self, **values):
        """What the form of the page sends by itself, and what the person adds."""
        found = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', self.page)
        return [(name, html.unescape(value)) for name, value in found if name not in values] + list(values.items())


# The fields of the last answer that was checked.
answered = {}


def send(method, path, form=None, body=None, headers=None):
    headers = dict(headers or {})
    data = None
    if form is not None:
        data = urllib.parse.urlencode(form).encode()
        headers["Content-Type"] = FORM
    if body is not None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        headers.setdefault("Content-Type", "application/json")
    request = urllib.request.Request(BASE + path, data=data, headers=headers, method=method)
    try:
        with opener.open(request, timeout=30) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as answer:
        return answer.code, answer.headers, answer.read()


document = json.loads(send("GET", "/openapi.json")[2])
try:
    openapi_spec_validator.validate(document)
except Exception as error:
    problems.append(f"the document: {error}")

registry = referencing.Registry().with_resource(
    DOCUMENT, referencing.Resource(contents=document, specification=referencing.jsonschema.DRAFT202012)
)


def operation(method, path):
    """The operation that a path is of, and its template."""
    path = path.split("?")[0]
    best = None
    for template, item in document["paths"].items():
        parts, given = template.split("/"), path.split("/")
        if method.lower() not in item or len(parts) != len(given):
            continue
        if all(a == b or (a.startswith("{") and b) for a, b in zip(parts, given)):
            if best is None or template.count("{") < best.count("{"):
                best = template
    return best and (document["paths"][best][method.lower()], best)


def errors(value, *place):
    pointer = "/".join(str(part).replace("~", "~0").replace("/", "~1") for part in place)
    validator = jsonschema.Draft202012Validator(
        {"$ref": f"{DOCUMENT}#/{pointer}"},
        registry=registry,
        format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER,
    )
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(value)]


def check(method, path, expected, form=None, body=None, headers=None):
    """Sends a request, and holds the answer to what the document says of it. Gives the body back."""
    global answered
    status, fields, content = send(method, path, form, body, headers)
    answered = fields
    found = operation(method, path)
    name = f"{method} {path[:80]} {status}"
    if found is None:
        problems.append(f"{name}: not described")
        return None
    described, template = found
    if status != expected:
        problems.append(f"{name}: expected {expected}: {content[:300]!r}")
    if str(status) not in described["responses"]:
        problems.append(f"{name}: the status is not described")
        return None
    if status < 400:
        for problem in undescribed(described, form, body, fields):
            problems.append(f"{name}: {problem}")
    if isinstance(body, dict) and expected < 300:
        for error in errors(body, "paths", template, method.lower(), "requestBody", "content", "application/json", "schema"):
            problems.append(f"{name}: the request: {error}")
    checked.append(f"{described['operationId']} {status}")
    if status == 503:
        if "Retry-After" not in described["responses"]["503"].get("headers", {}):
            problems.append(f"{name}: Retry-After is not described")
        if not (fields.get("Retry-After") or "").isdigit():
            problems.append(f"{name}: it does not say when to come again")
    types = described["responses"][str(status)].get("content", {})
    if not types:
        if content:
            problems.append(f"{name}: content where none is described: {content[:200]!r}")
        return None
    if not content and status == 401:
        # RFC 6750 section 3.1: who sent no token learns nothing but the challenge.
        return None
    media = (fields.get("Content-Type") or "").split(";")[0]
    if media not in types:
        problems.append(f"{name}: {media} is not described")
        return None
    if media != "application/json":
        return content
    try:
        value = json.loads(content)
    except ValueError as error:
        problems.append(f"{name}: {error}")
        return None
    for error in errors(
        value, "paths", template, method.lower(), "responses", status, "content", "application/json", "schema"
    ):
        problems.append(f"{name}: {error}")
    return value


def undescribed(described, form, body, fields):
    """What a request that was done had, or its answer, and its operation says nothing of."""
    media = "application/json" if body is not None else FORM if form is not None else None
    if media is not None and media not in described.get("requestBody", {}).get("content", {}):
        yield f"it takes {media}, which is not described"
    if "ETag" in fields and "304" not in described["responses"]:
        yield "it has an ETag, and no 304 is described"


def has(method, path):
    return operation(method, path) is not None


def documents():
    for path in ["/openapi.json", "/jwks.json", *METADATA, "/health", "/ready", "/metrics"]:
        check("GET", path, 200)
    for path in ["/openapi.json", "/jwks.json", *METADATA]:
        check("GET", path, 304, headers={"If-None-Match": "*"})
    # Whatever the metadata name is described.
    for name, url in json.loads(send("GET", METADATA[0])[2]).items():
        if name.endswith("_endpoint") and urllib.parse.urlsplit(url).path not in document["paths"]:
            problems.append(f"{name}: not described")


def tokens():
    check("POST", "/token", 200, form={"grant_type": "client_credentials"}, headers=BASIC)
    check("POST", "/token", 400, form={}, headers=BASIC)
    check("POST", "/token", 400, form={"grant_type": "nothing"}, headers=BASIC)
    check("POST", "/token", 401, form={"grant_type": "client_credentials"})
    check("POST", "/token", 400, body={"grant_type": "client_credentials"}, headers=BASIC)
    check("POST", "/token", 413, body=TOO_LONG, headers={**BASIC, "Content-Type": FORM})
    session = check(
        "POST",
        "/_pawl/sessions",
        201,
        body={"user": "alice", "client": "web", "scope": "openid profile email", "nonce": "n"},
    )
    refresh = {"grant_type": "refresh_token", "client_id": "web", "refresh_token": session["refresh_token"]}
    refreshed = check("POST", "/token", 200, form=refresh)
    if has("GET", "/userinfo"):
        bearer = {"Authorization": "Bearer " + refreshed["access_token"]}
        check("GET", "/userinfo", 200, headers=bearer)
        check("POST", "/userinfo", 200, headers=bearer)
        form = {"access_token": refreshed["access_token"]}
        check("POST", "/userinfo", 200, form=form)
        check("POST", "/userinfo", 400, form=form, headers=bearer)
        check("GET", "/userinfo", 401)
        check("GET", "/userinfo", 401, headers={"Authorization": "Bearer nothing"})
    if has("POST", "/introspect"):
        check("POST", "/introspect", 200, form={"token": refreshed["access_token"]}, headers=BASIC)
        check("POST", "/introspect", 200, form={"token": "nothing"}, headers=BASIC)
        check("POST", "/introspect", 401, form={"token": "nothing"})
        check("POST", "/introspect", 400, form={}, headers=BASIC)
    if has("POST", "/revoke"):
        check("POST", "/revoke", 200, form={"token": refreshed["refresh_token"], "client_id": "web"})
        check("POST", "/revoke", 200, form={"token": "nothing"}, headers=BASIC)
        check("POST", "/revoke", 401, form={"token": "nothing"})
        check("POST", "/revoke", 400, form={}, headers=BASIC)


def cookies():
    alice = {"client_id": "web", "username": "alice", "password": "alice"}
    check("POST", "/session", 200, body=alice)
    check("POST", "/session", 400, body=dict(alice, password="x"))
    check("POST", "/session", 403, form=alice, headers={"Origin": "https://evil.example"})
    set_cookies = send("POST", "/session", form=alice)[1].get_all("Set-Cookie")
    jar = {"Cookie": "; ".join(cookie.split(";")[0] for cookie in set_cookies)}
    malformed = {"Cookie": "; ".join(cookie.split("=")[0] + "=x" for cookie in set_cookies)}
    for path in ["/session", "/session/resource"]:
        check("GET", path, 200, headers=jar)
        check("GET", path, 401)
        check("GET", path, 400, headers=malformed)
    check("POST", "/session/fork", 400, form={"fork_client_id": "nobody"}, headers=jar)
    check("POST", "/session/fork", 401, form={"fork_client_id": "nobody"})
    check("POST", "/session/refresh", 200, headers=jar)
    check("POST", "/session/refresh", 400, headers=jar)
    check("POST", "/session/refresh", 401)
    check("DELETE", "/session", 200, headers=jar)
    check("DELETE", "/session", 403, headers={"Origin": "https://evil.example"})
    check("PUT", "/_pawl/clients/app", 201, body=forking)
    view = {"redirect_uris": ["http://127.0.0.1/callback"], "cookie_session": {}}
    check("PUT", "/_pawl/clients/view", 201, body=dict(view, grant_types=["authorization_code", "refresh_token"]))
    jar = send("POST", "/session", form=dict(alice, client_id="app"))[1].get_all("Set-Cookie")
    headers = {"Cookie": "; ".join(cookie.split(";")[0] for cookie in jar)}
    check("POST", "/session/fork", 200, form={"fork_client_id": "view"}, headers=headers)
    for name in ["app", "view"]:
        check("DELETE", f"/_pawl/clients/{name}", 204)


forking = {
    "redirect_uris": ["http://127.0.0.1/callback"],
    "grant_types": ["authorization_code", "refresh_token"],
    "cookie_session": {"fork_to": ["view"], "access_cookie": {"same_site": "Strict"}},
}


def devices():
    if not has("POST", "/device_authorization"):
        return
    begun = check("POST", "/device_authorization", 200, form={"client_id": "web", "scope": "openid"})
    check("POST", "/device_authorization", 401, form={"client_id": "nobody"})
    code = urllib.parse.quote(begun["user_code"])
    check("POST", f"/_pawl/device/{code}", 400, body={"user": "nobody"})
    check("POST", f"/_pawl/device/{code}", 204, body={"user": "alice"})
    check("POST", f"/_pawl/device/{code}", 409, body={"user": "alice", "approve": False})
    check("POST", "/_pawl/device/BBBB-BBBB", 404, body={"user": "alice"})
    grant = "urn:ietf:params:oauth:grant-type:device_code"
    form = {"grant_type": grant, "client_id": "web", "device_code": begun["device_code"]}
    check("POST", "/token", 200, form=form)
    check("POST", "/token", 400, form=form)


def registration():
    if not has("POST", "/register"):
        return
    made = check("POST", "/register", 201, body={"redirect_uris": ["https://app.example/callback"]})
    check("POST", "/register", 400, body={"redirect_uris": ["javascript:1"]})
    check("POST", "/register", 413, body=TOO_LONG)
    own = {"Authorization": "Bearer " + made["registration_access_token"]}
    path = "/register?client_id=" + urllib.parse.quote(made["client_id"])
    check("GET", path, 200, headers=own)
    check("GET", path, 401)
    changed = {"client_id": made["client_id"], "redirect_uris": ["https://app.example/other"]}
    if "client_secret" in made:
        changed["client_secret"] = made["client_secret"]
    made = check("PUT", path, 200, body=changed, headers=own) or made
    own = {"Authorization": "Bearer " + made.get("registration_access_token", own["Authorization"][7:])}
    check("PUT", path, 401, body=changed)
    check("DELETE", path, 401)
    check("DELETE", path, 204, headers=own)


def authorization_path(**more):
    return "/authorize?" + urllib.parse.urlencode(
        {
            "client_id": "web",
            "response_type": "code",
            "redirect_uri": "http://127.0.0.1/callback",
            "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
            "scope": "openid",
            **more,
        }
    )


def authorization():
    check("GET", authorization_path(), 303)
    check("GET", authorization_path(prompt="none", response_mode="form_post"), 200)
    check("GET", "/authorize?client_id=nobody", 400)
    check("POST", "/authorize", 303, form=urllib.parse.parse_qsl(authorization_path().split("?")[1]))
    pushed = check("POST", "/par", 201, form=urllib.parse.parse_qsl(authorization_path().split("?")[1]))
    check("GET", "/authorize?" + urllib.parse.urlencode({"client_id": "web", "request_uri": pushed["request_uri"]}), 303)
    check("POST", "/par", 400, form={"client_id": "web"})
    check("POST", "/par", 401, form={"client_id": "nobody"})


def pages():
    """A person signs in, chooses, agrees, connects a device and signs out, and does each of it wrongly too."""
    check("GET", "/", 200)
    consent = {"redirect_uris": ["http://127.0.0.1/callback"], "consent": "always"}
    check("PUT", "/_pawl/clients/asking", 201, body=consent)
    browser = Browser()

    def sign_in(path, **values):
        browser.visit("GET", path, 303)
        login = browser.location
        browser.visit("GET", login, 200)
        return browser.hidden(**values)

    check("GET", "/login", 400)
    check("GET", "/login?interaction=nothing", 400)
    form = sign_in(authorization_path(client_id="asking"), username="alice", password="alice")
    browser.visit("POST", "/login", 400, form=form + [("claims", "[]")])
    browser.visit("POST", "/login", 403, form=[(n, v if n != "csrf" else "AAAA") for n, v in form])
    browser.visit("POST", "/login", 403, form=[(n, v if n != "username" else "nobody") for n, v in form])
    browser.visit("POST", "/login", 303, form=form)
    browser.visit("GET", browser.location, 200)
    consent_form = browser.hidden(decision="allow", scope="openid")
    browser.visit("POST", "/consent", 403, form=[(n, v if n != "csrf" else "AAAA") for n, v in consent_form])
    browser.visit("POST", "/consent", 303, form=consent_form)
    check("GET", "/consent", 400)
    browser.visit("GET", authorization_path(prompt="select_account"), 303)
    browser.visit("GET", browser.location, 200)
    choice = browser.hidden(another="1")
    browser.visit("POST", "/select-account", 403, form=[(n, v if n != "csrf" else "AAAA") for n, v in choice])
    browser.visit("POST", "/select-account", 303, form=choice)
    check("GET", "/select-account", 400)
    check("GET", "/continue", 400)
    stranger = Browser()
    stranger.visit("POST", "/authorize", 303, form=urllib.parse.parse_qsl(authorization_path().split("?")[1]))
    stranger.visit("GET", stranger.location, 303)

    begun = check("POST", "/device_authorization", 200, form={"client_id": "web", "scope": "openid"})
    device = "/device?user_code=" + urllib.parse.quote(begun["user_code"])
    check("GET", "/device", 200)
    check("GET", device, 303)
    browser.visit("GET", device, 200)
    decision = browser.hidden(decision="allow")
    browser.visit("POST", "/device", 403, form=[(n, v if n != "csrf" else "AAAA") for n, v in decision])
    browser.visit("POST", "/device", 400, form=[("decision", "allow")])
    browser.visit("POST", "/device", 200, form=decision)

    check("GET", "/logout?id_token_hint=nothing", 400)
    check("POST", "/logout", 400, form={"decision": "logout", "id_token_hint": "nothing"})
    browser.visit("GET", "/logout", 200)
    logout = browser.hidden(decision="logout")
    browser.visit("POST", "/logout", 403, form=[(n, v if n != "csrf" else "AAAA") for n, v in logout])
    browser.visit("POST", "/logout", 200, form=logout)
    check("PUT", "/_pawl/clients/leaving", 201, body={**consent, "post_logout_redirect_uris": ["https://app.example/"]})
    leaving = "/logout?client_id=leaving&post_logout_redirect_uri=https%3A%2F%2Fapp.example%2F"
    browser.visit("GET", leaving, 303)
    session = check("POST", "/_pawl/sessions", 201, body={"user": "alice", "client": "leaving", "scope": "openid"})
    browser.visit("GET", leaving + "&id_token_hint=" + session["id_token"], 200)
    browser.visit("POST", "/logout", 303, form=browser.hidden(decision="logout"))

    # Whoever tries too often has to wait. These come last: the address waits too.
    form = sign_in(authorization_path(), username="mallory", password="wrong")
    for attempt in range(11):
        browser.visit("POST", "/login", 403 if attempt < 10 else 429, form=form)
    for attempt in range(11):
        method, expected = ("GET", "POST")[attempt % 2], 404 if attempt < 10 else 429
        if method == "GET":
            check("GET", "/device?user_code=BBBB-BBBB", expected)
        else:
            check("POST", "/device", expected, form={"user_code": "BBBB-BBBB"})
    check("POST", "/device", 429, form={"user_code": "BBBB-BBBB"})
    wrong = {"token": "nothing", "client_id": "service", "client_secret": "wrong"}
    for attempt in range(100):
        send("POST", "/introspect", form=wrong)
    check("POST", "/introspect", 429, form=wrong)
    check("POST", "/_pawl/reset", 204)


def control():
    for path in [
        "",
        "/clock",
        "/users",
        "/users/alice",
        "/clients",
        "/clients/service",
        "/settings",
        "/keys",
        "/sessions",
        "/requests",
        "/requests?path=/token&limit=5",
        "/next",
        "/logins/next-claims",
        "/tenants",
    ]:
        check("GET", "/_pawl" + path, 200)
    for path in ["/users/nobody", "/clients/nobody", "/sessions?user=nobody"]:
        check("GET", "/_pawl" + path, 404)
    check("GET", "/_pawl/clock", 403, headers={"Origin": "https://evil.example"})
    check("PUT", "/_pawl/clock", 415, body=b"{}", headers={"Content-Type": "text/plain"})
    check("PUT", "/_pawl/clock", 200, body={"now": "2030-01-02T03:04:05.678Z", "frozen": True})
    check("PUT", "/_pawl/clock", 400, body={"now": "later"})
    check("POST", "/_pawl/clock/advance", 200, body={"by": "1h30m"})
    check("POST", "/_pawl/clock/advance", 400, body={})
    for verb in ["freeze", "resume", "reset"]:
        check("POST", f"/_pawl/clock/{verb}", 200)
    check("PUT", "/_pawl/users/carol", 201, body={"password": "p", "claims": {"name": "Carol"}})
    check("PUT", "/_pawl/users/carol", 200, body={"claims": {}})
    check("PUT", "/_pawl/users/carol", 400, body={"claim": {}})
    check("PUT", "/_pawl/users/dora", 409, body={"id": "carol"})
    check("DELETE", "/_pawl/users/carol", 204)
    check("DELETE", "/_pawl/users/carol", 404)
    client = {"redirect_uris": ["http://127.0.0.1/callback"], "grant_types": ["authorization_code", "refresh_token"]}
    check("PUT", "/_pawl/clients/app", 201, body=client)
    check("PUT", "/_pawl/clients/app", 200, body=dict(client, client_name="App"))
    check("PUT", "/_pawl/clients/app", 400, body={"redirect_uris": 1})
    session = check("POST", "/_pawl/sessions", 201, body={"user": "bob", "client": "app", "scope": "openid"})
    check("POST", "/_pawl/sessions", 400, body={"user": "nobody", "client": "app"})
    families = check("GET", "/_pawl/sessions", 200)["families"]
    check("DELETE", "/_pawl/sessions/" + families[0]["id"], 204)
    check("DELETE", "/_pawl/sessions/nothing", 404)
    check("DELETE", "/_pawl/sessions?user=alice", 204)
    check("DELETE", "/_pawl/clients/app", 204)
    check("DELETE", "/_pawl/clients/app", 404)
    settings = check("GET", "/_pawl/settings", 200)
    check("PATCH", "/_pawl/settings", 200, body=settings)
    check("PATCH", "/_pawl/settings", 400, body={"rotation": "never"})
    check("PUT", "/_pawl/logins/next-claims", 200, body={"user": "alice", "claims": {"roles": ["a"]}})
    check("PUT", "/_pawl/logins/next-claims", 400, body={})
    check("DELETE", "/_pawl/logins/next-claims", 204)
    override = {"error": "server_error", "status": 500, "headers": {"X-Test": "yes"}, "client": "nobody"}
    waiting = check("POST", "/_pawl/next", 201, body=override)
    check("POST", "/_pawl/next", 201, body={"access_token_claims": {"aud": "x"}, "client": "nobody"})
    check("POST", "/_pawl/next", 201, body={"endpoint": "authorize", "members": {"state": "x"}, "client": "nobody"})
    check("POST", "/_pawl/next", 400, body={"endpoint": "nowhere", "error": "x"})
    check("GET", "/_pawl/next", 200)
    check("DELETE", f"/_pawl/next/{waiting['id']}", 204)
    check("DELETE", f"/_pawl/next/{waiting['id']}", 404)
    check("DELETE", "/_pawl/next", 204)
    check("POST", "/_pawl/tokens", 200, body={"claims": {"sub": "alice"}, "signature": "broken"})
    check("POST", "/_pawl/tokens", 400, body={"claims": 1})
    check("POST", "/_pawl/keys/rotate", 200, body={"alg": "ES256"})
    check("POST", "/_pawl/keys/rotate", 400, body={"alg": "none"})
    check("GET", "/_pawl/keys", 200)
    tenant = {"users": [{"username": "zoe"}], "settings": {"rotation": "reuse"}}
    check("PUT", "/_pawl/tenants/one", 201, body=tenant)
    check("PUT", "/_pawl/tenants/one", 200, body=tenant)
    check("PUT", "/_pawl/tenants/one", 400, body={"users": 1})
    check("GET", "/_pawl/tenants", 200)
    check("POST", "/_pawl/tenants/one/reset", 204)
    check("POST", "/_pawl/tenants/nobody/reset", 404)
    check("DELETE", "/_pawl/tenants/one", 204)
    check("DELETE", "/_pawl/tenants/one", 404)
    check("GET", "/_pawl/requests?since=x", 400)
    check("DELETE", "/_pawl/requests", 204)
    check("GET", "/_pawl/requests?wait=10ms", 200)
    check("POST", "/_pawl/reset", 204)


def order():
    """Faults, barriers, families, events, and what is taken away from others: keys and tokens."""
    fault = check("POST", "/_pawl/faults", 201, body={"fault": "status", "status": 503, "client": "nobody", "nth": 2})
    check("POST", "/_pawl/faults", 400, body={"fault": "nothing"})
    check("POST", "/_pawl/faults", 400, body={"fault": "delay", "for": "1y"})
    check("GET", "/_pawl/faults", 200)
    check("GET", f"/_pawl/faults/{fault['id']}", 200)
    check("DELETE", f"/_pawl/faults/{fault['id']}", 204)
    check("DELETE", f"/_pawl/faults/{fault['id']}", 404)
    check("GET", f"/_pawl/faults/{fault['id']}", 404)
    check("DELETE", "/_pawl/faults", 204)
    barrier = check("POST", "/_pawl/barriers", 201, body={"at": "refresh.received", "client": "nobody"})
    check("POST", "/_pawl/barriers", 400, body={"at": "nowhere"})
    check("GET", "/_pawl/barriers", 200)
    check("GET", f"/_pawl/barriers/{barrier['id']}", 200)
    check("POST", f"/_pawl/barriers/{barrier['id']}/open", 200)
    check("DELETE", f"/_pawl/barriers/{barrier['id']}", 204)
    check("DELETE", f"/_pawl/barriers/{barrier['id']}", 404)
    check("GET", f"/_pawl/barriers/{barrier['id']}", 404)
    check("POST", f"/_pawl/barriers/{barrier['id']}/open", 404)
    check("DELETE", "/_pawl/barriers", 204)
    session = check("POST", "/_pawl/sessions", 201, body={"user": "bob", "client": "web", "scope": "openid"})
    family = check("GET", "/_pawl/families?user=bob", 200)["families"][0]["id"]
    check("GET", "/_pawl/families?format=nothing", 400)
    check("GET", "/_pawl/families?user=nobody", 404)
    for form in ["json", "dot", "mermaid"]:
        check("GET", f"/_pawl/families?format={form}", 200)
        check("GET", f"/_pawl/families/{family}?format={form}", 200)
    check("GET", "/_pawl/families/nothing", 404)
    check("GET", "/_pawl/events?wait=10ms", 200, headers={"Accept": "application/json"})
    check("GET", "/_pawl/events?kind=nothing", 400, headers={"Accept": "application/json"})
    check("POST", "/_pawl/tokens/revoke", 200, body={"token": session["refresh_token"]})
    check("POST", "/_pawl/tokens/revoke", 404, body={"token": "nothing"})
    check("POST", "/_pawl/tokens/revoke", 400, body={})
    made = check("POST", "/_pawl/keys/rotate", 200, body={"alg": "ES256"})
    newest = max(made["keys"], key=lambda key: key["created"])["kid"]
    check("DELETE", f"/_pawl/keys/{newest}", 200)
    check("DELETE", f"/_pawl/keys/{newest}", 404)
    check("POST", "/_pawl/reset", 204)


def failing():
    """Whatever needs the store says that it fails, and nothing of it is done."""
    service = {"client_id": "service", "client_secret": "secret"}
    session = check("POST", "/_pawl/sessions", 201, body={"user": "alice", "client": "web", "scope": "openid"})
    refresh = {"grant_type": "refresh_token", "client_id": "web", "refresh_token": session["refresh_token"]}
    bearer = {"Authorization": "Bearer " + session["access_token"]}
    form = urllib.parse.parse_qsl(authorization_path().split("?")[1])
    requests = [
        ("POST", "/token", {"form": refresh}),
        ("POST", "/introspect", {"form": {"token": session["access_token"], **service}}),
        ("POST", "/revoke", {"form": {"token": session["refresh_token"], "client_id": "web"}}),
        ("GET", "/userinfo", {"headers": bearer}),
        ("POST", "/userinfo", {"headers": bearer}),
        ("GET", "/session/resource", {"headers": bearer}),
        ("POST", "/device_authorization", {"form": {"client_id": "web"}}),
        ("POST", "/par", {"form": form}),
        ("POST", "/register", {"body": {"redirect_uris": ["https://app.example/callback"]}}),
    ]
    browser = Browser()
    browser.visit("GET", authorization_path(), 303)
    requests.append(("GET", browser.location, {"headers": browser.fields()}))
    for method, path, more in requests:
        if has(method, path):
            check("POST", "/_pawl/faults", 201, body={"fault": "store"})
            check(method, path, 503, **more)
            check("DELETE", "/_pawl/faults", 204)
    check("POST", "/token", 200, form=refresh)
    check("POST", "/_pawl/reset", 204)


def everywhere():
    """What holds of all operations of a kind is provoked at each of them. Nothing of it is done."""
    for template, item in document["paths"].items():
        path = re.sub(r"\{[^}]*\}", "nothing", template)
        controlled = template.startswith("/_pawl")
        for method in METHODS:
            if method not in item:
                continue
            described, method = item[method], method.upper()
            # What is beside the issuer does not ask for its name, and the gate of the control API asks before it.
            if "servers" not in item:
                check(method, path, 403 if controlled else 400, headers={"Host": "a,b"})
            if method != "GET":
                check(method, path, 413, body=TOO_LONG, headers={"Content-Type": FORM})
            if {"accessToken": []} in described.get("security", []):
                check(method, path, 400, headers=MALFORMED)
            if controlled:
                check(method, path + "?zork=1", 400)
                if "requestBody" not in described:
                    check(method, path, 400, body={})
                if method != "GET":
                    check(method, path, 415, form={"a": "b"})


parts = [documents, tokens, cookies, devices, registration, authorization, pages, control, order, failing, everywhere]
for part in parts:
    try:
        part()
    except Exception as error:
        problems.append(f"{part.__name__}: {type(error).__name__}: {error}")

names = {
    operation["operationId"]
    for item in document["paths"].values()
    for operation in item.values()
    if isinstance(operation, dict)
}
driven = {name.split(" ")[0] for name in checked}
json.dump(
    {"checked": sorted(set(checked)), "undriven": sorted(names - driven), "problems": problems},
    sys.stdout,
)
