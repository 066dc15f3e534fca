import { expect, test } from 'vitest'
import { reportsOf } from '#src/testing/reports.ts'

const header = 'document: { dsl: 1.0.3, namespace: x, name: x, version: 1.0.0 }\n'

/** Texts in each way of writing YAML; with `header` in front, so that they begin in line 2. */
const written: readonly (readonly [name: string, text: string, reports: readonly string[]])[] = [
  [
    'a literal block',
    ['do:', '  - a:', '      set:', '        text: |', '          ${', '            .a', '            | $nope', '          }'].join('\n'),
    [
      '8:15 undefined_variable /do/0/a/set/text: There is no variable $nope here. Known here are $context, $secrets, $variables, $workflow, $runtime, $task, $steps, $input, $authorization.',
    ],
  ],
  [
    'a literal block with its indentation given',
    ['do:', '  - a:', '      set:', '        text: |2-', '            ${ .a', '          | $nope }'].join('\n'),
    [
      '7:13 undefined_variable /do/0/a/set/text: There is no variable $nope here. Known here are $context, $secrets, $variables, $workflow, $runtime, $task, $steps, $input, $authorization.',
    ],
  ],
  [
    'a folded block',
    ['do:', '  - a:', '      set:', '        text: >-', '          ${ .a', '          | .b', '          | lenght }'].join('\n'),
    [
      '8:13 invalid_expression /do/0/a/set/text: The expression cannot be read: lenght/0 is not defined. Did you mean the function length? Write .lenght for a property of the data.',
    ],
  ],
  [
    'a folded block with an empty line',
    ['do:', '  - a:', '      set:', '        text: >-', '          ${ .a', '', '          | $nope }'].join('\n'),
    [
      '8:13 undefined_variable /do/0/a/set/text: There is no variable $nope here. Known here are $context, $secrets, $variables, $workflow, $runtime, $task, $steps, $input, $authorization.',
    ],
  ],
  [
    'plain text over several lines',
    ['do:', '  - a:', '      if: .a and', '        .b and', '        $nope', '      set: { x: 1 }'].join('\n'),
    [
      '6:9 undefined_variable /do/0/a/if: There is no variable $nope here. Known here are $context, $secrets, $variables, $workflow, $runtime, $task, $steps.',
    ],
  ],
  [
    'double quotes over several lines',
    ['do:', '  - a:', '      set: { x: "${ .a +', '        \\"é\\" + $nope }" }'].join('\n'),
    [
      '5:17 undefined_variable /do/0/a/set/x: There is no variable $nope here. Known here are $context, $secrets, $variables, $workflow, $runtime, $task, $steps, $input, $authorization.',
    ],
  ],
  [
    'double quotes with an escaped line break',
    ['do:', '  - a:', '      set: { x: "${ .a + \\', '        $nope }" }'].join('\n'),
    [
      '5:9 undefined_variable /do/0/a/set/x: There is no variable $nope here. Known here are $context, $secrets, $variables, $workflow, $runtime, $task, $steps, $input, $authorization.',
    ],
  ],
  [
    'single quotes over several lines',
    ['do:', '  - a:', "      set: { x: '${ \"it''s\" +", "        $nope }' }"].join('\n'),
    [
      '5:9 undefined_variable /do/0/a/set/x: There is no variable $nope here. Known here are $context, $secrets, $variables, $workflow, $runtime, $task, $steps, $input, $authorization.',
    ],
  ],
  [
    'characters of other planes count as two columns',
    ['do:', '  - größe:', '      set: { "ключ 😀": "😀 ${ .x }", y: "${ \\"😀\\" + $nope }" }'].join('\n'),
    [
      '4:25 warning embedded_expression /do/0/größe/set/ключ 😀: The expression inside this text is not evaluated: only a string that is wholly ${ … } is. Write ${ "😀 \\(.x)" }.',
      '4:55 undefined_variable /do/0/größe/set/y: There is no variable $nope here. Known here are $context, $secrets, $variables, $workflow, $runtime, $task, $steps, $input, $authorization.',
    ],
  ],
  [
    'quoted keys',
    ['do:', '  - "get \\"it\\"":', '      "set": { x: 1 }', "      'tehn': end"].join('\n'),
    ['5:7 unknown_property /do/0/get "it"/tehn: "tehn" is not a property of a set task. Did you mean "then"?'],
  ],
  [
    'keys with slashes and tildes',
    ['do:', '  - a/b~c:', '      set: {}'].join('\n'),
    ['4:12 too_few_entries /do/0/a~1b~0c/set: The data to set may not be empty. Add at least one key: value pair.'],
  ],
  [
    'Windows line ends',
    ['do:\r', '  - a:\r', '      set:\r', '        text: |\r', '          ${\r', '          $nope }\r', '      then: nowhere\r', ''].join(
      '\n',
    ),
    [
      '7:11 undefined_variable /do/0/a/set/text: There is no variable $nope here. Known here are $context, $secrets, $variables, $workflow, $runtime, $task, $steps, $input, $authorization.',
      '8:13 dangling_then /do/0/a/then: There is no task "nowhere" to continue with. Write continue, exit, end, or a task of the same list: a.',
    ],
  ],
  [
    'comments',
    ['# a comment: with a colon', 'do: # tasks', '  - a: # first', '      wait: soon # later'].join('\n'),
    ['5:13 invalid_duration /do/0/a/wait: "soon" is not an ISO 8601 duration. Write for example PT30S, PT5M, P1DT12H, or { minutes: 5 }.'],
  ],
  [
    'an alias is reported where its value is written',
    ['do:', '  - a: &wrong { wait: soon }', '  - b: *wrong'].join('\n'),
    [
      '3:23 invalid_duration /do/0/a/wait: "soon" is not an ISO 8601 duration. Write for example PT30S, PT5M, P1DT12H, or { minutes: 5 }.',
      '3:23 invalid_duration /do/1/b/wait: "soon" is not an ISO 8601 duration. Write for example PT30S, PT5M, P1DT12H, or { minutes: 5 }.',
    ],
  ],
  [
    'expressions behind an alias',
    ['do:', '  - a: { set: &data { x: "${ $nope }" } }', '  - b: { set: *data }'].join('\n'),
    [
      '3:30 undefined_variable /do/0/a/set/x: There is no variable $nope here. Known here are $context, $secrets, $variables, $workflow, $runtime, $task, $steps, $input, $authorization.',
      '3:30 undefined_variable /do/1/b/set/x: There is no variable $nope here. Known here are $context, $secrets, $variables, $workflow, $runtime, $task, $steps, $input, $authorization.',
    ],
  ],
  [
    'an anchored key',
    ['do:', '  - a: { set: { &k x: "${ $nope }" } }'].join('\n'),
    [
      '3:27 undefined_variable /do/0/a/set/x: There is no variable $nope here. Known here are $context, $secrets, $variables, $workflow, $runtime, $task, $steps, $input, $authorization.',
    ],
  ],
  [
    'explicit keys',
    ['do:', '  - ? a', '    : wait: soon'].join('\n'),
    ['4:13 invalid_duration /do/0/a/wait: "soon" is not an ISO 8601 duration. Write for example PT30S, PT5M, P1DT12H, or { minutes: 5 }.'],
  ],
  [
    'values that are missing',
    ['do:', '  - a:', '      wait:', '  - b:', '      set:', '      then: end'].join('\n'),
    [
      '4:12 wrong_type /do/0/a/wait: "wait" has to be a duration, but is empty (null). Write for example PT30S, PT5M, P1DT12H, or { minutes: 5 }.',
      '6:11 wrong_type /do/1/b/set: "set" has to be an object, or an expression that gives one, but is empty (null). Write an object, or an expression that gives one.',
    ],
  ],
  [
    'nested flow style',
    ['do: [ { a: { do: [ { b: { wait: soon, then: c } } ] } } ]'].join('\n'),
    [
      '2:33 invalid_duration /do/0/a/do/0/b/wait: "soon" is not an ISO 8601 duration. Write for example PT30S, PT5M, P1DT12H, or { minutes: 5 }.',
      '2:45 dangling_then /do/0/a/do/0/b/then: There is no task "c" to continue with. Write continue, exit, end, or a task of the same list: b.',
    ],
  ],
  [
    'entries of a list below its key',
    ['do:', '- a:', '    fork:', '      branches:', '      - b: { wait: soon }', '      - b: { wait: PT1S }'].join('\n'),
    [
      '6:20 invalid_duration /do/0/a/fork/branches/0/b/wait: "soon" is not an ISO 8601 duration. Write for example PT30S, PT5M, P1DT12H, or { minutes: 5 }.',
      '7:9 duplicate_name /do/0/a/fork/branches/1/b: The name "b" is already taken in this list. Give each entry of a list a name of its own.',
    ],
  ],
]

