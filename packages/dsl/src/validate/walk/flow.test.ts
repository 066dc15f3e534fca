/* oxlint-disable vitest/expect-expect -- The helpers of testing/marked.ts assert. */
import { describe, test } from 'vitest'
import { type Expected, expectDiagnostics, expectValid } from '#src/testing/marked.ts'

type Case = readonly [name: string, text: string, expected: readonly Expected[]]

/** Puts a task into a definition. */
function task(text: string): string {
  return `do:\n  - sample: ${text}`
}

describe('for, fork, switch, try', () => {
  const cases: readonly Case[] = [
    ['a loop over nothing', task('{ «for»: { each: x }, do: [] }'), [{ code: 'missing_property', message: 'A loop needs "in".' }]],
    [
      'a loop over a number',
      task('{ for: { in: «5» }, do: [] }'),
      [{ code: 'wrong_type', message: 'an expression that gives a list, or a list of objects' }],
    ],
    [
      'a loop over text in a list',
      task('{ for: { in: [«a»] }, do: [] }'),
      [{ code: 'wrong_type', message: 'Entry 1 of "in" has to be an object' }],
    ],
    [
      'a variable with a dollar',
      task('{ for: { each: «$item», in: .x }, do: [] }'),
      [{ code: 'invalid_name', hint: 'Write item, without $' }],
    ],
    ['a variable with a hyphen', task('{ for: { in: .x, at: «my-index» }, do: [] }'), ['invalid_name']],
    [
      'a variable that hides one of the DSL',
      task('{ for: { each: «input», in: .x }, do: [] }'),
      [{ code: 'reserved_name', message: 'hides $input' }],
    ],
    [
      'concurrency in words',
      task('{ for: { in: .x }, do: [], metadata: { concurrency: «many» } }'),
      [{ code: 'wrong_type', message: 'a whole number' }],
    ],
    [
      'no concurrency at all',
      task('{ for: { in: .x }, do: [], metadata: { concurrency: «0» } }'),
      [{ code: 'invalid_value', hint: 'of 1 or more' }],
    ],
    ['branches in the wrong place', task('{ fork: «[ a: { set: { x: 1 } } ]» }'), [{ code: 'wrong_type', hint: 'branches' }]],
    ['compete in quotes', task('{ fork: { branches: [], compete: «"true"» } }'), [{ code: 'wrong_type', hint: 'without quotes' }]],
    [
      'a switch without cases',
      task('{ switch: «[]» }'),
      [{ code: 'too_few_entries', message: '"switch" has no entry.', hint: 'a case of a switch' }],
    ],
    [
      'a case without an end',
      task('{ switch: [ «a»: { when: .x } ] }'),
      [{ code: 'missing_property', message: 'A case of a switch needs "then".' }],
    ],
    ['a case with a task', task('{ switch: [ a: { when: .x, then: end, «set»: { y: 1 } } ] }'), ['unknown_property']],
    [
      'cases without names',
      task('{ switch: [ «{ when: .x, then: end }» ] }'),
      [{ code: 'invalid_entry', message: 'a case of a switch under one name' }],
    ],
    ['the same case twice', task('{ switch: [ a: { when: .x, then: end }, «a»: { when: .y, then: end } ] }'), ['duplicate_name']],
    [
      'a try without a catch',
      task('{ try: [] }').replace('sample', '«sample»'),
      [{ code: 'missing_property', message: 'A try task needs "catch".' }],
    ],
    [
      'a catch that is a list of tasks',
      task('{ try: [], catch: «[ a: { set: { x: 1 } } ]» }'),
      [{ code: 'wrong_type', hint: 'errors, as, when' }],
    ],
    ['a filter in the wrong place', task('{ try: [], catch: { errors: { «status»: 404 } } }'), ['unknown_property']],
    ['an empty filter', task('{ try: [], catch: { errors: { with: «{}» } } }'), [{ code: 'too_few_entries' }]],
    ['a status that is text', task('{ try: [], catch: { errors: { with: { status: «not found» } } } }'), ['wrong_type']],
    [
      'two kinds of backoff',
      task('{ try: [], catch: { retry: { backoff: { constant: {}, «linear»: {} } } } }'),
      [{ code: 'conflicting_properties' }],
    ],
    [
      'no kind of backoff',
      task('{ try: [], catch: { retry: { «backoff»: {} } } }'),
      [{ code: 'missing_property', message: '"constant", "exponential" or "linear"' }],
    ],
    ['a backoff that is a number', task('{ try: [], catch: { retry: { backoff: { linear: «2» } } } }'), ['wrong_type']],
    ['a limit of attempts in the wrong place', task('{ try: [], catch: { retry: { limit: { «count»: 3 } } } }'), ['unknown_property']],
    [
      'half a jitter',
      task('{ try: [], catch: { retry: { «jitter»: { from: PT1S } } } }'),
      [{ code: 'missing_property', message: 'needs "to"' }],
    ],
  ]
  test.each(cases)('%s', (_, text, expected) => {
    expectDiagnostics(text, expected)
  })

  test('all forms are valid', () => {
    expectValid(`
use: { retries: { patient: { delay: PT1S } } }
do:
  - a: { for: { in: .items }, do: [ b: { set: { x: '\${ $item }' } } ] }
  - c: { for: { each: pet, in: '\${ .pets }', at: i }, while: .x, do: [], metadata: { concurrency: 4, other: { any: thing } } }
  - d: { for: { in: [ { x: 1 }, {} ] }, do: [] }
  - e: { fork: { branches: [ f: { set: { x: 1 } }, g: { do: [] } ], compete: true } }
  - h: { switch: [ i: { when: .x, then: end }, j: { when: '\${ .y }', then: exit }, k: { then: l } ] }
  - l: { try: [ m: { set: { x: 1 } } ], catch: { then: end } }
  - n:
      try: []
      catch:
        errors: { with: { type: https://example.com/x, status: 503, instance: /do, title: t, detail: d, details: d } }
        as: problem
        when: .x
        exceptWhen: '\${ .y }'
        retry:
          when: .x
          exceptWhen: .y
          delay: { seconds: 1 }
          backoff: { exponential: {} }
          limit: { attempt: { count: 3, duration: PT1M }, duration: PT1H }
          jitter: { from: PT0S, to: { milliseconds: 500 } }
        do: [ o: { set: { x: 1 } } ]
        then: p
  - p: { try: [], catch: { retry: patient } }
`)
  })
})

