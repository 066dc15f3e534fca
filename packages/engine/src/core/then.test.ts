import { describe, expect, test } from 'vitest'
import { memberOf, walk } from '#testing/walk.ts'

const add = (name: string, then?: string) =>
  `{ ${name}: { set: '\${ { ran: ((.ran // []) + ["${name}"]) } }'${then === undefined ? '' : `, then: ${then}`} } }`

const ran = (yaml: string) => memberOf(walk(yaml).output, 'ran')

describe('then in the list of the workflow', () => {
  const cases: readonly (readonly [what: string, tasks: readonly string[], ran: readonly string[]])[] = [
    ['nothing: tasks run in the order of the list', [add('a'), add('b'), add('c')], ['a', 'b', 'c']],
    ['continue: the next task follows', [add('a', 'continue'), add('b')], ['a', 'b']],
    ['continue at the last task: the workflow ends', [add('a'), add('b', 'continue')], ['a', 'b']],
    ['a name ahead: what lies between is not run', [add('a', 'c'), add('b'), add('c')], ['a', 'c']],
    ['a name behind: the way leads back once', [add('a', 'c'), add('b', 'end'), add('c', 'b')], ['a', 'c', 'b']],
    ['exit: the workflow ends', [add('a', 'exit'), add('b')], ['a']],
    ['end: the workflow ends', [add('a', 'end'), add('b')], ['a']],
    ['the next name: the same as continue', [add('a', 'b'), add('b')], ['a', 'b']],
  ]
  test.each(cases)('%s', (_what, tasks, expected) => {
    expect(ran(`do: [${tasks.join(', ')}]`)).toEqual(expected)
  })
})

describe('then inside of tasks that contain tasks', () => {
  const cases: readonly (readonly [what: string, tasks: string, ran: readonly string[]])[] = [
    ['exit in a do leaves that list alone', `[{ outer: { do: [${add('a', 'exit')}, ${add('b')}] } }, ${add('c')}]`, ['a', 'c']],
    ['end in a do ends the workflow', `[{ outer: { do: [${add('a', 'end')}, ${add('b')}] } }, ${add('c')}]`, ['a']],
    [
      'end in a do in a do ends the workflow',
      `[{ outer: { do: [{ inner: { do: [${add('a', 'end')}] } }, ${add('b')}] } }, ${add('c')}]`,
      ['a'],
    ],
    [
      'exit in a do in a do leaves the inner list alone',
      `[{ o: { do: [{ i: { do: [${add('a', 'exit')}, ${add('b')}] } }, ${add('c')}] } }]`,
      ['a', 'c'],
    ],
    [
      'exit in a loop ends the whole loop',
      `[{ loop: { for: { in: '[1,2,3]' }, do: [${add('a', 'exit')}, ${add('b')}] } }, ${add('c')}]`,
      ['a', 'c'],
    ],
    ['end in a loop ends the workflow', `[{ loop: { for: { in: '[1,2,3]' }, do: [${add('a', 'end')}] } }, ${add('c')}]`, ['a']],
    [
      'exit in a do in a loop leaves the do alone',
      `[{ loop: { for: { in: '[1,2]' }, do: [{ x: { do: [${add('a', 'exit')}, ${add('b')}] } }] } }]`,
      ['a', 'a'],
    ],
    ['exit in a try leaves its list', `[{ t: { try: [${add('a', 'exit')}, ${add('b')}], catch: {} } }, ${add('c')}]`, ['a', 'c']],
    [
      'end in a try ends the workflow and is not caught',
      `[{ t: { try: [${add('a', 'end')}], catch: { do: [${add('b')}] } } }, ${add('c')}]`,
      ['a'],
    ],
    [
      'end in a catch ends the workflow',
      `[{ t: { try: [{ r: { raise: { error: { type: 'https://t.test/x', status: 400 } } } }], catch: { do: [${add('a', 'end')}] } } }, ${add('b')}]`,
      ['a'],
    ],
    ['a jump inside a do stays in it', `[{ o: { do: [${add('a', 'c')}, ${add('b')}, ${add('c')}] } }, ${add('d')}]`, ['a', 'c', 'd']],
    ['exit of the task that contains leaves the list around it', `[{ o: { do: [${add('a')}], then: exit } }, ${add('b')}]`, ['a']],
  ]
  test.each(cases)('%s', (_what, tasks, expected) => {
    expect(ran(`do: ${tasks}`)).toEqual(expected)
  })

  test('end in a branch ends the workflow with the output of its task, and the other branches are abandoned', () => {
    const walked = walk(`
      do:
        - both:
            fork:
              branches:
                - long: { wait: PT1H }
                - ending: { do: [{ nap: { wait: PT1S } }, { last: { set: { from: branch }, then: end } }] }
        - never: { set: { from: never } }`)
    expect(walked).toMatchObject({
      state: 'completed',
      output: { from: 'branch' },
      tookMs: 1_000,
      abandoned: ['/do/0/both/fork/branches/0/long'],
    })
  })

  test('end of a branch itself ends the workflow', () => {
    const walked = walk(`
      do:
        - both: { fork: { branches: [{ a: { set: { from: a }, then: end } }, { b: { wait: PT1H } }] } }
        - never: { set: { from: never } }`)
    expect(walked.output).toEqual({ from: 'a' })
  })

  test('exit in a branch ends the branch alone', () => {
    const walked = walk(`
      do:
        - both:
            fork:
              branches:
                - a: { do: [{ x: { set: { n: 1 }, then: exit } }, { y: { set: { n: 2 } } }] }
                - b: { set: { n: 3 }, then: exit }
        - after: { set: '\${ { got: . } }' }`)
    expect(walked.output).toEqual({ got: [{ n: 1 }, { n: 3 }] })
  })

  test('end in a branch that competes ends the workflow', () => {
    const walked = walk(`
      do:
        - both: { fork: { compete: true, branches: [{ a: { wait: PT1H } }, { b: { set: { from: b }, then: end } }] } }
        - never: { set: { from: never } }`)
    expect(walked.output).toEqual({ from: 'b' })
  })

  test('the workflow shapes its output also when a task ends it', () => {
    const walked = walk(`
      output: { as: '{ shaped: . }' }
      do:
        - a: { set: { x: 1 }, output: { as: .x }, then: end }
        - b: { set: { x: 2 } }`)
    expect(walked.output).toEqual({ shaped: 1 })
  })
})

