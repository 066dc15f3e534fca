/* oxlint-disable vitest/expect-expect -- The helpers of testing/marked.ts assert. */
import { startProcessorTime } from '@millrace/jq/testing/processor-time.ts'
import { describe, expect, test } from 'vitest'
import { type Expected, expectDiagnostics, expectValid } from '#src/testing/marked.ts'

type Case = readonly [name: string, text: string, expected: readonly Expected[]]

describe('directives', () => {
  const cases: readonly Case[] = [
    [
      'a task that does not exist',
      'do: [ a: { set: { x: 1 }, then: «nowhere» } ]',
      [{ code: 'dangling_then', message: 'There is no task "nowhere"', hint: 'continue, exit, end' }],
    ],
    [
      'a misspelled task',
      'do: [ first: { set: { x: 1 }, then: «secnod» }, second: { set: { x: 1 } } ]',
      [{ code: 'dangling_then', hint: 'Did you mean "second"?' }],
    ],
    [
      'a misspelled directive',
      'do: [ a: { set: { x: 1 }, then: «contineu» } ]',
      [{ code: 'dangling_then', hint: 'Did you mean "continue"?' }],
    ],
    [
      'a task of an enclosing list',
      'do: [ a: { do: [ b: { set: { x: 1 }, then: «c» } ] }, c: { set: { x: 1 } } ]',
      [{ code: 'dangling_then', message: '"c" is in another list' }],
    ],
    [
      'a task of an inner list',
      'do: [ a: { do: [ b: { set: { x: 1 } } ], then: «b» } ]',
      [{ code: 'dangling_then', message: 'another list' }],
    ],
    [
      'a task of the try from its catch',
      'do: [ a: { try: [ b: { set: { x: 1 } } ], catch: { do: [ c: { set: { x: 1 }, then: «b» } ] } } ]',
      ['dangling_then'],
    ],
    ['a case that leads nowhere', 'do: [ a: { switch: [ x: { when: .x, then: «b» } ] } ]', ['dangling_then']],
    [
      'a catch that leads into its own tasks',
      'do: [ a: { try: [], catch: { do: [ b: { set: { x: 1 } } ], then: «b» } } ]',
      ['dangling_then'],
    ],
    [
      'a branch that leads to another',
      'do: [ a: { fork: { branches: [ b: { set: { x: 1 }, then: «c» }, c: { set: { x: 1 } } ] } } ]',
      [{ code: 'dangling_then', message: 'branches run side by side' }],
    ],
    ['a function that leads anywhere', 'use: { functions: { f: { set: { x: 1 }, then: a } } }\ndo: [ a: { call: f } ]', []],
    [
      'an extension that leads out of it',
      'use: { extensions: [ e: { extend: all, before: [ b: { set: { x: 1 }, then: «a» } ] } ] }\ndo: [ a: { set: { x: 1 } } ]',
      ['dangling_then'],
    ],
    [
      'an iterator that leads out of it',
      'do: [ a: { listen: { to: { any: [] } }, foreach: { do: [ b: { set: { x: 1 }, then: «a» } ] } } ]',
      ['dangling_then'],
    ],
    ['a task with the name of a directive', 'do: [ «end»: { set: { x: 1 } } ]', [{ code: 'reserved_name', message: 'a flow directive' }]],
  ]
  test.each(cases)('%s', (_, text, expected) => {
    expectDiagnostics(text, expected)
  })

  test('every task of the same list can be led to, itself included, and so can the three directives', () => {
    expectValid(`
do:
  - a: { if: .x, set: { x: 1 }, then: a }
  - b: { if: .x, set: { x: 1 }, then: a }
  - c: { switch: [ x: { when: .x, then: d }, y: { when: .y, then: continue }, z: { then: exit } ] }
  - d: { try: [ e: { set: { x: 1 }, then: exit } ], catch: { do: [ f: { set: { x: 1 }, then: end } ], then: b }, then: d }
`)
  })

  test('a branch can end itself and the workflow', () => {
    expectValid(
      'do: [ a: { fork: { branches: [ b: { set: { x: 1 }, then: exit }, c: { set: { x: 1 }, then: end }, d: { set: { x: 1 }, then: continue } ] } } ]',
    )
  })
})

