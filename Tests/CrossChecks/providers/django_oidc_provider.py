"""Another provider that is not ours, by other people: django-oidc-provider. It replaces a refresh token by forgetting it, knows no
grace period, and takes no token back.

    django_oidc_provider.py --directory DIRECTORY [--lifetime 60] [--delay 0]
"""

import django_site


def main() -> None:
    given = django_site.parser(__doc__).parse_args()
    django_site.configure(given, "oidc_provider", OIDC_TOKEN_EXPIRE=given.lifetime)

    from django.core.management import call_command
    from django.urls import include, path
    from oidc_provider.models import Client, ResponseType, RSAKey, Token

    call_command("migrate", run_syncdb=True, verbosity=0)
    RSAKey.objects.create(key=django_site.rsa_key())
    client = Client.objects.create(
        name="A native app", client_id=django_site.CLIENT, client_type="public", jwt_alg="RS256",
        redirect_uris=[django_site.CALLBACK])
    client.response_types.add(ResponseType.objects.create(value="code", description="code"))

    def tables() -> dict:
        count = Token.objects.count()
        return {"refreshTokens": {"live": count}, "accessTokens": count, "families": count}

    django_site.serve(given, [path("o/", include("oidc_provider.urls"))], tables)


if __name__ == "__main__":
    main()