describe('a task that runs again in the same list', () => {
  const loop = `
    do:
      - count: { set: '\${ { n: ((.n // 0) + 1) } }' }
      - again: { switch: [{ more: { when: .n < 3, then: count } }] }
      - done: { set: '\${ . }' }`

  test('has a position of its own at each visit', () => {
    const { events, output } = walk(loop)
    const positions = events.filter(({ what }) => what === 'completed').map(({ position }) => position)
    expect(positions).toEqual([
      '/do/0/count',
      '/do/1/again',
      '/do/0/count~1',
      '/do/1/again~1',
      '/do/0/count~2',
      '/do/1/again~2',
      '/do/2/done',
    ])
    expect(output).toEqual({ n: 3 })
  })

  test('asks for its effect again at each visit', () => {
    const { calls } = walk(
      `
      do:
        - ask: { call: http, with: { method: get, endpoint: { uri: 'http://a' } } }
        - again: { switch: [{ more: { when: .n < 3, then: ask } }] }`,
      { call: (_request, count) => ({ outcome: { ok: true, value: { n: count + 1 } }, afterMs: 0 }) },
    )
    expect(calls.map(({ position }) => position)).toEqual(['/do/0/ask', '/do/0/ask~1', '/do/0/ask~2'])
  })

  test('a task that was skipped at first differs from its later visit', () => {
    const { events } = walk(`
      do:
        - a: { set: { n: 1 }, then: c }
        - b: { set: { n: 2 }, then: end }
        - c: { set: { n: 3 }, then: b }`)
    const positions = events.map(({ position }) => position)
    expect(new Set(positions).size).toBe(6 / 2)
  })

  test('inside another task the visits of the outer one are in the position of the inner', () => {
    const { events } = walk(`
      do:
        - outer: { do: [{ inner: { set: '\${ { n: ((.n // 0) + 1) } }' } }] }
        - again: { switch: [{ more: { when: .n < 2, then: outer } }] }`)
    const inner = events.filter(({ name, what }) => name === 'inner' && what === 'started').map(({ position }) => position)
    expect(inner).toEqual(['/do/0/outer/do/0/inner', '/do/0/outer~1/do/0/inner'])
  })
})
