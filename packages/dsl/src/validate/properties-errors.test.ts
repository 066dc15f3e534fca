/* oxlint-disable vitest/expect-expect -- The helpers of testing/reports.ts assert. */
import { describe, expect, test } from 'vitest'
import { expectReports, reportsOf, withLine } from '#src/testing/reports.ts'

type Case = readonly [line: string, by: string, ...reports: readonly string[]]

const raise = `document:
  dsl: 1.0.3
  namespace: shop
  name: order
  version: 1.0.0
do:
  - refuse:
      raise:
        error:
          type: https://example.com/errors/out-of-stock
          status: 409
          instance: /do/0/refuse
          title: Out of stock
          detail: \${ "There is no \\(.item) left." }
`

describe('raise', () => {
  test('with every property is right', () => {
    expect(reportsOf(raise)).toEqual([])
  })

  const cases: readonly Case[] = [
    ['raise:', 'rise:', '8:7 invalid_task /do/0/refuse/rise: "rise" is not something that a task can do. Did you mean "raise"?'],
    ['error:', 'eror:', '9:9 unknown_property /do/0/refuse/raise/eror: "eror" is not a property of what to raise. Did you mean "error"?'],
    [
      'error:',
      'problem:',
      '8:7 missing_property /do/0/refuse/raise: What to raise needs "error". Add error: to it.',
      '9:9 unknown_property /do/0/refuse/raise/problem: "problem" is not a property of what to raise. Remove it; possible are error.',
    ],
    [
      'type: https://example.com/errors/out-of-stock',
      '',
      '9:9 missing_property /do/0/refuse/raise/error: An error needs "type". Add type: to it.',
    ],
    [
      'type: https://example.com/errors/out-of-stock',
      'type: out-of-stock',
      '10:17 invalid_uri /do/0/refuse/raise/error/type: "out-of-stock" is not an absolute URI. Begin with a scheme and ://, for example https://example.com/path.',
    ],
    [
      'type: https://example.com/errors/out-of-stock',
      'tpye: https://a.b',
      '10:11 unknown_property /do/0/refuse/raise/error/tpye: "tpye" is not a property of an error. Did you mean "type"?',
    ],
    [
      'type: https://example.com/errors/out-of-stock',
      'type: 5',
      '10:17 wrong_type /do/0/refuse/raise/error/type: "type" has to be a string, but is a number. Put it in quotes: "5".',
    ],
    ['status: 409', '', '9:9 missing_property /do/0/refuse/raise/error: An error needs "status". Add status: to it.'],
    [
      'status: 409',
      "status: '409'",
      '11:19 wrong_type /do/0/refuse/raise/error/status: "status" has to be a whole number, but is a string. Write 409 without quotes.',
    ],
    [
      'status: 409',
      'status: conflict',
      '11:19 wrong_type /do/0/refuse/raise/error/status: "status" has to be a whole number, but is a string. Write a whole number, without quotes.',
    ],
    [
      'status: 409',
      'state: 409',
      '9:9 missing_property /do/0/refuse/raise/error: An error needs "status". Add status: to it.',
      '11:11 unknown_property /do/0/refuse/raise/error/state: "state" is not a property of an error. Remove it; possible are type, status, instance, title, detail.',
    ],
    [
      'status: 409',
      'status: ${ .status }',
      '11:19 wrong_type /do/0/refuse/raise/error/status: "status" has to be a whole number, but is a string. Write a whole number, without quotes.',
    ],
    [
      'instance: /do/0/refuse',
      'instance: do/0/refuse',
      '12:21 invalid_pointer /do/0/refuse/raise/error/instance: "do/0/refuse" is not a JSON Pointer. Write the path with slashes, for example /do/0/name.',
    ],
    [
      'instance: /do/0/refuse',
      'instance: 0',
      '12:21 wrong_type /do/0/refuse/raise/error/instance: "instance" has to be a string, but is a number. Put it in quotes: "0".',
    ],
    [
      'instance: /do/0/refuse',
      'instanse: /do',
      '12:11 unknown_property /do/0/refuse/raise/error/instanse: "instanse" is not a property of an error. Did you mean "instance"?',
    ],
    [
      'title: Out of stock',
      'title: 5',
      '13:18 wrong_type /do/0/refuse/raise/error/title: "title" has to be a string, but is a number. Put it in quotes: "5".',
    ],
    [
      'title: Out of stock',
      'message: Out of stock',
      '13:11 unknown_property /do/0/refuse/raise/error/message: "message" is not a property of an error. Remove it; possible are type, status, instance, title, detail.',
    ],
    [
      'title: Out of stock',
      'title: Out of ${ .item }',
      '13:18 warning embedded_expression /do/0/refuse/raise/error/title: The expression inside this text is not evaluated: only a string that is wholly ${ … } is. Write ${ "Out of \\(.item)" }.',
    ],
    [
      'detail: ${ "There is no \\(.item) left." }',
      'details: none',
      '14:11 unknown_property /do/0/refuse/raise/error/details: "details" is not a property of an error. Did you mean "detail"?',
    ],
    [
      'detail: ${ "There is no \\(.item) left." }',
      'detail: ${ "There is no \\(.item left." }',
      "14:43 invalid_expression /do/0/refuse/raise/error/detail: The expression cannot be read: syntax error, unexpected IDENT, expecting QQSTRING_INTERP_END or '|' or ','. Write a jq expression, for example .order.total > 10; see docs/dsl.md.",
    ],
  ]
  test.each(cases)('%s → %s', (line, by, ...reports) => {
    expectReports(withLine(raise, line, by), reports)
  })
})

