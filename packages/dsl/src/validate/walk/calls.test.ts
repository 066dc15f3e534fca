/* oxlint-disable vitest/expect-expect -- The helpers of testing/marked.ts assert. */
import { describe, expect, test } from 'vitest'
import { type Expected, expectDiagnostics, expectValid } from '#src/testing/marked.ts'
import { validateDefinition } from '#src/validate/validate-definition.ts'

type Case = readonly [name: string, text: string, expected: readonly Expected[]]

/** Puts a task into a definition. */
function task(text: string): string {
  return `do:\n  - sample: ${text}`
}

describe('calls', () => {
  const cases: readonly Case[] = [
    [
      'http without arguments',
      task('{ call: http }').replace('sample', '«sample»'),
      [{ code: 'missing_property', message: 'A call of http needs "with".' }],
    ],
    [
      'http without an endpoint',
      task('{ call: http, «with»: { method: get } }'),
      [{ code: 'missing_property', message: 'The arguments of an HTTP call need "endpoint".' }],
    ],
    [
      'a misspelled method is one mistake',
      task('{ call: http, with: { «methd»: get, endpoint: https://a.b } }'),
      [{ code: 'unknown_property', hint: '"method"' }],
    ],
    ['url in place of endpoint', task('{ call: http, with: { method: get, «url»: https://a.b } }'), ['unknown_property']],
    [
      'a relative endpoint',
      task('{ call: http, with: { method: get, endpoint: «/orders» } }'),
      [{ code: 'invalid_uri', message: '"/orders" is not an absolute URI.' }],
    ],
    ['an endpoint without a scheme', task('{ call: http, with: { method: get, endpoint: { uri: «example.com» } } }'), ['invalid_uri']],
    [
      'an endpoint with a blank',
      task('{ call: http, with: { method: get, endpoint: «https://a.b/c d» } }'),
      [{ code: 'invalid_uri', message: 'a character that a URI may not have: " "' }],
    ],
    [
      'an endpoint with open braces',
      task('{ call: http, with: { method: get, endpoint: «"https://a.b/{id"» } }'),
      [{ code: 'invalid_uri', hint: 'Write {name}' }],
    ],
    ['an endpoint that is a list', task('{ call: http, with: { method: get, endpoint: «[]» } }'), ['wrong_type']],
    [
      'a number in the query',
      task('{ call: http, with: { method: get, endpoint: https://a.b, query: { page: «1» } } }'),
      [{ code: 'wrong_type', message: '"page" has to be a string, but is a number.', hint: 'Put it in quotes: "1".' }],
    ],
    [
      'headers that are text',
      task('{ call: http, with: { method: get, endpoint: https://a.b, headers: «.headers» } }'),
      [{ code: 'invalid_value', message: 'has to be an expression in ${ … }', hint: "Write '${ .headers }'." }],
    ],
    [
      'an unknown output',
      task('{ call: http, with: { method: get, endpoint: https://a.b, output: «responce» } }'),
      [{ code: 'invalid_value', hint: 'Did you mean "response"?' }],
    ],
    [
      'a redirect in words',
      task('{ call: http, with: { method: get, endpoint: https://a.b, redirect: «follow» } }'),
      [{ code: 'wrong_type', message: 'true or false' }],
    ],
    ['with as a list', task('{ call: http, with: «[]» }'), [{ code: 'wrong_type', hint: 'method, endpoint' }]],
    ['call as an object', task('{ call: «{ http: {} }» }'), [{ code: 'wrong_type', message: '"call" has to be a string' }]],
    [
      'openapi without its operation',
      task('{ call: openapi, «with»: { document: { endpoint: https://a.b } } }'),
      [{ code: 'missing_property', message: '"operationId"' }],
    ],
    [
      'openapi with a URI as document',
      task('{ call: openapi, with: { document: «https://a.b», operationId: x } }'),
      [{ code: 'wrong_type', message: 'an external resource' }],
    ],
    [
      'grpc with a port beyond the range',
      task('{ call: grpc, with: { proto: { endpoint: https://a.b }, service: { name: s, host: localhost, port: «70000» }, method: m } }'),
      [{ code: 'invalid_value', hint: 'from 0 to 65535' }],
    ],
    [
      'grpc with a URI as host',
      task('{ call: grpc, with: { proto: { endpoint: https://a.b }, service: { name: s, host: «http://x» }, method: m } }'),
      [{ code: 'invalid_name', hint: 'without scheme or port' }],
    ],
    [
      'asyncapi that says too little',
      task('{ call: asyncapi, «with»: { document: { endpoint: https://a.b }, message: {} } }'),
      [{ code: 'missing_property', message: '"channel" or "operation"' }],
    ],
    [
      'asyncapi that says too much',
      task(
        '{ call: asyncapi, with: { document: { endpoint: https://a.b }, operation: x, message: {}, «subscription»: { consume: { amount: 1 } } } }',
      ),
      ['conflicting_properties'],
    ],
    [
      'asyncapi with an unknown protocol',
      task('{ call: asyncapi, with: { document: { endpoint: https://a.b }, operation: x, message: {}, protocol: «kafak» } }'),
      [{ code: 'invalid_value', hint: '"kafka"' }],
    ],
    [
      'a subscription that ends by nothing',
      task('{ call: asyncapi, with: { document: { endpoint: https://a.b }, operation: x, subscription: { «consume»: { for: PT1S } } } }'),
      [{ code: 'missing_property', message: '"amount", "while" or "until"' }],
    ],
    [
      'a subscription with a bare condition',
      task('{ call: asyncapi, with: { document: { endpoint: https://a.b }, operation: x, subscription: { consume: { while: «.x» } } } }'),
      ['invalid_value'],
    ],
    [
      'a2a without an address',
      task('{ call: a2a, «with»: { method: message/send } }'),
      [{ code: 'missing_property', message: '"agentCard" or "server"' }],
    ],
    [
      'a2a with an unknown method',
      task('{ call: a2a, with: { method: «message/sned», server: https://a.b } }'),
      [{ code: 'invalid_value', hint: 'message/send' }],
    ],
    [
      'a2a with empty parameters',
      task('{ call: a2a, with: { method: tasks/get, server: https://a.b, parameters: «{}» } }'),
      ['too_few_entries'],
    ],
    [
      'mcp without a transport',
      task('{ call: mcp, «with»: { method: tools/list } }'),
      [{ code: 'missing_property', message: '"transport"' }],
    ],
    [
      'mcp with two transports',
      task('{ call: mcp, with: { method: tools/list, transport: { http: { endpoint: https://a.b }, «stdio»: { command: x } } } }'),
      ['conflicting_properties'],
    ],
    [
      'mcp with an unknown method',
      task('{ call: mcp, with: { method: «tool/call», transport: { http: { endpoint: https://a.b } } } }'),
      [{ code: 'invalid_value', hint: 'tools/call' }],
    ],
    [
      'an MCP client without a version',
      task('{ call: mcp, with: { method: tools/list, transport: { http: { endpoint: https://a.b } }, «client»: { name: x } } }'),
      [{ code: 'missing_property', message: '"version"' }],
    ],
    [
      'arguments of a function that are a list',
      `use: { functions: { f: { set: { x: 1 } } } }\n${task('{ call: f, with: «[1]» }')}`,
      ['wrong_type'],
    ],
  ]
  test.each(cases)('%s', (_, text, expected) => {
    expectDiagnostics(text, expected)
  })

  test('all forms of calls are valid', () => {
    expectValid(`
do:
  - a: { call: http, with: { method: get, endpoint: 'https://example.com/{id}?q={q}' } }
  - b:
      call: http
      with:
        method: '\${ .method }'
        endpoint: { uri: '\${ .uri }', authentication: { bearer: { token: '\${ .token }' } } }
        headers: { x-y: '\${ .y }', accept: text/plain }
        query: '\${ .query }'
        body: [ 1, { a: '\${ .a }' } ]
        output: response
        redirect: true
  - c: { call: openapi, with: { document: { name: x, endpoint: https://example.com }, operationId: op, parameters: { a: 1 }, output: raw, redirect: false } }
  - d:
      call: grpc
      with: { proto: { endpoint: file://app/x.proto }, service: { name: S, host: a.example.com, port: 443 }, method: M, arguments: { a: '\${ .a }' } }
  - e:
      call: asyncapi
      with:
        document: { endpoint: https://example.com }
        operation: op
        server: { name: s, variables: { v: 1 } }
        protocol: kafka
        message: { payload: { a: '\${ .a }' }, headers: {} }
  - f:
      call: asyncapi
      with:
        document: { endpoint: https://example.com }
        channel: /c
        subscription:
          filter: '\${ .x }'
          consume: { amount: 5, for: PT1M }
          foreach: { item: m, at: i, do: [ g: { set: { x: '\${ $m }' } } ], output: { as: $m }, export: { as: $i } }
  - h: { call: a2a, with: { method: message/send, agentCard: { endpoint: https://example.com }, parameters: { message: { parts: [] } } } }
  - i: { call: a2a, with: { method: tasks/get, server: https://example.com, parameters: '\${ .parameters }' } }
  - j:
      call: mcp
      with:
        protocolVersion: '2025-06-18'
        method: tools/call
        parameters: { name: x, arguments: {} }
        timeout: PT10S
        transport: { http: { endpoint: https://example.com, headers: { a: b } }, options: { o: p } }
        client: { name: millrace, version: 1.0.0 }
  - k: { call: mcp, with: { method: tools/list, transport: { stdio: { command: npx, arguments: [ x ], environment: { A: b } } } } }
`)
  })
})

