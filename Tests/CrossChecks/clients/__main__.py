"""Drives a running provider with clients that share nothing with it.

    python -m clients --list
    python -m clients http://127.0.0.1:8080 SCENARIO...

Prints a line for each scenario: its name and `ok`, or what went wrong. Exits with 1 if anything did.
"""

import os
import sys
import traceback
import warnings

# The libraries insist on TLS, and the provider under test is on loopback.
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
# A provider may tell the scope in another order, or the default one.
os.environ["OAUTHLIB_RELAX_TOKEN_SCOPE"] = "1"
warnings.simplefilter("ignore")

from . import with_authlib, with_cookies, with_plain_requests, with_requests_oauthlib  # noqa: E402
from .provider import Provider  # noqa: E402

SCENARIOS = {
    f"{module.__name__.rsplit('with_', 1)[1]}.{scenario.__name__}": scenario
    for module in (with_authlib, with_requests_oauthlib, with_plain_requests, with_cookies) for scenario in module.SCENARIOS
}


def main(arguments: list[str]) -> int:
    if arguments == ["--list"]:
        print("\n".join(SCENARIOS))
        return 0
    failures = 0
    for name in arguments[1:] or SCENARIOS:
        try:
            SCENARIOS[name](Provider(arguments[0]))
            print(f"{name} ok", flush=True)
        except Exception:
            failures += 1
            print(f"{name} FAILED\n{traceback.format_exc()}", flush=True)
    return 1 if failures else 0


sys.exit(main(sys.argv[1:]))
