/* oxlint-disable vitest/expect-expect -- The helpers of testing/reports.ts assert. */
import { describe, expect, test } from 'vitest'
import { expectReports, reportsOf, withLine } from '#src/testing/reports.ts'

type Case = readonly [line: string, by: string, ...reports: readonly string[]]

const functionCall = `document:
  dsl: 1.0.3
  namespace: shop
  name: order
  version: 1.0.0
do:
  - notify:
      call: sendMail
      with:
        to: \${ .mail }
use:
  functions:
    sendMail:
      call: http
      with:
        method: post
        endpoint: https://mail.example.com
  catalogs:
    shared:
      endpoint:
        uri: https://catalog.example.com
        authentication:
          bearer:
            use: vault
  secrets:
    - vault
`

describe('call of a function', () => {
  test('with every property is right', () => {
    expect(reportsOf(functionCall)).toEqual([])
  })

  const cases: readonly Case[] = [
    [
      'call: sendMail',
      'call: sendMial',
      '8:13 unknown_function /do/0/notify/call: There is no function named "sendMial". Did you mean "sendMail"?',
    ],
    [
      'call: sendMail',
      'call: sendMail:1.0.0@shard',
      '8:13 unknown_reference /do/0/notify/call: There is no catalog named "shard" in use.catalogs. Did you mean "shared"?',
    ],
    [
      'call: sendMail',
      'call: sendMail:1.0.0@default',
      '8:13 unknown_function /do/0/notify/call: There is no function named "sendMail:1.0.0@default". Define it below use.functions, or call name:version@catalog.',
    ],
    ['call: sendMail', 'call:', '8:12 wrong_type /do/0/notify/call: "call" has to be a string, but is empty (null). Write text.'],
    [
      'to: ${ .mail }',
      '- ${ .mail }',
      '10:9 wrong_type /do/0/notify/with: "with" has to be an object, but is a list. Write name: value pairs.',
    ],
    ['sendMail:', 'sendmail:', '8:13 unknown_function /do/0/notify/call: There is no function named "sendMail". Did you mean "sendmail"?'],
    [
      'call: http',
      'cal: http',
      '14:7 invalid_task /use/functions/sendMail/cal: "cal" is not something that a task can do. Did you mean "call"?',
    ],
    [
      'uri: https://catalog.example.com',
      '',
      '20:7 missing_property /use/catalogs/shared/endpoint: An endpoint needs "uri". Add uri: to it.',
    ],
    [
      'uri: https://catalog.example.com',
      'url: https://catalog.example.com',
      '21:9 unknown_property /use/catalogs/shared/endpoint/url: "url" is not a property of an endpoint. Did you mean "uri"?',
    ],
    [
      'use: vault',
      'use: vualt',
      '24:18 undeclared_secret /use/catalogs/shared/endpoint/authentication/bearer/use: The secret "vualt" is not listed in use.secrets. Did you mean "vault"?',
    ],
    ['- vault', '- vault\n- vault', '27:7 duplicate_name /use/secrets/1: "vault" is already in the list. Remove it.'],
    [
      '- vault',
      '- 5',
      '24:18 undeclared_secret /use/catalogs/shared/endpoint/authentication/bearer/use: The secret "vault" is not listed in use.secrets. Add vault to use.secrets.',
      '26:7 wrong_type /use/secrets/0: Entry 1 of "secrets" has to be a string, but is a number. Put it in quotes: "5".',
    ],
    [
      '- vault',
      'vault: x',
      '24:18 undeclared_secret /use/catalogs/shared/endpoint/authentication/bearer/use: The secret "vault" is not listed in use.secrets. Add vault to use.secrets.',
      '26:5 wrong_type /use/secrets: "secrets" has to be a list of names of secrets, but is an object. Begin each entry with "- ", or write [ … ].',
    ],
    [
      'secrets:',
      'secret:',
      '24:18 undeclared_secret /use/catalogs/shared/endpoint/authentication/bearer/use: The secret "vault" is not listed in use.secrets. Add vault to use.secrets.',
      '25:3 unknown_property /use/secret: "secret" is not a property of the components of the workflow. Did you mean "secrets"?',
    ],
  ]
  test.each(cases)('%s → %s', (line, by, ...reports) => {
    expectReports(withLine(functionCall, line, by), reports)
  })
})
