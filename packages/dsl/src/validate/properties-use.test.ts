/* oxlint-disable vitest/expect-expect -- The helpers of testing/reports.ts assert. */
import { describe, expect, test } from 'vitest'
import { expectReports, reportsOf, withLine } from '#src/testing/reports.ts'

type Case = readonly [line: string, by: string, ...reports: readonly string[]]

const use = `document:
  dsl: 1.0.3
  namespace: shop
  name: order
  version: 1.0.0
use:
  secrets:
    - vault
  authentications:
    login:
      oauth2:
        authority: https://login.example.com
        endpoints:
          token: /oauth2/token
        grant: client_credentials
        client:
          id: millrace
          secret: \${ $secrets.vault }
          authentication: client_secret_post
        request:
          encoding: application/json
        scopes:
          - read
        subject:
          token: \${ .t }
          type: jwt
    identity:
      oidc:
        authority: https://id.example.com
        grant: password
        username: ada
        password: \${ $secrets.vault }
  errors:
    outOfStock:
      type: https://example.com/errors/out-of-stock
      status: 409
  extensions:
    - logging:
        extend: all
        when: $task.name != "skipped"
        before:
          - say:
              set: { name: '\${ $task.name }' }
  retries:
    patient:
      delay: PT1S
  timeouts:
    short:
      after: PT5S
do: []
`