describe('events', () => {
  const cases: readonly Case[] = [
    [
      'an event without a type',
      task('{ emit: { event: { «with»: { source: https://a.b } } } }'),
      [{ code: 'missing_property', message: 'An event needs "type".' }],
    ],
    ['an event without its attributes', task('{ emit: { «event»: {} } }'), [{ code: 'missing_property', message: '"with"' }]],
    [
      'attributes in the wrong place',
      task('{ emit: { «event»: { «source»: https://a.b, «type»: x } } }'),
      ['missing_property', 'unknown_property', 'unknown_property'],
    ],
    ['a source that is relative', task('{ emit: { event: { with: { source: «/a/b», type: x } } } }'), ['invalid_uri']],
    [
      'a time in words',
      task('{ emit: { event: { with: { source: https://a.b, type: x, time: «now» } } } }'),
      [{ code: 'invalid_timestamp', hint: 'RFC 3339' }],
    ],
    [
      'a listener without a target',
      task('{ «listen»: { read: data } }'),
      [{ code: 'missing_property', message: 'A listener needs "to".' }],
    ],
    ['a listener with an unknown way to read', task('{ listen: { to: { one: { with: { type: x } } }, read: «body» } }'), ['invalid_value']],
    ['no strategy', task('{ listen: { «to»: {} } }'), [{ code: 'missing_property', message: '"all", "any" or "one"' }]],
    ['two strategies', task('{ listen: { to: { all: [], «any»: [] } } }'), ['conflicting_properties']],
    ['one event as a list', task('{ listen: { to: { one: «[ { with: { type: x } } ]» } } }'), ['wrong_type']],
    [
      'any as one event',
      task('{ listen: { to: { any: «{ with: { type: x } }» } } }'),
      [{ code: 'wrong_type', message: 'a list of event filters' }],
    ],
    ['a filter without attributes', task('{ listen: { to: { one: { with: «{}» } } } }'), ['too_few_entries']],
    ['a filter that is only attributes', task('{ listen: { to: { «one»: { «type»: x } } } }'), ['missing_property', 'unknown_property']],
    [
      'until without any',
      task('{ listen: { to: { one: { with: { type: x } }, «until»: .x } } }'),
      [{ code: 'unknown_property', hint: 'listen to any' }],
    ],
    ['until that has until', task('{ listen: { to: { any: [], until: { any: [], «until»: .x } } } }'), ['unknown_property']],
    [
      'a correlation without a source',
      task('{ listen: { to: { one: { with: { type: x }, correlate: { «id»: {} } } } } }'),
      [{ code: 'missing_property', message: 'A correlation needs "from".' }],
    ],
    ['an iterator with the words of a loop', task('{ listen: { to: { any: [] } }, foreach: { «each»: x } }'), ['unknown_property']],
  ]
  test.each(cases)('%s', (_, text, expected) => {
    expectDiagnostics(text, expected)
  })

  test('all forms are valid', () => {
    expectValid(`
schedule: { on: { one: { with: { type: x } } }, read: envelope }
do:
  - a: { emit: { event: { with: { source: https://a.b, type: x, id: '1', time: '2026-01-31T12:00:00Z', subject: s, datacontenttype: text/plain, dataschema: https://a.b/s, data: [ 1 ], tenant: t } } } }
  - b: { emit: { event: { with: { source: '\${ .source }', type: '\${ .type }', time: '\${ .time }' } } } }
  - c: { listen: { to: { all: [ { with: { type: x }, correlate: { id: { from: .id, expect: '\${ .x }' } } }, { with: { data: '\${ .x > 1 }' } } ] }, read: raw } }
  - d: { listen: { to: { any: [] } }, foreach: { item: event, at: i, do: [ e: { set: { x: '\${ $event }' } } ], output: { as: $event.data }, export: { as: $i } } }
  - f: { listen: { to: { any: [ { with: { type: x } } ], until: '( . | length ) > 3' } } }
  - g: { listen: { to: { any: [], until: { one: { with: { type: stop } } } } } }
`)
  })
})