describe('authentication', () => {
  function call(authentication: string): string {
    return `use: { secrets: [ s ] }\n${task(`{ call: http, with: { method: get, endpoint: { uri: https://a.b, authentication: ${authentication} } } }`)}`
  }

  const cases: readonly Case[] = [
    [
      'no scheme',
      call('{}').replace('authentication:', '«authentication»:'),
      [{ code: 'missing_property', message: '"use", "basic", "bearer", "digest", "oauth2" or "oidc"' }],
    ],
    ['two schemes', call('{ basic: { use: s }, «bearer»: { use: s } }'), ['conflicting_properties']],
    ['an unknown scheme', call('{ «baisc»: { use: s } }'), [{ code: 'unknown_property', hint: 'Did you mean "basic"?' }]],
    ['basic without a password', call('{ «basic»: { username: u } }'), [{ code: 'missing_property', message: '"password"' }]],
    ['a password that is a number', call('{ basic: { username: u, password: «1234» } }'), [{ code: 'wrong_type', hint: '"1234"' }]],
    ['a token in the wrong place', call('{ bearer: «"${ .token }"» }'), [{ code: 'wrong_type', hint: 'token' }]],
    ['a secret and a token', call('{ bearer: { use: s, «token»: t } }'), ['unknown_property']],
    ['an empty reference', call('{ use: «""» }'), [{ code: 'too_few_entries', message: 'may not be empty' }]],
    ['OAuth without an authority', call('{ «oauth2»: { grant: password } }'), [{ code: 'missing_property', message: '"authority"' }]],
    [
      'OAuth with a misspelled grant',
      call('{ oauth2: { authority: https://a.b, grant: «client-credentials» } }'),
      [{ code: 'invalid_value', hint: '"client_credentials"' }],
    ],
    ['OAuth with an authority from data', call('{ oauth2: { authority: «"${ .a }"», grant: password } }'), ['invalid_uri']],
    [
      'OAuth with an unknown client authentication',
      call('{ oauth2: { authority: https://a.b, grant: password, client: { authentication: «basic» } } }'),
      [{ code: 'invalid_value', hint: 'client_secret_basic' }],
    ],
    [
      'OAuth with scopes as text',
      call('{ oauth2: { authority: https://a.b, grant: password, scopes: «api» } }'),
      [{ code: 'wrong_type', message: 'a list of scopes' }],
    ],
    [
      'OpenID Connect with endpoints',
      call('{ oidc: { authority: https://a.b, grant: password, «endpoints»: {} } }'),
      [{ code: 'unknown_property', message: 'the configuration of OpenID Connect' }],
    ],
    [
      'half a token',
      call('{ oidc: { authority: https://a.b, grant: password, «actor»: { token: "${ .t }" } } }'),
      [{ code: 'missing_property', message: 'A security token needs "type".' }],
    ],
  ]
  test.each(cases)('%s', (_, text, expected) => {
    expectDiagnostics(text, expected)
  })

  test.each([
    '{ basic: { username: u, password: "${ .p }" } }',
    '{ basic: { use: s } }',
    '{ digest: { username: u, password: "${ .p }" } }',
    '{ digest: { use: s } }',
    '{ bearer: { token: "${ .t }" } }',
    '{ bearer: { use: s } }',
    '{ oauth2: { use: s } }',
    '{ oidc: { use: s } }',
    '{ oauth2: { authority: https://a.b, endpoints: { token: /t, revocation: /r, introspection: /i }, grant: client_credentials, client: { id: i, secret: "${ .s }", assertion: "${ .a }", authentication: none } } }',
    '{ oidc: { authority: https://a.b, grant: password, request: { encoding: application/json }, issuers: [ i ], scopes: [ s ], audiences: [ a ], username: u, password: "${ .p }", subject: { token: "${ .t }", type: y }, actor: { token: "${ .t }", type: y } } }',
  ])('%s is right', (authentication) => {
    expectValid(call(authentication))
  })

  const oauth = (client: string) => call(`{ oauth2: { authority: https://a.b, grant: client_credentials, ${client} } }`)

  test.each([
    ['client_secret_basic', 'secret: "${ .s }"'],
    ['client_secret_jwt', 'secret: "${ .s }"'],
    ['client_secret_jwt', 'assertion: "${ .a }"'],
    ['private_key_jwt', 'assertion: "${ .a }"'],
    ['client_secret_post', 'id: other'],
    ['none', 'id: other'],
  ])('a client proves itself by %s with %s', (method, proof) => {
    expectValid(oauth(`client: { authentication: ${method}, ${proof} }`))
  })

  test.each([
    ['client_secret_basic', 'assertion: "${ .a }"', '"secret"'],
    ['client_secret_jwt', 'id: i', '"secret" or "assertion"'],
    ['private_key_jwt', 'secret: "${ .s }"', '"assertion"'],
  ])('a client cannot prove itself by %s with %s', (method, proof, missing) => {
    expectDiagnostics(oauth(`client: «{ authentication: ${method}, ${proof} }»`), [
      { code: 'missing_property', message: `needs ${missing}.` },
    ])
  })

  test.each([
    '{ basic: { username: u, password: «p» } }',
    '{ digest: { username: u, password: «p» } }',
    '{ bearer: { token: «t» } }',
    '{ oauth2: { authority: https://a.b, grant: client_credentials, client: { id: i, secret: «s» } } }',
    '{ oidc: { authority: https://a.b, grant: client_credentials, client: { id: i, assertion: «a», authentication: private_key_jwt } } }',
    '{ oidc: { authority: https://a.b, grant: password, username: u, password: «p» } }',
    '{ oauth2: { authority: https://a.b, grant: refresh_token, subject: { token: «t», type: y } } }',
  ])('%s is a credential that everyone can read', (authentication) => {
    expectDiagnostics(call(authentication), [{ code: 'plain_credential', hint: 'use.secrets' }])
  })

  test('a credential in plain text is a warning, which does not keep the definition from running', () => {
    const { definition, diagnostics } = validateDefinition(
      `document: { dsl: 1.0.3, namespace: t, name: t, version: 1.0.0 }\n${call('{ bearer: { token: t } }')}`,
    )
    expect(diagnostics).toMatchObject([{ code: 'plain_credential', severity: 'warning' }])
    expect(definition).toBeDefined()
  })
})
