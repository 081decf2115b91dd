"""Answers questions about JOSE with implementations that share nothing with Pawl's: joserfc, PyJWT and cryptography.

Reads a JSON array of requests from standard input, writes the array of answers to standard output. Each answer is
{"ok": value}, or {"error": text} where the library refused.
"""

import base64
import json
import sys
import warnings

import jwt
from cryptography.hazmat.primitives import serialization as ser
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from joserfc import jwk, jws

# joserfc warns of EdDSA, since RFC 9864 has a better name for it.
warnings.simplefilter("ignore")


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def pyjwt_key(request):
    if "pem" in request:
        return request["pem"]
    return jwt.PyJWS().get_algorithm_by_name(request["alg"]).from_jwk(json.dumps(request["key"]))


def sign_compact(request):
    header = dict(request.get("header", {}), alg=request["alg"])
    payload = decode(request["payload"])
    if request["library"] == "PyJWT":
        return jwt.PyJWS().encode(payload, pyjwt_key(request), algorithm=request["alg"], headers=header)
    return jws.serialize_compact(header, payload, jwk.import_key(request["key"]), algorithms=[request["alg"]])


def verify_compact(request):
    if request["library"] == "PyJWT":
        return encode(jwt.PyJWS().decode(request["token"], pyjwt_key(request), algorithms=[request["alg"]]))
    key = jwk.import_key(request["key"])
    payload = decode(request["detached"]) if "detached" in request else None
    found = jws.deserialize_compact(request["token"], key, algorithms=[request["alg"]], payload=payload)
    return encode(found.payload)


def sign_json(request):
    members = request["members"]
    keys = jwk.KeySet([jwk.import_key(key) for key in request["keys"]])
    return jws.serialize_json(members, decode(request["payload"]), keys, algorithms=request["algs"])


def verify_json(request):
    keys = jwk.KeySet([jwk.import_key(key) for key in request["keys"]])
    return encode(jws.deserialize_json(request["object"], keys, algorithms=request["algs"]).payload)


def claims(request):
    """A whole token with PyJWT: signature, issuer, audience and dates."""
    return jwt.decode(
        request["token"],
        pyjwt_key(request),
        algorithms=[request["alg"]],
        issuer=request["issuer"],
        audience=request["audience"],
        options={"require": ["exp", "iss", "aud"]},
    )


def thumbprint(request):
    return jwk.import_key(request["key"]).thumbprint()


def generate(request):
    """A fresh private key in every form that cryptography writes."""
    kind = request["kind"]
    if kind == "RSA":
        key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    elif kind == "Ed25519":
        key = ed25519.Ed25519PrivateKey.generate()
    else:
        key = ec.generate_private_key({"P-256": ec.SECP256R1, "P-384": ec.SECP384R1, "P-521": ec.SECP521R1}[kind]())
    forms = {
        "PKCS#8": key.private_bytes(ser.Encoding.PEM, ser.PrivateFormat.PKCS8, ser.NoEncryption()),
        "SPKI": key.public_key().public_bytes(ser.Encoding.PEM, ser.PublicFormat.SubjectPublicKeyInfo),
    }
    if kind != "Ed25519":
        # PKCS#1 for RSA, SEC1 for EC.
        forms["traditional"] = key.private_bytes(
            ser.Encoding.PEM, ser.PrivateFormat.TraditionalOpenSSL, ser.NoEncryption()
        )
    if kind == "RSA":
        forms["PKCS#1 public"] = key.public_key().public_bytes(ser.Encoding.PEM, ser.PublicFormat.PKCS1)
    return {
        "pem": {name: text.decode() for name, text in forms.items()},
        "jwk": pem_to_jwk({"pem": forms["PKCS#8"].decode()}),
    }


def pem_to_jwk(request):
    text = request["pem"].encode()
    for kind in ("RSA", "EC", "OKP"):
        try:
            key = jwk.import_key(text, kind)
            return key.as_dict(private=key.is_private)
        except Exception:
            continue
    raise ValueError("no kind of key")


OPERATIONS = {
    "sign_compact": sign_compact,
    "verify_compact": verify_compact,
    "sign_json": sign_json,
    "verify_json": verify_json,
    "claims": claims,
    "thumbprint": thumbprint,
    "generate": generate,
    "pem_to_jwk": pem_to_jwk,
}


def answer(request):
    try:
        return {"ok": OPERATIONS[request["operation"]](request)}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


json.dump([answer(request) for request in json.load(sys.stdin)], sys.stdout)