const attempt = `document:
  dsl: 1.0.3
  namespace: shop
  name: order
  version: 1.0.0
use:
  retries:
    patient:
      delay: PT1S
do:
  - attempt:
      try:
        - send:
            set: { sent: true }
      catch:
        errors:
          with:
            type: https://example.com/errors/communication
            status: 503
            title: Unavailable
        as: problem
        when: $problem.status == 503
        exceptWhen: $problem.title == null
        retry:
          when: $problem.status >= 500
          delay:
            seconds: 1
          backoff:
            exponential: {}
          limit:
            attempt:
              count: 3
              duration: PT10S
            duration: PT5M
          jitter:
            from: PT0S
            to: PT1S
        do:
          - note:
              set: { failed: '\${ $problem.title }' }
        then: end
`

describe('try', () => {
  test('with every property is right', () => {
    expect(reportsOf(attempt)).toEqual([])
  })

  const cases: readonly Case[] = [
    ['try:', 'tyr:', '12:7 invalid_task /do/0/attempt/tyr: "tyr" is not something that a task can do. Did you mean "try"?'],
    ['catch:', 'cacth:', '15:7 unknown_property /do/0/attempt/cacth: "cacth" is not a property of a try task. Did you mean "catch"?'],
    [
      'catch:',
      'rescue:',
      '11:5 missing_property /do/0/attempt: A try task needs "catch". Add catch: to it.',
      '15:7 unknown_property /do/0/attempt/rescue: "rescue" is not a property of a try task. Remove it; possible are if, input, try, catch, output, export, timeout, then, metadata.',
    ],
    ['errors:', 'error:', '16:9 unknown_property /do/0/attempt/catch/error: "error" is not a property of a catch. Did you mean "errors"?'],
    [
      'with:',
      'where:',
      '17:11 unknown_property /do/0/attempt/catch/errors/where: "where" is not a property of the errors to catch. Remove it; possible are with.',
    ],
    [
      'type: https://example.com/errors/communication',
      'type: 5',
      '18:19 wrong_type /do/0/attempt/catch/errors/with/type: "type" has to be a string, but is a number. Put it in quotes: "5".',
    ],
    [
      'status: 503',
      "status: '503'",
      '19:21 wrong_type /do/0/attempt/catch/errors/with/status: "status" has to be a whole number, but is a string. Write 503 without quotes.',
    ],
    [
      'title: Unavailable',
      'tilte: Unavailable',
      '20:13 unknown_property /do/0/attempt/catch/errors/with/tilte: "tilte" is not a property of an error filter. Did you mean "title"?',
    ],
    [
      'title: Unavailable',
      'code: 5',
      '20:13 unknown_property /do/0/attempt/catch/errors/with/code: "code" is not a property of an error filter. Remove it; possible are type, status, instance, title, detail, details.',
    ],
    [
      'as: problem',
      'as: $problem',
      '21:13 invalid_name /do/0/attempt/catch/as: "$problem" cannot be the name of a variable. Write problem, without $; expressions then read it as $problem.',
    ],
    [
      'as: problem',
      '',
      '21:15 undefined_variable /do/0/attempt/catch/when: There is no variable $problem here. Known here are $context, $secrets, $workflow, $runtime, $task, $steps, $input, $authorization, $error.',
      '22:21 undefined_variable /do/0/attempt/catch/exceptWhen: There is no variable $problem here. Known here are $context, $secrets, $workflow, $runtime, $task, $steps, $input, $authorization, $error.',
      '24:17 undefined_variable /do/0/attempt/catch/retry/when: There is no variable $problem here. Known here are $context, $secrets, $workflow, $runtime, $task, $steps, $input, $authorization, $error.',
      '39:34 undefined_variable /do/0/attempt/catch/do/0/note/set/failed: There is no variable $problem here. Known here are $context, $secrets, $workflow, $runtime, $task, $steps, $input, $authorization, $error.',
    ],
    [
      'as: problem',
      'as: input',
      '21:13 warning reserved_name /do/0/attempt/catch/as: A variable named "input" hides $input, which the DSL gives to every expression. Choose another name.',
      '22:15 undefined_variable /do/0/attempt/catch/when: There is no variable $problem here. Known here are $context, $secrets, $workflow, $runtime, $task, $steps, $input, $authorization.',
      '23:21 undefined_variable /do/0/attempt/catch/exceptWhen: There is no variable $problem here. Known here are $context, $secrets, $workflow, $runtime, $task, $steps, $input, $authorization.',
      '25:17 undefined_variable /do/0/attempt/catch/retry/when: There is no variable $problem here. Known here are $context, $secrets, $workflow, $runtime, $task, $steps, $input, $authorization.',
      '40:34 undefined_variable /do/0/attempt/catch/do/0/note/set/failed: There is no variable $problem here. Known here are $context, $secrets, $workflow, $runtime, $task, $steps, $input, $authorization.',
    ],
    [
      'when: $problem.status == 503',
      'when: $error.status == 503',
      '22:15 undefined_variable /do/0/attempt/catch/when: There is no variable $error here. Known here are $context, $secrets, $workflow, $runtime, $task, $steps, $input, $authorization, $problem.',
    ],
    [
      'when: $problem.status == 503',
      'whne: .x',
      '22:9 unknown_property /do/0/attempt/catch/whne: "whne" is not a property of a catch. Did you mean "when"?',
    ],
    [
      'when: $problem.status == 503',
      'if: .x',
      '22:9 unknown_property /do/0/attempt/catch/if: "if" is not a property of a catch. Remove it; possible are errors, as, when, exceptWhen, retry, do, then.',
    ],
    [
      'exceptWhen: $problem.title == null',
      'exceptWhen: false',
      '23:21 wrong_type /do/0/attempt/catch/exceptWhen: "exceptWhen" has to be an expression, a string, but is a boolean. Put it in quotes: "false".',
    ],
    [
      'exceptWhen: $problem.title == null',
      'except: .x',
      '23:9 unknown_property /do/0/attempt/catch/except: "except" is not a property of a catch. Remove it; possible are errors, as, when, exceptWhen, retry, do, then.',
    ],
    [
      'when: $problem.status >= 500',
      'when: $problem.status =>= 500',
      '25:34 invalid_expression /do/0/attempt/catch/retry/when: The expression cannot be read: syntax error, unexpected >=. Write >= in place of =>.',
    ],
    [
      'delay:',
      'dealy:',
      '26:11 unknown_property /do/0/attempt/catch/retry/dealy: "dealy" is not a property of a retry policy. Did you mean "delay"?',
    ],
    [
      'seconds: 1',
      'seconds: 1.5',
      '27:22 wrong_type /do/0/attempt/catch/retry/delay/seconds: "seconds" has to be a whole number, but is a number with a fraction. Write a whole number, without quotes.',
    ],
    [
      'seconds: 1',
      'seconds: one',
      '27:22 wrong_type /do/0/attempt/catch/retry/delay/seconds: "seconds" has to be a whole number, but is a string. Write a whole number, without quotes.',
    ],
    [
      'seconds: 1',
      '',
      '26:17 wrong_type /do/0/attempt/catch/retry/delay: "delay" has to be a duration, but is empty (null). Write for example PT30S, PT5M, P1DT12H, or { minutes: 5 }.',
    ],
    [
      'exponential: {}',
      'exponential: 2',
      '29:26 wrong_type /do/0/attempt/catch/retry/backoff/exponential: "exponential" has to be an object, but is a number. Write name: value pairs.',
    ],
    [
      'exponential: {}',
      'exponental: {}',
      '29:13 unknown_property /do/0/attempt/catch/retry/backoff/exponental: "exponental" is not a property of a backoff. Did you mean "exponential"?',
    ],
    [
      'exponential: {}',
      '',
      '28:19 wrong_type /do/0/attempt/catch/retry/backoff: "backoff" has to be a backoff, an object, but is empty (null). Write an object with constant, exponential, linear.',
    ],
    [
      'exponential: {}',
      'exponential: {}\nlinear: {}',
      '30:13 conflicting_properties /do/0/attempt/catch/retry/backoff/linear: "linear" cannot stand beside "exponential": only one of constant, exponential, linear is possible. Remove one of the two.',
    ],
    [
      'limit:',
      'limits:',
      '30:11 unknown_property /do/0/attempt/catch/retry/limits: "limits" is not a property of a retry policy. Did you mean "limit"?',
    ],
    [
      'count: 3',
      'count: three',
      '32:22 wrong_type /do/0/attempt/catch/retry/limit/attempt/count: "count" has to be a whole number, but is a string. Write a whole number, without quotes.',
    ],
    [
      'count: 3',
      'max: 3',
      '32:15 unknown_property /do/0/attempt/catch/retry/limit/attempt/max: "max" is not a property of a limit of attempts. Remove it; possible are count, duration.',
    ],
    [
      'duration: PT10S',
      'duration: 10s',
      '33:25 invalid_duration /do/0/attempt/catch/retry/limit/attempt/duration: "10s" is not an ISO 8601 duration. Write for example PT30S, PT5M, P1DT12H, or { minutes: 5 }.',
    ],
    [
      'duration: PT5M',
      'duration: { minutes: 5, secs: 1 }',
      '34:37 unknown_property /do/0/attempt/catch/retry/limit/duration/secs: "secs" is not a property of a duration. Remove it; possible are days, hours, minutes, seconds, milliseconds.',
    ],
    ['from: PT0S', '', '35:11 missing_property /do/0/attempt/catch/retry/jitter: A jitter needs "from". Add from: to it.'],
    ['to: PT1S', '', '35:11 missing_property /do/0/attempt/catch/retry/jitter: A jitter needs "to". Add to: to it.'],
    [
      'to: PT1S',
      'to: 1000',
      '37:17 wrong_type /do/0/attempt/catch/retry/jitter/to: "to" has to be a duration, but is a number. Write for example PT30S, PT5M, P1DT12H, or { minutes: 5 }.',
    ],
    [
      'to: PT1S',
      'till: PT1S',
      '35:11 missing_property /do/0/attempt/catch/retry/jitter: A jitter needs "to". Add to: to it.',
      '37:13 unknown_property /do/0/attempt/catch/retry/jitter/till: "till" is not a property of a jitter. Remove it; possible are from, to.',
    ],
    [
      'then: end',
      'then: nowhere',
      '41:15 dangling_then /do/0/attempt/catch/then: There is no task "nowhere" to go on with. Write continue, exit, end, or a task of the same list: attempt.',
    ],
    [
      'then: end',
      'then: note',
      '41:15 dangling_then /do/0/attempt/catch/then: The task "note" is in another list; a directive leads only to tasks of its own list. Write continue, exit, end, or a task of the same list: attempt.',
    ],
  ]
  test.each(cases)('%s → %s', (line, by, ...reports) => {
    expectReports(withLine(attempt, line, by), reports)
  })
})
