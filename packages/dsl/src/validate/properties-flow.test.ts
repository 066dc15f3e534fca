/* oxlint-disable vitest/expect-expect -- The helpers of testing/reports.ts assert. */
import { describe, expect, test } from 'vitest'
import { expectReports, reportsOf, withLine } from '#src/testing/reports.ts'

type Case = readonly [line: string, by: string, ...reports: readonly string[]]

const sequence = `document:
  dsl: 1.0.3
  namespace: shop
  name: order
  version: 1.0.0
do:
  - outer:
      do:
        - first:
            set:
              x: 1
        - second:
            wait: PT1S
            then: exit
`

describe('do', () => {
  test('with every property is right', () => {
    expect(reportsOf(sequence)).toEqual([])
  })

  const cases: readonly Case[] = [
    [
      '- second:',
      '- first:',
      '12:11 duplicate_name /do/0/outer/do/1/first: The name "first" is already taken in this list. Give each entry of a list a name of its own.',
    ],
    [
      '- second:',
      '- end:',
      '12:11 warning reserved_name /do/0/outer/do/1/end: A task named "end" cannot be led to: the word is a flow directive. Choose another name.',
    ],
    [
      'x: 1',
      '',
      '10:17 wrong_type /do/0/outer/do/0/first/set: "set" has to be an object, or an expression that gives one, but is empty (null). Write an object, or an expression that gives one.',
    ],
    [
      'wait: PT1S',
      'wiat: PT1S',
      '13:13 invalid_task /do/0/outer/do/1/second/wiat: "wiat" is not something that a task can do. Did you mean "wait"?',
    ],
    [
      'wait: PT1S',
      'wait: 1s',
      '13:19 invalid_duration /do/0/outer/do/1/second/wait: "1s" is not an ISO 8601 duration. Write for example PT30S, PT5M, P1DT12H, or { minutes: 5 }.',
    ],
    [
      'wait: PT1S',
      'wait:',
      '13:18 wrong_type /do/0/outer/do/1/second/wait: "wait" has to be a duration, but is empty (null). Write for example PT30S, PT5M, P1DT12H, or { minutes: 5 }.',
    ],
    [
      'wait: PT1S',
      'wait: 5',
      '13:19 wrong_type /do/0/outer/do/1/second/wait: "wait" has to be a duration, but is a number. Write for example PT30S, PT5M, P1DT12H, or { minutes: 5 }.',
    ],
    [
      'wait: PT1S',
      'wait: { seconds: 1.5 }',
      '13:30 wrong_type /do/0/outer/do/1/second/wait/seconds: "seconds" has to be a whole number, but is a number with a fraction. Write a whole number, without quotes.',
    ],
    [
      'wait: PT1S',
      'wait: { seconds: -1 }',
      '13:30 invalid_value /do/0/outer/do/1/second/wait/seconds: -1 is out of range. Write a number of 0 or more.',
    ],
    [
      'wait: PT1S',
      'wait: {}',
      '13:19 too_few_entries /do/0/outer/do/1/second/wait: A duration may not be empty. Add one of days, hours, minutes, seconds, milliseconds.',
    ],
    [
      'wait: PT1S',
      'wait: { second: 1 }',
      '13:21 unknown_property /do/0/outer/do/1/second/wait/second: "second" is not a property of a duration. Did you mean "seconds"?',
    ],
    [
      'wait: PT1S',
      "wait: { seconds: '1' }",
      '13:30 wrong_type /do/0/outer/do/1/second/wait/seconds: "seconds" has to be a whole number, but is a string. Write 1 without quotes.',
    ],
    [
      'wait: PT1S',
      'wait: ${ .delay + }',
      '13:29 invalid_expression /do/0/outer/do/1/second/wait: The expression cannot be read: syntax error, unexpected end of file. Write a jq expression, for example .order.total > 10; see docs/dsl.md.',
    ],
    [
      'wait: PT1S',
      'wait: [ PT1S ]',
      '13:19 wrong_type /do/0/outer/do/1/second/wait: "wait" has to be a duration, but is a list. Write for example PT30S, PT5M, P1DT12H, or { minutes: 5 }.',
    ],
    [
      'wait: PT1S',
      'wait: PT1S\nset: { y: 1 }',
      '13:13 invalid_task /do/0/outer/do/1/second/wait: A task does one thing, and this has both "set" and "wait". Make two tasks of it.',
    ],
    [
      'then: exit',
      'then: outer',
      '14:19 dangling_then /do/0/outer/do/1/second/then: The task "outer" is in another list; a directive leads only to tasks of its own list. Write continue, exit, end, or a task of the same list: first, second.',
    ],
    [
      'then: exit',
      'then: exti',
      '14:19 dangling_then /do/0/outer/do/1/second/then: There is no task "exti" to go on with. Did you mean "exit"?',
    ],
  ]
  test.each(cases)('%s → %s', (line, by, ...reports) => {
    expectReports(withLine(sequence, line, by), reports)
  })
})

