/* oxlint-disable vitest/expect-expect -- The helpers of testing/reports.ts assert. */
import { describe, expect, test } from 'vitest'
import { expectReports, reportsOf, withLine } from '#src/testing/reports.ts'

type Case = readonly [line: string, by: string, ...reports: readonly string[]]

const processes = `document:
  dsl: 1.0.3
  namespace: shop
  name: order
  version: 1.0.0
do:
  - list:
      run:
        shell:
          command: ls $1
          stdin: \${ .text }
          arguments: [ '\${ .folder }' ]
          environment: { A: '\${ .a }' }
        return: stdout
  - ship:
      run:
        workflow:
          namespace: shipping
          name: ship-order
          version: latest
          input:
            order: \${ .order }
`

describe('run: shell and run: workflow', () => {
  test('with every property is right', () => {
    expect(reportsOf(processes)).toEqual([])
  })

  const cases: readonly Case[] = [
    ['shell:', 'shel:', '9:9 unknown_property /do/0/list/run/shel: "shel" is not a property of a run task. Did you mean "shell"?'],
    ['command: ls $1', '', '9:9 missing_property /do/0/list/run/shell: A shell command needs "command". Add command: to it.'],
    [
      'command: ls $1',
      'command: 5',
      '10:20 wrong_type /do/0/list/run/shell/command: "command" has to be a string, but is a number. Put it in quotes: "5".',
    ],
    [
      'stdin: ${ .text }',
      'stdin: 5',
      '11:18 wrong_type /do/0/list/run/shell/stdin: "stdin" has to be a string, but is a number. Put it in quotes: "5".',
    ],
    [
      'stdin: ${ .text }',
      'stdni: x',
      '11:11 unknown_property /do/0/list/run/shell/stdni: "stdni" is not a property of a shell command. Did you mean "stdin"?',
    ],
    [
      "arguments: [ '${ .folder }' ]",
      "arguments: [ '${ .folder | }' ]",
      '12:36 invalid_expression /do/0/list/run/shell/arguments/0: The expression cannot be read: syntax error, unexpected end of file. Write a jq expression, for example .order.total > 10; see docs/dsl.md.',
    ],
    [
      "environment: { A: '${ .a }' }",
      "environment: { A: '${ $a }' }",
      '13:33 undefined_variable /do/0/list/run/shell/environment/A: There is no variable $a here. Known here are $context, $secrets, $workflow, $runtime, $task, $steps, $input, $authorization.',
    ],
    [
      'return: stdout',
      'return: stdot',
      '14:17 invalid_value /do/0/list/run/return: "stdot" is not possible for "return". Did you mean "stdout"?',
    ],
    [
      'workflow:',
      'worfklow:',
      '17:9 unknown_property /do/1/ship/run/worfklow: "worfklow" is not a property of a run task. Did you mean "workflow"?',
    ],
    [
      'namespace: shipping',
      '',
      '17:9 missing_property /do/1/ship/run/workflow: A reference to a workflow needs "namespace". Add namespace: to it.',
    ],
    [
      'namespace: shipping',
      'namespace: 5',
      '18:22 wrong_type /do/1/ship/run/workflow/namespace: "namespace" has to be a string, but is a number. Put it in quotes: "5".',
    ],
    [
      'name: ship-order',
      'nmae: ship-order',
      '19:11 unknown_property /do/1/ship/run/workflow/nmae: "nmae" is not a property of a reference to a workflow. Did you mean "name"?',
    ],
    [
      'version: latest',
      '',
      '17:9 missing_property /do/1/ship/run/workflow: A reference to a workflow needs "version". Add version: to it.',
    ],
    [
      'version: latest',
      'version: newest',
      '20:20 invalid_semver /do/1/ship/run/workflow/version: "newest" is not a semantic version. Write three numbers, for example 1.0.0 or 1.0.0-beta.1.',
    ],
    [
      'version: latest',
      'version: 2',
      '20:20 wrong_type /do/1/ship/run/workflow/version: "version" has to be a string, but is a number. Put it in quotes: "2".',
    ],
    [
      'input:',
      'inputs:',
      '21:11 unknown_property /do/1/ship/run/workflow/inputs: "inputs" is not a property of a reference to a workflow. Did you mean "input"?',
    ],
    [
      'order: ${ .order }',
      'order: ${ $order }',
      '22:23 undefined_variable /do/1/ship/run/workflow/input/order: There is no variable $order here. Known here are $context, $secrets, $workflow, $runtime, $task, $steps, $input, $authorization.',
    ],
  ]
  test.each(cases)('%s → %s', (line, by, ...reports) => {
    expectReports(withLine(processes, line, by), reports)
  })
})
