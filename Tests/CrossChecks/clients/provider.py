"""The provider as a client sees it, and a browser without JavaScript."""

import html.parser
import urllib.parse

import requests
from joserfc import jwt
from joserfc.jwk import KeySet

ALGORITHMS = ["HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512",
              "ES256", "ES384", "ES512", "EdDSA"]
CALLBACK = "http://127.0.0.1:49152/callback"


class Provider:
    """What discovery says, and what can be asked with nothing but HTTP."""

    def __init__(self, issuer: str) -> None:
        self.issuer = issuer
        answer = requests.get(issuer + "/.well-known/openid-configuration", timeout=20)
        answer.raise_for_status()
        self.metadata = answer.json()
        assert self.metadata["issuer"] == issuer, self.metadata["issuer"]

    def __getitem__(self, name: str):
        return self.metadata[name]

    def keys(self) -> KeySet:
        return KeySet.import_key_set(requests.get(self["jwks_uri"], timeout=20).json())

    def claims(self, token: str, key=None) -> dict:
        """The claims of a token, its signature verified by a library that is not ours."""
        return jwt.decode(token, key or self.keys(), algorithms=ALGORITHMS).claims

    def register(self, **metadata) -> dict:
        answer = requests.post(self["registration_endpoint"], json=metadata, timeout=20)
        assert answer.status_code == 201, answer.text
        return answer.json()

    def post(self, endpoint: str, form: dict, auth=None, **keywords) -> requests.Response:
        return requests.post(self[endpoint], data=form, auth=auth, timeout=20, **keywords)


class Form(html.parser.HTMLParser):
    """The first form of a page: where it goes, and what it sends."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.action = self.method = None
        self.fields: dict[str, str | list[str]] = {}
        self.buttons: list[tuple[str, str]] = []
        self.open = False
        self.feed(page)
        assert self.action is not None, "the page has no form: " + page[:500]

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "form" and self.action is None:
            self.action, self.method, self.open = given.get("action", ""), given.get("method", "get").lower(), True
        elif tag == "input" and self.open and given.get("name"):
            if given.get("type") in ("checkbox", "radio") and "checked" not in given:
                return
            name, value = given["name"], given.get("value", "")
            if given.get("type") == "checkbox" and name in self.fields:
                before = self.fields[name]
                value = [*(before if isinstance(before, list) else [before]), value]
            self.fields[name] = value
        elif tag == "button" and self.open and given.get("name"):
            self.buttons.append((given["name"], given.get("value", "")))

    def handle_endtag(self, tag):
        if tag == "form":
            self.open = False


class Browser:
    """Follows redirects of the provider, keeps its cookies, and stops where it would leave it."""

    def __init__(self, provider: Provider) -> None:
        self.provider = provider
        self.session = requests.Session()

    def follow(self, answer: requests.Response) -> requests.Response | str:
        """The next page, or the URL outside the provider that it leads to."""
        while answer.is_redirect:
            place = urllib.parse.urljoin(answer.url, answer.headers["Location"])
            if not place.startswith(self.provider.issuer + "/"):
                return place
            answer = self.session.get(place, allow_redirects=False, timeout=20)
        return answer

    def get(self, url: str) -> requests.Response | str:
        return self.follow(self.session.get(url, allow_redirects=False, timeout=20))

    def submit(self, page: requests.Response, **fields) -> requests.Response | str:
        form = Form(page.text)
        url = urllib.parse.urljoin(page.url, form.action)
        return self.follow(self.session.post(
            url, data=form.fields | fields, allow_redirects=False, timeout=20, headers={"Referer": page.url}))

    def authorize(self, url: str, username: str = "alice") -> str:
        """Logs in with name and password where that is asked, allows what is asked, and returns where it ends."""
        page = self.get(url)
        for _ in range(4):
            if isinstance(page, str):
                return page
            assert page.status_code == 200, page.text[:500]
            form = Form(page.text)
            if "password" in page.text and "username" in form.fields:
                page = self.submit(page, username=username, password=username)
            else:
                page = self.submit(page, **dict([next(b for b in form.buttons if b[1] in ("allow", "approve", "yes"))]))
        raise AssertionError("the pages do not end")


def parameters(url: str, part: str = "query") -> dict[str, str]:
    """The parameters of an answer that came by redirect."""
    return dict(urllib.parse.parse_qsl(getattr(urllib.parse.urlsplit(url), part), strict_parsing=True))
