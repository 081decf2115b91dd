"""A provider that is not ours: django-oauth-toolkit with OpenID Connect, its own pages and its own tables.

    django_oauth_toolkit.py --directory DIRECTORY [--lifetime 60] [--delay 0] [--grace 0] [--protect]
"""

import collections

import django_site


def main() -> None:
    parser = django_site.parser(__doc__)
    parser.add_argument("--grace", type=int, default=0, help="REFRESH_TOKEN_GRACE_PERIOD_SECONDS")
    parser.add_argument("--protect", action="store_true", help="REFRESH_TOKEN_REUSE_PROTECTION")
    given = parser.parse_args()
    django_site.configure(given, "oauth2_provider", OAUTH2_PROVIDER={
        "OIDC_ENABLED": True, "SCOPES": {"openid": "Who you are", "read": "What you have"},
        "OIDC_RSA_PRIVATE_KEY": django_site.rsa_key(),
        "ACCESS_TOKEN_EXPIRE_SECONDS": given.lifetime, "ROTATE_REFRESH_TOKEN": True,
        "REFRESH_TOKEN_GRACE_PERIOD_SECONDS": given.grace, "REFRESH_TOKEN_REUSE_PROTECTION": given.protect,
    })

    from django.core.management import call_command
    from django.urls import include, path
    from oauth2_provider import urls
    from oauth2_provider.models import AccessToken, Application, RefreshToken

    call_command("migrate", run_syncdb=True, verbosity=0)
    Application.objects.create(
        name="A native app", client_id=django_site.CLIENT, client_type=Application.CLIENT_PUBLIC,
        authorization_grant_type=Application.GRANT_AUTHORIZATION_CODE, redirect_uris=django_site.CALLBACK,
        algorithm=Application.RS256_ALGORITHM)

    def tables() -> dict:
        return {
            "refreshTokens": collections.Counter(
                "live" if row.revoked is None else "revoked" for row in RefreshToken.objects.all()),
            "accessTokens": AccessToken.objects.count(),
            "families": RefreshToken.objects.values("token_family").distinct().count(),
        }

    django_site.serve(
        given, [path("o/", include("oauth2_provider.urls")), path("", include(urls.metadata_urlpatterns))], tables)


if __name__ == "__main__":
    main()
