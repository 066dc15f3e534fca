/* oxlint-disable vitest/expect-expect -- The helpers of testing/reports.ts assert. */
import { describe, expect, test } from 'vitest'
import { expectReports, reportsOf, withLine } from '#src/testing/reports.ts'

type Case = readonly [line: string, by: string, ...reports: readonly string[]]

const common = `document:
  dsl: 1.0.3
  namespace: shop
  name: order
  version: 1.0.0
use:
  timeouts:
    short:
      after: PT5S
do:
  - keep:
      if: .ready
      input:
        schema:
          format: json
          document:
            type: object
        from: .order
      set:
        id: \${ .id }
      output:
        schema:
          resource:
            endpoint: https://schemas.example.com/order.json
        as: .id
      export:
        as:
          last: \${ $output }
      timeout: short
      then: report
      metadata:
        note: any
  - report:
      wait:
        seconds: 1
`

describe('what every task may have', () => {
  test('with every property is right', () => {
    expect(reportsOf(common)).toEqual([])
  })

  const cases: readonly Case[] = [
    [
      'if: .ready',
      'if: true',
      '12:11 wrong_type /do/0/keep/if: "if" has to be an expression, a string, but is a boolean. Put it in quotes: "true".',
    ],
    ['if: .ready', 'fi: .ready', '12:7 unknown_property /do/0/keep/fi: "fi" is not a property of a set task. Did you mean "if"?'],
    [
      'if: .ready',
      'if:',
      '12:10 wrong_type /do/0/keep/if: "if" has to be an expression, a string, but is empty (null). Write a jq expression in quotes.',
    ],
    [
      'if: .ready',
      'when: .ready',
      '12:7 unknown_property /do/0/keep/when: "when" is not a property of a set task. Remove it; possible are if, input, set, output, export, timeout, then, metadata.',
    ],
    [
      'if: .ready',
      'if: .ready ===  1',
      "12:20 invalid_expression /do/0/keep/if: The expression cannot be read: syntax error, unexpected '='. Write == in place of ===.",
    ],
    [
      'if: .ready',
      'if: $input.ready',
      '12:11 undefined_variable /do/0/keep/if: There is no variable $input here. Write . (a dot): here the expression is evaluated on the input itself.',
    ],
    ['input:', 'inputs:', '13:7 unknown_property /do/0/keep/inputs: "inputs" is not a property of a set task. Did you mean "input"?'],
    [
      'from: .order',
      'form: .order',
      '18:9 unknown_property /do/0/keep/input/form: "form" is not a property of an input. Did you mean "from"?',
    ],
    [
      'from: .order',
      'from: [ .order ]',
      '18:15 wrong_type /do/0/keep/input/from: "from" has to be an expression, or an object with expressions in it, but is a list. Write an expression, or an object with expressions in it.',
    ],
    [
      'from: .order',
      'as: .order',
      '18:9 unknown_property /do/0/keep/input/as: "as" is not a property of an input. Remove it; possible are schema, from.',
    ],
    [
      'from: .order',
      'from: $output',
      '18:15 undefined_variable /do/0/keep/input/from: There is no variable $output here. $output exists in export.as only.',
    ],
    [
      'format: json',
      'format: 5',
      '15:19 wrong_type /do/0/keep/input/schema/format: "format" has to be a string, but is a number. Put it in quotes: "5".',
    ],
    [
      'format: json',
      'fromat: json',
      '15:11 unknown_property /do/0/keep/input/schema/fromat: "fromat" is not a property of a schema. Did you mean "format"?',
    ],
    [
      'id: ${ .id }',
      '',
      '19:11 wrong_type /do/0/keep/set: "set" has to be an object, or an expression that gives one, but is empty (null). Write an object, or an expression that gives one.',
    ],
    ['set:', 'sett:', '19:7 invalid_task /do/0/keep/sett: "sett" is not something that a task can do. Did you mean "set"?'],
    [
      'set:',
      'set_data:',
      '11:5 invalid_task /do/0/keep: The task does not say what it does. Add one of for, call, do, emit, fork, listen, raise, run, set, switch, try, wait.',
    ],
    [
      'resource:',
      'source:',
      '23:11 unknown_property /do/0/keep/output/schema/source: "source" is not a property of a schema. Did you mean "resource"?',
    ],
    [
      'resource:',
      'resourse:',
      '23:11 unknown_property /do/0/keep/output/schema/resourse: "resourse" is not a property of a schema. Did you mean "resource"?',
    ],
    [
      'endpoint: https://schemas.example.com/order.json',
      'endpoint: schemas/order.json',
      '24:23 invalid_uri /do/0/keep/output/schema/resource/endpoint: "schemas/order.json" is not an absolute URI. Begin with a scheme and ://, for example https://example.com/path.',
    ],
    [
      'as: .id',
      'as: 5',
      '25:13 wrong_type /do/0/keep/output/as: "as" has to be an expression, or an object with expressions in it, but is a number. Write an expression, or an object with expressions in it.',
    ],
    [
      'as: .id',
      'from: .id',
      '25:9 unknown_property /do/0/keep/output/from: "from" is not a property of an output. Remove it; possible are schema, as.',
    ],
    [
      'as: .id',
      'as: .id |',
      '25:17 invalid_expression /do/0/keep/output/as: The expression cannot be read: syntax error, unexpected end of file. Write a jq expression, for example .order.total > 10; see docs/dsl.md.',
    ],
    [
      'as: .id',
      'as: $output.id',
      '25:13 undefined_variable /do/0/keep/output/as: There is no variable $output here. Write . (a dot): here the expression is evaluated on the output itself.',
    ],
    ['export:', 'exports:', '26:7 unknown_property /do/0/keep/exports: "exports" is not a property of a set task. Did you mean "export"?'],
    [
      'last: ${ $output }',
      'last: ${ $outptu }',
      '28:20 undefined_variable /do/0/keep/export/as/last: There is no variable $outptu here. Did you mean $output?',
    ],
    [
      'last: ${ $output }',
      '- ${ $output }',
      '28:11 wrong_type /do/0/keep/export/as: "as" has to be an expression, or an object with expressions in it, but is a list. Write an expression, or an object with expressions in it.',
    ],
    [
      'timeout: short',
      'timeout: shrot',
      '29:16 unknown_reference /do/0/keep/timeout: There is no timeout named "shrot" in use.timeouts. Did you mean "short"?',
    ],
    [
      'timeout: short',
      'timeout: PT5S',
      '29:16 unknown_reference /do/0/keep/timeout: There is no timeout named "PT5S" in use.timeouts. Write timeout: { after: PT5S }.',
    ],
    [
      'timeout: short',
      'timeout: 5',
      '29:16 wrong_type /do/0/keep/timeout: "timeout" has to be a timeout, or the name of one of use.timeouts, but is a number. Write a timeout, or the name of one of use.timeouts.',
    ],
    [
      'timeout: short',
      'timeout: { seconds: 5 }',
      '29:7 missing_property /do/0/keep/timeout: A timeout needs "after". Add after: to it.',
      '29:18 unknown_property /do/0/keep/timeout/seconds: "seconds" is not a property of a timeout. Remove it; possible are after.',
    ],
    [
      'timeout: short',
      'timeout: { after: 5s }',
      '29:25 invalid_duration /do/0/keep/timeout/after: "5s" is not an ISO 8601 duration. Write for example PT30S, PT5M, P1DT12H, or { minutes: 5 }.',
    ],
    [
      'timeout: short',
      'timeOut: short',
      '29:7 unknown_property /do/0/keep/timeOut: "timeOut" is not a property of a set task. Did you mean "timeout"?',
    ],
    [
      'then: report',
      'then: reprot',
      '30:13 dangling_then /do/0/keep/then: There is no task "reprot" to go on with. Did you mean "report"?',
    ],
    ['then: report', 'then: 5', '30:13 wrong_type /do/0/keep/then: "then" has to be a string, but is a number. Put it in quotes: "5".'],
    ['then: report', 'then:', '30:12 wrong_type /do/0/keep/then: "then" has to be a string, but is empty (null). Write text.'],
    ['then: report', 'than: report', '30:7 unknown_property /do/0/keep/than: "than" is not a property of a set task. Did you mean "then"?'],
    ['then: report', 'then: END', '30:13 dangling_then /do/0/keep/then: There is no task "END" to go on with. Did you mean "end"?'],
    [
      'then: report',
      'next: report',
      '30:7 unknown_property /do/0/keep/next: "next" is not a property of a set task. Remove it; possible are if, input, set, output, export, timeout, then, metadata.',
    ],
    [
      'metadata:',
      'meta:',
      '31:7 unknown_property /do/0/keep/meta: "meta" is not a property of a set task. Remove it; possible are if, input, set, output, export, timeout, then, metadata.',
    ],
    ['note: any', '- any', '32:9 wrong_type /do/0/keep/metadata: "metadata" has to be an object, but is a list. Write key: value pairs.'],
    [
      'after: PT5S',
      'after: PT5',
      '9:14 invalid_duration /use/timeouts/short/after: "PT5" is not an ISO 8601 duration. Write for example PT30S, PT5M, P1DT12H, or { minutes: 5 }.',
    ],
    [
      'short:',
      'Short:',
      '29:16 unknown_reference /do/0/keep/timeout: There is no timeout named "short" in use.timeouts. Did you mean "Short"?',
    ],
    [
      'timeouts:',
      'timeout:',
      '7:3 unknown_property /use/timeout: "timeout" is not a property of the components of the workflow. Did you mean "timeouts"?',
      '29:16 unknown_reference /do/0/keep/timeout: There is no timeout named "short" in use.timeouts. Define it below use.timeouts, or write it here in place of the name.',
    ],
  ]
  test.each(cases)('%s → %s', (line, by, ...reports) => {
    expectReports(withLine(common, line, by), reports)
  })
})
