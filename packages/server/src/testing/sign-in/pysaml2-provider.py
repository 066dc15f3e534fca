"""A SAML provider of pysaml2, the library of Debian's package python3-pysaml2.

Reads a JSON object in each line of standard input and writes one to standard output. The first one sets the provider up and is answered by its metadata. Each
further one is a sign-in: the provider reads the request against the metadata of the service provider, and answers with its signed response.
"""

import json
import os
import sys
import tempfile

from saml2 import BINDING_HTTP_REDIRECT, saml, xmldsig
from saml2.authn_context import PASSWORDPROTECTEDTRANSPORT
from saml2.config import IdPConfig
from saml2.metadata import create_metadata_string
from saml2.server import Server


def answer(value):
    print(json.dumps(value), flush=True)


def configured(given, folder):
    def kept(name):
        path = os.path.join(folder, name)
        with open(path, "w") as file:
            file.write(given[name])
        return path

    idp = {
        "endpoints": {"single_sign_on_service": [(given["entityId"] + "/sso", BINDING_HTTP_REDIRECT)]},
        "policy": {"default": {"lifetime": {"minutes": 5}, "attribute_restrictions": None, "name_form": saml.NAME_FORMAT_URI}},
    }
    settings = {
        "entityid": given["entityId"],
        "xmlsec_binary": "/usr/bin/xmlsec1",
        "key_file": kept("key"),
        "cert_file": kept("cert"),
        "metadata": {"inline": [given["serviceProvider"]]},
        "service": {"idp": idp},
    }
    return IdPConfig().load(settings)


def respond(server, given):
    request = server.parse_authn_request(given["request"], BINDING_HTTP_REDIRECT)
    arguments = server.response_args(request.message)
    return server.create_authn_response(
        identity=given["attributes"],
        userid=given["subject"],
        name_id=saml.NameID(format=saml.NAMEID_FORMAT_PERSISTENT, text=given["subject"]),
        authn={"class_ref": PASSWORDPROTECTEDTRANSPORT, "authn_auth": server.config.entityid},
        sign_assertion=True,
        sign_response=given["signResponse"],
        sign_alg=xmldsig.SIG_RSA_SHA256,
        digest_alg=xmldsig.DIGEST_SHA256,
        in_response_to=arguments["in_response_to"],
        sp_entity_id=arguments["sp_entity_id"],
        destination=arguments["destination"],
    )


with tempfile.TemporaryDirectory() as folder:
    config = configured(json.loads(sys.stdin.readline()), folder)
    answer({"metadata": create_metadata_string(None, config=config).decode()})
    server = Server(config=config)
    for line in sys.stdin:
        answer({"response": str(respond(server, json.loads(line)))})