describe('use', () => {
  test('with every property is right', () => {
    expect(reportsOf(use)).toEqual([])
  })

  const cases: readonly Case[] = [
    [
      'secrets:',
      'secret:',
      '7:3 unknown_property /use/secret: "secret" is not a property of the components of the workflow. Did you mean "secrets"?',
      '18:31 undeclared_secret /use/authentications/login/oauth2/client/secret: The secret "vault" is not listed in use.secrets. Add vault to use.secrets.',
      '32:31 undeclared_secret /use/authentications/identity/oidc/password: The secret "vault" is not listed in use.secrets. Add vault to use.secrets.',
    ],
    [
      '- vault',
      '- value',
      '18:31 undeclared_secret /use/authentications/login/oauth2/client/secret: The secret "vault" is not listed in use.secrets. Add vault to use.secrets.',
      '32:31 undeclared_secret /use/authentications/identity/oidc/password: The secret "vault" is not listed in use.secrets. Add vault to use.secrets.',
    ],
    [
      'authentications:',
      'authentication:',
      '9:3 unknown_property /use/authentication: "authentication" is not a property of the components of the workflow. Did you mean "authentications"?',
    ],
    [
      'oauth2:',
      'oauth:',
      '11:7 unknown_property /use/authentications/login/oauth: "oauth" is not a property of an authentication policy. Did you mean "oauth2"?',
    ],
    [
      'authority: https://login.example.com',
      '',
      '11:7 missing_property /use/authentications/login/oauth2: The configuration of OAuth 2.0 needs "authority". Add authority: to it.',
    ],
    [
      'authority: https://login.example.com',
      'authority: login.example.com',
      '12:20 invalid_uri /use/authentications/login/oauth2/authority: "login.example.com" is not an absolute URI. Begin with a scheme and ://, for example https://example.com/path.',
    ],
    [
      'token: /oauth2/token',
      'token: /oauth2/{token',
      '14:18 invalid_uri /use/authentications/login/oauth2/endpoints/token: "/oauth2/{token" has braces that do not belong together. Write {name} for a property of the input, and %7B and %7D for plain braces.',
    ],
    [
      'token: /oauth2/token',
      'tokens: /oauth2/token',
      '14:11 unknown_property /use/authentications/login/oauth2/endpoints/tokens: "tokens" is not a property of the endpoints of the authority. Did you mean "token"?',
    ],
    [
      'grant: client_credentials',
      'grant: client-credentials',
      '15:16 invalid_value /use/authentications/login/oauth2/grant: "client-credentials" is not possible for "grant". Did you mean "client_credentials"?',
    ],
    [
      'grant: client_credentials',
      '',
      '11:7 missing_property /use/authentications/login/oauth2: The configuration of OAuth 2.0 needs "grant". Add grant: to it.',
    ],
    [
      'grant: client_credentials',
      'grant: [ password ]',
      '15:16 wrong_type /use/authentications/login/oauth2/grant: "grant" has to be a string, but is a list. Write text.',
    ],
    [
      'id: millrace',
      'id: 5',
      '17:15 wrong_type /use/authentications/login/oauth2/client/id: "id" has to be a string, but is a number. Put it in quotes: "5".',
    ],
    [
      'secret: ${ $secrets.vault }',
      'secret: ${ $secrets.valt }',
      '18:31 undeclared_secret /use/authentications/login/oauth2/client/secret: The secret "valt" is not listed in use.secrets. Did you mean "vault"?',
    ],
    [
      'authentication: client_secret_post',
      'authentication: basic',
      '19:27 invalid_value /use/authentications/login/oauth2/client/authentication: "basic" is not possible for "authentication". Write client_secret_basic, client_secret_post, client_secret_jwt, private_key_jwt or none.',
    ],
    [
      'encoding: application/json',
      'encoding: json',
      '21:21 invalid_value /use/authentications/login/oauth2/request/encoding: "json" is not possible for "encoding". Write application/x-www-form-urlencoded or application/json.',
    ],
    [
      '- read',
      '- 5',
      '23:13 wrong_type /use/authentications/login/oauth2/scopes/0: Entry 1 of "scopes" has to be a string, but is a number. Put it in quotes: "5".',
    ],
    [
      '- read',
      'read: true',
      '23:11 wrong_type /use/authentications/login/oauth2/scopes: "scopes" has to be a list of scopes, but is an object. Begin each entry with "- ", or write [ … ].',
    ],
    ['type: jwt', '', '24:9 missing_property /use/authentications/login/oauth2/subject: A security token needs "type". Add type: to it.'],
    [
      'token: ${ .t }',
      'tokn: t',
      '25:11 unknown_property /use/authentications/login/oauth2/subject/tokn: "tokn" is not a property of a security token. Did you mean "token"?',
    ],
    [
      'username: ada',
      'username: 5',
      '31:19 wrong_type /use/authentications/identity/oidc/username: "username" has to be a string, but is a number. Put it in quotes: "5".',
    ],
    [
      'grant: password',
      'grant: passwrod',
      '30:16 invalid_value /use/authentications/identity/oidc/grant: "passwrod" is not possible for "grant". Did you mean "password"?',
    ],
    [
      'oidc:',
      'oicd:',
      '28:7 unknown_property /use/authentications/identity/oicd: "oicd" is not a property of an authentication policy. Did you mean "oidc"?',
    ],
    [
      'errors:',
      'error:',
      '33:3 unknown_property /use/error: "error" is not a property of the components of the workflow. Did you mean "errors"?',
    ],
    [
      'status: 409',
      'status: 4.09',
      '36:15 wrong_type /use/errors/outOfStock/status: "status" has to be a whole number, but is a number with a fraction. Write a whole number, without quotes.',
    ],
    ['status: 409', '', '34:5 missing_property /use/errors/outOfStock: An error needs "status". Add status: to it.'],
    [
      'extend: all',
      'extend: do',
      '39:17 invalid_value /use/extensions/0/logging/extend: "do" is not possible for "extend". Write call, composite, emit, for, listen, raise, run, set, switch, try, wait or all.',
    ],
    [
      'extend: all',
      'extends: all',
      '39:9 unknown_property /use/extensions/0/logging/extends: "extends" is not a property of an extension. Did you mean "extend"?',
    ],
    ['extend: all', '', '38:7 missing_property /use/extensions/0/logging: An extension needs "extend". Add extend: to it.'],
    [
      'when: $task.name != "skipped"',
      "when: $task.name != 'skipped'",
      '40:29 invalid_expression /use/extensions/0/logging/when: The expression cannot be read: syntax error, unexpected INVALID_CHARACTER. Write double quotes around text.',
    ],
    [
      'before:',
      'befor:',
      '41:9 unknown_property /use/extensions/0/logging/befor: "befor" is not a property of an extension. Did you mean "before"?',
    ],
    [
      "set: { name: '${ $task.name }' }",
      'set: {}',
      '43:20 too_few_entries /use/extensions/0/logging/before/0/say/set: The data to set may not be empty. Add at least one key: value pair.',
    ],
    [
      '- logging:',
      'logging:',
      '38:5 wrong_type /use/extensions: "extensions" has to be a list of named entries, but is an object. Put "- " in front of each name.',
    ],
    [
      'delay: PT1S',
      'delay: 1s',
      '46:14 invalid_duration /use/retries/patient/delay: "1s" is not an ISO 8601 duration. Write for example PT30S, PT5M, P1DT12H, or { minutes: 5 }.',
    ],
    [
      'delay: PT1S',
      'dely: PT1S',
      '46:7 unknown_property /use/retries/patient/dely: "dely" is not a property of a retry policy. Did you mean "delay"?',
    ],
    [
      'retries:',
      'retry:',
      '44:3 unknown_property /use/retry: "retry" is not a property of the components of the workflow. Remove it; possible are authentications, catalogs, errors, extensions, functions, retries, secrets, timeouts.',
    ],
    [
      'after: PT5S',
      'seconds: 5',
      '48:5 missing_property /use/timeouts/short: A timeout needs "after". Add after: to it.',
      '49:7 unknown_property /use/timeouts/short/seconds: "seconds" is not a property of a timeout. Remove it; possible are after.',
    ],
    [
      'after: PT5S',
      '',
      '48:11 wrong_type /use/timeouts/short: "short" has to be a timeout, an object, but is empty (null). Write an object with after.',
    ],
  ]
  test.each(cases)('%s → %s', (line, by, ...reports) => {
    expectReports(withLine(use, line, by), reports)
  })
})