const loop = `document:
  dsl: 1.0.3
  namespace: shop
  name: order
  version: 1.0.0
do:
  - addUp:
      for:
        each: line
        in: .order.lines
        at: position
      while: $position < 10
      do:
        - add:
            set:
              sum: \${ .sum + $line.price }
      metadata:
        concurrency: 4
`

describe('for', () => {
  test('with every property is right', () => {
    expect(reportsOf(loop)).toEqual([])
  })

  const cases: readonly Case[] = [
    ['for:', 'foor:', '8:7 invalid_task /do/0/addUp/foor: "foor" is not something that a task can do. Did you mean "for"?'],
    [
      'each: line',
      'each: $line',
      '9:15 invalid_name /do/0/addUp/for/each: "$line" cannot be the name of a variable. Write line, without $; expressions then read it as $line.',
    ],
    [
      'each: line',
      'each: 1st',
      '9:15 invalid_name /do/0/addUp/for/each: "1st" cannot be the name of a variable. Use letters, digits and underscores, not a digit first.',
      '16:30 undefined_variable /do/0/addUp/do/0/add/set/sum: There is no variable $line here. Known here are $context, $secrets, $workflow, $runtime, $task, $steps, $input, $authorization, $position.',
    ],
    [
      'each: line',
      'item: line',
      '9:9 unknown_property /do/0/addUp/for/item: "item" is not a property of a loop. Remove it; possible are each, in, at.',
      '16:30 undefined_variable /do/0/addUp/do/0/add/set/sum: There is no variable $line here. Known here are $context, $secrets, $workflow, $runtime, $task, $steps, $input, $authorization, $item, $position.',
    ],
    [
      'each: line',
      'each: [ line ]',
      '9:15 wrong_type /do/0/addUp/for/each: "each" has to be a string, but is a list. Write text.',
      '16:30 undefined_variable /do/0/addUp/do/0/add/set/sum: There is no variable $line here. Known here are $context, $secrets, $workflow, $runtime, $task, $steps, $input, $authorization, $item, $position.',
    ],
    [
      'each: line',
      'each: steps',
      '9:15 warning reserved_name /do/0/addUp/for/each: A variable named "steps" hides $steps, which the DSL gives to every expression. Choose another name.',
      '16:30 undefined_variable /do/0/addUp/do/0/add/set/sum: There is no variable $line here. Known here are $context, $secrets, $workflow, $runtime, $task, $steps, $input, $authorization, $position.',
    ],
    ['in: .order.lines', '', '8:7 missing_property /do/0/addUp/for: A loop needs "in". Add in: to it.'],
    [
      'in: .order.lines',
      'of: .order.lines',
      '8:7 missing_property /do/0/addUp/for: A loop needs "in". Add in: to it.',
      '10:9 unknown_property /do/0/addUp/for/of: "of" is not a property of a loop. Remove it; possible are each, in, at.',
    ],
    [
      'in: .order.lines',
      'in: 5',
      '10:13 wrong_type /do/0/addUp/for/in: "in" has to be an expression that gives a list, or a list of objects, but is a number. Write an expression that gives a list, or a list of objects.',
    ],
    [
      'in: .order.lines',
      'in: [ a, b ]',
      '10:15 wrong_type /do/0/addUp/for/in/0: Entry 1 of "in" has to be an object, but is a string. Write name: value pairs.',
      '10:18 wrong_type /do/0/addUp/for/in/1: Entry 2 of "in" has to be an object, but is a string. Write name: value pairs.',
    ],
    [
      'in: .order.lines',
      'in: { a: 1 }',
      '10:13 wrong_type /do/0/addUp/for/in: "in" has to be an expression that gives a list, or a list of objects, but is an object. Write an expression that gives a list, or a list of objects.',
    ],
    [
      'in: .order.lines',
      'in: $line',
      '10:13 undefined_variable /do/0/addUp/for/in: There is no variable $line here. Known here are $context, $secrets, $workflow, $runtime, $task, $steps, $input, $authorization.',
    ],
    [
      'at: position',
      'index: position',
      '11:9 unknown_property /do/0/addUp/for/index: "index" is not a property of a loop. Remove it; possible are each, in, at.',
      '12:14 undefined_variable /do/0/addUp/while: There is no variable $position here. Known here are $context, $secrets, $workflow, $runtime, $task, $steps, $input, $authorization, $line, $index.',
    ],
    [
      'at: position',
      'at: my position',
      '11:13 invalid_name /do/0/addUp/for/at: "my position" cannot be the name of a variable. Use letters, digits and underscores, not a digit first.',
      '12:14 undefined_variable /do/0/addUp/while: There is no variable $position here. Known here are $context, $secrets, $workflow, $runtime, $task, $steps, $input, $authorization, $line.',
    ],
    [
      'while: $position < 10',
      'while: $index < 10',
      '12:14 undefined_variable /do/0/addUp/while: There is no variable $index here. Known here are $context, $secrets, $workflow, $runtime, $task, $steps, $input, $authorization, $line, $position.',
    ],
    [
      'while: $position < 10',
      'while: true',
      '12:14 wrong_type /do/0/addUp/while: "while" has to be an expression, a string, but is a boolean. Put it in quotes: "true".',
    ],
    [
      'while: $position < 10',
      'whlie: $position < 10',
      '12:7 unknown_property /do/0/addUp/whlie: "whlie" is not a property of a for task. Did you mean "while"?',
    ],
    [
      'while: $position < 10',
      'while: $position < 10 &&',
      '12:29 invalid_expression /do/0/addUp/while: The expression cannot be read: syntax error, unexpected INVALID_CHARACTER, expecting end of file. Write "and" in place of &&.',
    ],
    [
      'sum: ${ .sum + $line.price }',
      'sum: ${ .sum + $item.price }',
      '16:30 undefined_variable /do/0/addUp/do/0/add/set/sum: There is no variable $item here. Known here are $context, $secrets, $workflow, $runtime, $task, $steps, $input, $authorization, $line, $position.',
    ],
    [
      'sum: ${ .sum + $line.price }',
      'sum: ${ $steps.adding }',
      '16:30 unknown_step /do/0/addUp/do/0/add/set/sum: There is no task "adding" in this list or in one around it. $steps knows add, addUp.',
    ],
    [
      'concurrency: 4',
      'concurrency: 0',
      '18:22 invalid_value /do/0/addUp/metadata/concurrency: 0 is out of range. Write a number of 1 or more.',
    ],
    [
      'concurrency: 4',
      'concurrency: four',
      '18:22 wrong_type /do/0/addUp/metadata/concurrency: "concurrency" has to be a whole number, but is a string. Write a whole number, without quotes.',
    ],
    [
      'concurrency: 4',
      'concurrency: 2.5',
      '18:22 wrong_type /do/0/addUp/metadata/concurrency: "concurrency" has to be a whole number, but is a number with a fraction. Write a whole number, without quotes.',
    ],
  ]
  test.each(cases)('%s → %s', (line, by, ...reports) => {
    expectReports(withLine(loop, line, by), reports)
  })
})