test.each(written)('in %s', (_, text, reports) => {
  expect(reportsOf(header + text)).toEqual(reports)
})

test('a byte order mark does not count, and neither do the lines of a directive that are there', () => {
  expect(reportsOf(`\uFEFF${header}do: [ a: { wait: soon } ]`)).toEqual([
    '2:18 invalid_duration /do/0/a/wait: "soon" is not an ISO 8601 duration. Write for example PT30S, PT5M, P1DT12H, or { minutes: 5 }.',
  ])
  expect(reportsOf(`%YAML 1.2\n---\n${header}do: [ a: { wait: soon } ]\n...\n`)).toEqual([
    '4:18 invalid_duration /do/0/a/wait: "soon" is not an ISO 8601 duration. Write for example PT30S, PT5M, P1DT12H, or { minutes: 5 }.',
  ])
})

test('in JSON escapes and tabs count as they are written', () => {
  const first = '{ "document": { "dsl": "1.0.3", "namespace": "x", "name": "x", "version": "1.0.0" },'
  const second = String.raw`TAB"do": [ { "a": { "set": { "x": "DOLLAR{ \"a\\tb\" + \u0024nope }" } } } ] }`
  expect(reportsOf(`${first}\n${second.replace('TAB', '\t').replace('DOLLAR', '$')}`)).toEqual([
    '2:49 undefined_variable /do/0/a/set/x: There is no variable $nope here. Known here are $context, $secrets, $variables, $workflow, $runtime, $task, $steps, $input, $authorization.',
  ])
})
