/* oxlint-disable vitest/expect-expect -- The helpers of testing/reports.ts assert. */
import { describe, expect, test } from 'vitest'
import { expectReports, reportsOf, withLine } from '#src/testing/reports.ts'

type Case = readonly [line: string, by: string, ...reports: readonly string[]]

const http = `document:
  dsl: 1.0.3
  namespace: shop
  name: order
  version: 1.0.0
do:
  - placeOrder:
      call: http
      with:
        method: post
        endpoint: https://api.example.com/orders/{id}
        headers:
          accept: application/json
        query:
          page: '1'
        body:
          id: \${ .id }
        output: response
        redirect: true
`

describe('call: http', () => {
  test('with every property is right', () => {
    expect(reportsOf(http)).toEqual([])
  })

  const cases: readonly Case[] = [
    ['call: http', 'call: htpt', '8:13 unknown_function /do/0/placeOrder/call: There is no function named "htpt". Did you mean "http"?'],
    ['call: http', 'call: 5', '8:13 wrong_type /do/0/placeOrder/call: "call" has to be a string, but is a number. Put it in quotes: "5".'],
    ['call: http', 'cal: http', '8:7 invalid_task /do/0/placeOrder/cal: "cal" is not something that a task can do. Did you mean "call"?'],
    [
      'call: http',
      '',
      '7:5 invalid_task /do/0/placeOrder: The task does not say what it does. Add one of for, call, do, emit, fork, listen, raise, run, set, switch, try, wait.',
    ],
    ['with:', 'wiht:', '9:7 unknown_property /do/0/placeOrder/wiht: "wiht" is not a property of a call of http. Did you mean "with"?'],
    [
      'with:',
      'call_with:',
      '7:5 missing_property /do/0/placeOrder: A call of http needs "with". Add with: to it.',
      '9:7 unknown_property /do/0/placeOrder/call_with: "call_with" is not a property of a call of http. Remove it; possible are if, input, call, with, output, export, timeout, then, metadata.',
    ],
    ['method: post', '', '9:7 missing_property /do/0/placeOrder/with: The arguments of an HTTP call need "method". Add method: to it.'],
    [
      'method: post',
      'method: 5',
      '10:17 wrong_type /do/0/placeOrder/with/method: "method" has to be a string, but is a number. Put it in quotes: "5".',
    ],
    [
      'method: post',
      'methd: post',
      '10:9 unknown_property /do/0/placeOrder/with/methd: "methd" is not a property of the arguments of an HTTP call. Did you mean "method"?',
    ],
    [
      'method: post',
      'method: [ get, post ]',
      '10:17 wrong_type /do/0/placeOrder/with/method: "method" has to be a string, but is a list. Write text.',
    ],
    [
      'method: post',
      'method:',
      '10:16 wrong_type /do/0/placeOrder/with/method: "method" has to be a string, but is empty (null). Write text.',
    ],
    [
      'endpoint: https://api.example.com/orders/{id}',
      '',
      '9:7 missing_property /do/0/placeOrder/with: The arguments of an HTTP call need "endpoint". Add endpoint: to it.',
    ],
    [
      'endpoint: https://api.example.com/orders/{id}',
      'url: https://api.example.com',
      '9:7 missing_property /do/0/placeOrder/with: The arguments of an HTTP call need "endpoint". Add endpoint: to it.',
      '11:9 unknown_property /do/0/placeOrder/with/url: "url" is not a property of the arguments of an HTTP call. Remove it; possible are method, endpoint, headers, query, body, output, redirect.',
    ],
    [
      'endpoint: https://api.example.com/orders/{id}',
      'endpoint: api.example.com',
      '11:19 invalid_uri /do/0/placeOrder/with/endpoint: "api.example.com" is not an absolute URI. Begin with a scheme and ://, for example https://example.com/path.',
    ],
    [
      'endpoint: https://api.example.com/orders/{id}',
      'endpoint: true',
      '11:19 wrong_type /do/0/placeOrder/with/endpoint: "endpoint" has to be a URI, an expression that gives one, or an endpoint object, but is a boolean. Write a URI, an expression that gives one, or an endpoint object.',
    ],
    [
      'endpoint: https://api.example.com/orders/{id}',
      'endpoint: { url: https://a.b }',
      '11:21 unknown_property /do/0/placeOrder/with/endpoint/url: "url" is not a property of an endpoint. Did you mean "uri"?',
    ],
    [
      'endpoint: https://api.example.com/orders/{id}',
      'endpoint: { uri: https://a.b, auth: {} }',
      '11:39 unknown_property /do/0/placeOrder/with/endpoint/auth: "auth" is not a property of an endpoint. Remove it; possible are uri, authentication.',
    ],
    [
      'endpoint: https://api.example.com/orders/{id}',
      "endpoint: 'https://a.b/{id'",
      '11:19 invalid_uri /do/0/placeOrder/with/endpoint: "https://a.b/{id" has braces that do not belong together. Write {name} for a property of the input, and %7B and %7D for plain braces.',
    ],
    [
      'endpoint: https://api.example.com/orders/{id}',
      'endpoint: https://a.b/50%off',
      '11:19 invalid_uri /do/0/placeOrder/with/endpoint: "https://a.b/50%off" has a character that a URI may not have: "%". Write it percent-encoded.',
    ],
    [
      'endpoint: https://api.example.com/orders/{id}',
      'endpoint: https://a.b/${ .id }',
      '11:19 warning embedded_expression /do/0/placeOrder/with/endpoint: The expression inside this text is not evaluated: only a string that is wholly ${ … } is. Write ${ "https://a.b/\\(.id)" }.',
      '11:19 invalid_uri /do/0/placeOrder/with/endpoint: "https://a.b/${ .id }" has a character that a URI may not have: " ". Write it percent-encoded.',
    ],
    [
      'headers:',
      'header:',
      '12:9 unknown_property /do/0/placeOrder/with/header: "header" is not a property of the arguments of an HTTP call. Did you mean "headers"?',
    ],
    [
      'accept: application/json',
      'retries: 3',
      '13:20 wrong_type /do/0/placeOrder/with/headers/retries: "retries" has to be a string, but is a number. Put it in quotes: "3".',
    ],
    [
      'accept: application/json',
      'accept: [ a ]',
      '13:19 wrong_type /do/0/placeOrder/with/headers/accept: "accept" has to be a string, but is a list. Write text.',
    ],
    [
      'accept: application/json',
      '- accept',
      '13:11 wrong_type /do/0/placeOrder/with/headers: "headers" has to be a map of strings, or an expression in ${ … } that gives one, but is a list. Write a map of strings, or an expression in ${ … } that gives one.',
    ],
    [
      "page: '1'",
      'page: 1',
      '15:17 wrong_type /do/0/placeOrder/with/query/page: "page" has to be a string, but is a number. Put it in quotes: "1".',
    ],
    [
      "page: '1'",
      'page: true',
      '15:17 wrong_type /do/0/placeOrder/with/query/page: "page" has to be a string, but is a boolean. Put it in quotes: "true".',
    ],
    [
      "page: '1'",
      "page: '${ $page }'",
      '15:21 undefined_variable /do/0/placeOrder/with/query/page: There is no variable $page here. Known here are $context, $secrets, $workflow, $runtime, $task, $steps, $input, $authorization.',
    ],
    [
      'body:',
      'bdoy:',
      '16:9 unknown_property /do/0/placeOrder/with/bdoy: "bdoy" is not a property of the arguments of an HTTP call. Did you mean "body"?',
    ],
    [
      'id: ${ .id }',
      "id: '${ .id + }'",
      '17:23 invalid_expression /do/0/placeOrder/with/body/id: The expression cannot be read: syntax error, unexpected end of file. Write a jq expression, for example .order.total > 10; see docs/dsl.md.',
    ],
    [
      'id: ${ .id }',
      'id: order ${ .id }',
      '17:15 warning embedded_expression /do/0/placeOrder/with/body/id: The expression inside this text is not evaluated: only a string that is wholly ${ … } is. Write ${ "order \\(.id)" }.',
    ],
    [
      'output: response',
      'output: respons',
      '18:17 invalid_value /do/0/placeOrder/with/output: "respons" is not possible for "output". Did you mean "response"?',
    ],
    [
      'output: response',
      'output: { as: .a }',
      '18:17 wrong_type /do/0/placeOrder/with/output: "output" has to be a string, but is an object. Write text.',
    ],
    [
      'output: response',
      'ouput: response',
      '18:9 unknown_property /do/0/placeOrder/with/ouput: "ouput" is not a property of the arguments of an HTTP call. Did you mean "output"?',
    ],
    [
      'redirect: true',
      'redirect: yes',
      '19:19 wrong_type /do/0/placeOrder/with/redirect: "redirect" has to be true or false, but is a string. Write true or false, without quotes.',
    ],
    [
      'redirect: true',
      'redirects: true',
      '19:9 unknown_property /do/0/placeOrder/with/redirects: "redirects" is not a property of the arguments of an HTTP call. Did you mean "redirect"?',
    ],
    [
      'redirect: true',
      'timeout: PT5S',
      '19:9 unknown_property /do/0/placeOrder/with/timeout: "timeout" is not a property of the arguments of an HTTP call. Remove it; possible are method, endpoint, headers, query, body, output, redirect.',
    ],
  ]
  test.each(cases)('%s → %s', (line, by, ...reports) => {
    expectReports(withLine(http, line, by), reports)
  })
})
