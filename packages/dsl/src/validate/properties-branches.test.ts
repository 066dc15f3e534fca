/* oxlint-disable vitest/expect-expect -- The helpers of testing/reports.ts assert. */
import { describe, expect, test } from 'vitest'
import { expectReports, reportsOf, withLine } from '#src/testing/reports.ts'

type Case = readonly [line: string, by: string, ...reports: readonly string[]]

const fork = `document:
  dsl: 1.0.3
  namespace: shop
  name: order
  version: 1.0.0
do:
  - race:
      fork:
        compete: true
        branches:
          - fast:
              wait: PT1S
          - slow:
              do:
                - sleep:
                    wait: PT1M
                - wake:
                    set: { awake: true }
`

describe('fork', () => {
  test('with every property is right', () => {
    expect(reportsOf(fork)).toEqual([])
  })

  const cases: readonly Case[] = [
    ['fork:', 'frok:', '8:7 invalid_task /do/0/race/frok: "frok" is not something that a task can do. Did you mean "fork"?'],
    [
      'compete: true',
      'compete: yes',
      '9:18 wrong_type /do/0/race/fork/compete: "compete" has to be true or false, but is a string. Write true or false, without quotes.',
    ],
    [
      'compete: true',
      'competes: true',
      '9:9 unknown_property /do/0/race/fork/competes: "competes" is not a property of a fork. Did you mean "compete"?',
    ],
    [
      'compete: true',
      'then: end',
      '9:9 unknown_property /do/0/race/fork/then: "then" is not a property of a fork. Remove it; possible are branches, compete.',
    ],
    [
      'branches:',
      'branch:',
      '10:9 unknown_property /do/0/race/fork/branch: "branch" is not a property of a fork. Did you mean "branches"?',
    ],
    [
      'branches:',
      'brnches:',
      '10:9 unknown_property /do/0/race/fork/brnches: "brnches" is not a property of a fork. Did you mean "branches"?',
    ],
    [
      '- fast:',
      '- slow:',
      '13:13 duplicate_name /do/0/race/fork/branches/1/slow: The name "slow" is already taken in this list. Give each entry of a list a name of its own.',
    ],
    [
      'wait: PT1S',
      'wait: PT1S\nthen: slow',
      '13:21 dangling_then /do/0/race/fork/branches/0/fast/then: A branch cannot lead to "slow": branches run side by side. Remove the directive, or wrap the tasks that follow each other in one branch with do.',
    ],
    [
      'wait: PT1S',
      'wait: PT1S\nthen: nowhere',
      '13:21 dangling_then /do/0/race/fork/branches/0/fast/then: A branch cannot lead to "nowhere": branches run side by side. Remove the directive, or wrap the tasks that follow each other in one branch with do.',
    ],
    [
      'wait: PT1S',
      'wait: ${ $steps.sleep }',
      '12:31 unknown_step /do/0/race/fork/branches/0/fast/wait: There is no task "sleep" in this list or in one around it. $steps knows fast, slow, race.',
    ],
    [
      'wait: PT1M',
      'wait: PT1M\nthen: fast',
      '17:27 dangling_then /do/0/race/fork/branches/1/slow/do/0/sleep/then: The task "fast" is in another list; a directive leads only to tasks of its own list. Write continue, exit, end, or a task of the same list: sleep, wake.',
    ],
    [
      'wait: PT1M',
      'wait: PT1M\nthen: end',
      '18:19 warning unreachable_task /do/0/race/fork/branches/1/slow/do/1/wake: No run can come to the task "wake". Lead to it with then: from a task that is reached, or remove it.',
    ],
  ]
  test.each(cases)('%s → %s', (line, by, ...reports) => {
    expectReports(withLine(fork, line, by), reports)
  })
})

const decision = `document:
  dsl: 1.0.3
  namespace: shop
  name: order
  version: 1.0.0
do:
  - decide:
      switch:
        - large:
            when: .total > 100
            then: approve
        - small:
            when: \${ .total < 10 }
            then: end
        - other:
            then: continue
  - approve:
      set: { approved: true }
`

describe('switch', () => {
  test('with every property is right', () => {
    expect(reportsOf(decision)).toEqual([])
  })

  const cases: readonly Case[] = [
    ['switch:', 'swich:', '8:7 invalid_task /do/0/decide/swich: "swich" is not something that a task can do. Did you mean "switch"?'],
    [
      '- large:',
      '- small:',
      '12:11 duplicate_name /do/0/decide/switch/1/small: The name "small" is already taken in this list. Give each entry of a list a name of its own.',
    ],
    [
      'when: .total > 100',
      'when: true',
      '10:19 wrong_type /do/0/decide/switch/0/large/when: "when" has to be an expression, a string, but is a boolean. Put it in quotes: "true".',
    ],
    [
      'when: .total > 100',
      'if: .total > 100',
      '10:13 unknown_property /do/0/decide/switch/0/large/if: "if" is not a property of a case of a switch. Remove it; possible are when, then.',
      '15:11 multiple_defaults /do/0/decide/switch/2/other: The case "other" has no condition, and neither has "large". A switch has one default at most: add when: to all others.',
    ],
    [
      'when: .total > 100',
      '',
      '14:11 multiple_defaults /do/0/decide/switch/2/other: The case "other" has no condition, and neither has "large". A switch has one default at most: add when: to all others.',
    ],
    [
      'when: .total > 100',
      'when: .total => 100',
      "10:27 invalid_expression /do/0/decide/switch/0/large/when: The expression cannot be read: syntax error, unexpected '>'. Write >= in place of =>.",
    ],
    [
      'when: .total > 100',
      "when: .state == 'open'",
      '10:29 invalid_expression /do/0/decide/switch/0/large/when: The expression cannot be read: syntax error, unexpected INVALID_CHARACTER. Write double quotes around text.',
    ],
    [
      'when: .total > 100',
      'when: $total > 100',
      '10:19 undefined_variable /do/0/decide/switch/0/large/when: There is no variable $total here. Known here are $context, $secrets, $workflow, $runtime, $task, $steps, $input, $authorization.',
    ],
    ['then: approve', '', '9:11 missing_property /do/0/decide/switch/0/large: A case of a switch needs "then". Add then: to it.'],
    [
      'then: approve',
      'then: aprove',
      '11:19 dangling_then /do/0/decide/switch/0/large/then: There is no task "aprove" to go on with. Did you mean "approve"?',
    ],
    [
      'then: approve',
      'then: refuse',
      '11:19 dangling_then /do/0/decide/switch/0/large/then: There is no task "refuse" to go on with. Write continue, exit, end, or a task of the same list: decide, approve.',
    ],
    [
      'then: approve',
      'then: approve\nset: { x: 1 }',
      '12:13 unknown_property /do/0/decide/switch/0/large/set: "set" is not a property of a case of a switch. Remove it; possible are when, then.',
    ],
    [
      'then: approve',
      'goto: approve',
      '9:11 missing_property /do/0/decide/switch/0/large: A case of a switch needs "then". Add then: to it.',
      '11:13 unknown_property /do/0/decide/switch/0/large/goto: "goto" is not a property of a case of a switch. Remove it; possible are when, then.',
    ],
    [
      'then: approve',
      'then: [ approve ]',
      '11:19 wrong_type /do/0/decide/switch/0/large/then: "then" has to be a string, but is a list. Write text.',
    ],
  ]
  test.each(cases)('%s → %s', (line, by, ...reports) => {
    expectReports(withLine(decision, line, by), reports)
  })
})