describe('tasks that cannot be reached', () => {
  const cases: readonly Case[] = [
    ['behind end', 'do: [ a: { set: { x: 1 }, then: end }, «b»: { set: { x: 1 } } ]', [{ code: 'unreachable_task', message: '"b"' }]],
    ['behind exit', 'do: [ a: { set: { x: 1 }, then: exit }, «b»: { set: { x: 1 } } ]', ['unreachable_task']],
    ['jumped over', 'do: [ a: { set: { x: 1 }, then: c }, «b»: { set: { x: 1 } }, c: { set: { x: 1 } } ]', ['unreachable_task']],
    [
      'behind an error that is raised',
      'do: [ a: { raise: { error: { type: https://a.b/c, status: 400 } } }, «b»: { set: { x: 1 } } ]',
      ['unreachable_task'],
    ],
    [
      'whatever then an error has',
      'do: [ a: { raise: { error: { type: https://a.b/c, status: 400 } }, then: b }, «b»: { set: { x: 1 } } ]',
      ['unreachable_task'],
    ],
    [
      'behind a switch that always leads elsewhere',
      'do: [ a: { switch: [ x: { when: .x, then: c }, y: { then: end } ] }, «b»: { set: { x: 1 } }, c: { set: { x: 1 } } ]',
      ['unreachable_task'],
    ],
    [
      'by the then of a switch with a default',
      'do: [ a: { switch: [ y: { then: end } ], then: b }, «b»: { set: { x: 1 } } ]',
      ['unreachable_task'],
    ],
    [
      'a circle of its own',
      'do: [ a: { set: { x: 1 }, then: end }, «b»: { set: { x: 1 }, then: c }, c: { set: { x: 1 }, then: b } ]',
      ['unreachable_task'],
    ],
    [
      'one warning for tasks that follow each other',
      'do: [ a: { set: { x: 1 }, then: end }, «b»: { set: { x: 1 } }, c: { set: { x: 1 } }, d: { set: { x: 1 } } ]',
      ['unreachable_task'],
    ],
    [
      'one warning for each beginning',
      'do: [ a: { set: { x: 1 }, then: end }, «b»: { set: { x: 1 }, then: end }, «c»: { set: { x: 1 } } ]',
      ['unreachable_task', 'unreachable_task'],
    ],
    ['in an inner list', 'do: [ a: { do: [ b: { set: { x: 1 }, then: exit }, «c»: { set: { x: 1 } } ] } ]', ['unreachable_task']],
    [
      'in a catch',
      'do: [ a: { try: [], catch: { do: [ b: { set: { x: 1 }, then: end }, «c»: { set: { x: 1 } } ] } } ]',
      ['unreachable_task'],
    ],
  ]
  test.each(cases)('%s', (_, text, expected) => {
    expectDiagnostics(text, expected)
  })

  const reachable: readonly (readonly [name: string, text: string])[] = [
    ['a condition lets a run pass by', 'do: [ a: { if: .x, set: { x: 1 }, then: end }, b: { set: { x: 1 } } ]'],
    [
      'an error that is only raised sometimes',
      'do: [ a: { if: .x, raise: { error: { type: https://a.b/c, status: 400 } } }, b: { set: { x: 1 } } ]',
    ],
    ['a switch without a default continues', 'do: [ a: { switch: [ x: { when: .x, then: end } ] }, b: { set: { x: 1 } } ]'],
    ['a case leads on', 'do: [ a: { switch: [ x: { when: .x, then: continue }, y: { then: end } ] }, b: { set: { x: 1 } } ]'],
    ['a catch leads on', 'do: [ a: { try: [], catch: { then: b }, then: end }, b: { set: { x: 1 } } ]'],
    ['a task behind leads back', 'do: [ a: { set: { x: 1 }, then: c }, b: { set: { x: 1 }, then: end }, c: { set: { x: 1 }, then: b } ]'],
    ['branches all begin', 'do: [ a: { fork: { branches: [ b: { set: { x: 1 }, then: end }, c: { set: { x: 1 } } ] } } ]'],
    ['an empty list has nothing to reach', 'do: []'],
  ]
  test.each(reachable)('not: %s', (_, text) => {
    expectValid(text)
  })

  test('a directive that leads nowhere does not make others unreachable on top', () => {
    expectDiagnostics('do: [ a: { set: { x: 1 }, then: «nowhere» }, b: { set: { x: 1 } } ]', ['dangling_then'])
  })
})

describe('switches', () => {
  test('a second default is an error', () => {
    expectDiagnostics('do: [ a: { switch: [ x: { then: end }, y: { when: .y, then: end }, «z»: { then: end } ] } ]', [
      { code: 'multiple_defaults', message: 'The case "z" has no condition, and neither has "x".', hint: 'add when:' },
    ])
  })

  test('what no case takes does not take the way of one of them unnoticed', () => {
    const rest = 'b: { set: { x: 1 }, then: end }, c: { set: { x: 1 } } ]'
    const unnoticed: Expected = {
      code: 'switch_falls_through',
      message: 'continues with the task "b", as in its case "x"',
      hint: 'without when:',
    }
    expectDiagnostics(`do: [ «a»: { switch: [ y: { when: .y, then: c }, x: { when: .x, then: b } ] }, ${rest}`, [unnoticed])
    expectDiagnostics(`do: [ «a»: { if: .z, switch: [ y: { when: .y, then: c }, x: { when: .x, then: b } ] }, ${rest}`, [unnoticed])
    expectValid(`do: [ a: { switch: [ y: { when: .y, then: c }, x: { when: .x, then: b }, z: { then: end } ] }, ${rest}`)
    expectValid(`do: [ a: { switch: [ y: { when: .y, then: c }, x: { when: .x, then: b } ], then: end }, ${rest}`)
    expectValid(`do: [ a: { switch: [ y: { when: .y, then: c } ] }, ${rest}`)
  })

  test('a default may stand anywhere', () => {
    expectValid('do: [ a: { switch: [ x: { then: end }, y: { when: .y, then: end } ] } ]')
  })
})

test('a list of a thousand tasks with a thousand jumps is checked in linear time', () => {
  const tasks = Array.from({ length: 1000 }, (_, index) => `  - t${index}: { if: .x, set: { x: 1 }, then: t${(index * 7) % 1000} }`)
  const spent = startProcessorTime()
  expectValid(`do:\n${tasks.join('\n')}`)
  expect(spent()).toBeLessThan(2_000)
})
