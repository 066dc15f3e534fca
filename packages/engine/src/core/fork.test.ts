import { describe, expect, test } from 'vitest'
import { fails, faultOf, gives, walk, type WalkOptions } from '#testing/walk.ts'

const ask = (name: string) => `{ ${name}: { call: http, with: { method: get, endpoint: { uri: 'http://${name}' } } } }`

const fork = (branches: readonly string[], compete = false) =>
  `do: [{ both: { fork: { compete: ${compete}, branches: [${branches.join(', ')}] } } }]`

/** Answers calls by the name of their task: a number of milliseconds, or `fail` after them. */
const after = (times: Readonly<Record<string, number | readonly ['fail', number]>>): WalkOptions => ({
  call: ({ position }) => {
    const name = position.slice(position.lastIndexOf('/') + 1)
    const time = times[name]
    if (time === undefined) return undefined
    return typeof time === 'number'
      ? gives({ from: name }, time)
      : fails({ type: `https://t.test/${name}`, status: 500, title: name }, time[1])
  },
})

describe('a fork', () => {
  test('a fork returns the outputs of its branches in the order of their declaration, in whatever order they end', () => {
    const { output, tookMs } = walk(fork([ask('a'), ask('b'), ask('c')]), after({ a: 300, b: 100, c: 200 }))
    expect(output).toEqual([{ from: 'a' }, { from: 'b' }, { from: 'c' }])
    expect(tookMs).toBe(300)
  })

  test('a fork starts the effects of all branches before any branch has ended', () => {
    const { calls } = walk(fork([ask('a'), ask('b'), ask('c')]), after({}))
    expect(calls.map(({ position }) => position)).toEqual([
      '/do/0/both/fork/branches/0/a',
      '/do/0/both/fork/branches/1/b',
      '/do/0/both/fork/branches/2/c',
    ])
  })

  test('each branch gets the transformed input of its fork', () => {
    const { output } = walk(
      `
      do:
        - both:
            input: { from: .n }
            fork: { branches: [{ a: { set: { a: '\${ . }' } } }, { b: { set: { b: '\${ . }' } } }] }`,
      { input: { n: 1 } },
    )
    expect(output).toEqual([{ a: 1 }, { b: 1 }])
  })

  test('the output of a skipped branch is its input', () => {
    const { output } = walk(`do: [{ both: { fork: { branches: [{ a: { if: 'false', set: { a: 1 } } }, { b: { set: { b: 1 } } }] } } }]`, {
      input: { n: 1 },
    })
    expect(output).toEqual([{ n: 1 }, { b: 1 }])
  })

  test('a fork transforms its output like any task', () => {
    const { output } = walk(
      `do: [{ both: { fork: { branches: [{ a: { set: { x: 1 } } }, { b: { set: { x: 2 } } }] }, output: { as: 'map(.x) | add' } } }]`,
    )
    expect(output).toBe(3)
  })

  test('a fork around a fork waits for the inner one', () => {
    const { output, tookMs } = walk(
      `do: [{ outer: { fork: { branches: [{ inner: { fork: { branches: [${ask('a')}, ${ask('b')}] } } }, ${ask('c')}] } } }]`,
      after({ a: 10, b: 30, c: 20 }),
    )
    expect(output).toEqual([[{ from: 'a' }, { from: 'b' }], { from: 'c' }])
    expect(tookMs).toBe(30)
  })

  test('a fork with many branches joins them all', () => {
    const names = Array.from({ length: 200 }, (_, index) => `b${index}`)
    const { output } = walk(fork(names.map(ask)), { call: (_request, count) => gives(count, (count * 7) % 50) })
    expect(output).toEqual(names.map((_, index) => index))
  })
})

describe('the context of a fork', () => {
  const branch = (name: string, value: string, ms: number) =>
    `{ ${name}: { do: [{ w: { wait: { milliseconds: ${ms} } } }, { s: { set: { x: 1 }, export: { as: '${value}' } } }] } }`
  const contextAfter = (branches: readonly string[], compete = false) =>
    walk(`
      input: { from: '{ start: 1 }' }
      do:
        - both: { fork: { compete: ${compete}, branches: [${branches.join(', ')}] } }
        - after: { set: { context: '\${ $context }' } }`).output

  test.each([
    ['objects are merged key by key', [branch('a', '{ a: 1 }', 0), branch('b', '{ b: 2 }', 0)], { start: 1, a: 1, b: 2 }],
    [
      'the later branch wins, though it was ready first',
      [branch('a', '{ k: "a" }', 9), branch('b', '{ k: "b" }', 0)],
      { start: 1, k: 'b' },
    ],
    ['what is no object replaces', [branch('a', '{ a: 1 }', 0), branch('b', '[2]', 0)], [2]],
    ['a branch that exports nothing takes nothing away', [branch('a', '{ a: 1 }', 0), '{ b: { set: { x: 1 } } }'], { start: 1, a: 1 }],
    [
      'a branch that exports nothing does not bring back what another replaced',
      [branch('a', '{ start: 2 }', 0), '{ b: { set: { x: 1 } } }'],
      { start: 2 },
    ],
    ['no branch exports: it stays', ['{ a: { set: { x: 1 } } }', '{ b: { set: { x: 1 } } }'], { start: 1 }],
  ])('%s', (_what, branches, expected) => {
    expect(contextAfter(branches)).toEqual({ context: expected })
  })

  test('the context after a competition is that of the winner', () => {
    expect(contextAfter([branch('a', '{ a: 1 }', 9), branch('b', '{ b: 2 }', 1)], true)).toEqual({ context: { b: 2 } })
  })

  test('each branch sees the context as it was at the fork, whatever other branches export', () => {
    const { output } = walk(
      `
      do:
        - both:
            fork:
              branches:
                - early: { set: { x: 1 }, export: { as: '{ leaked: true }' } }
                - late: { do: [{ w: { wait: PT1S } }, { s: { set: { context: '\${ $context }' } } }] }`,
      { input: { start: 1 } },
    )
    expect(output).toEqual([{ x: 1 }, { context: { start: 1 } }])
  })
})

describe('branches that compete', () => {
  test('the first competing branch that completes determines the output, and the others are abandoned', () => {
    const walked = walk(fork([ask('a'), ask('b'), ask('c')], true), after({ a: 300, b: 100, c: 200 }))
    expect(walked).toMatchObject({ state: 'completed', output: { from: 'b' }, tookMs: 100 })
    expect(walked.abandoned).toEqual(['/do/0/both/fork/branches/0/a', '/do/0/both/fork/branches/2/c'])
  })

  test('a competing branch that faults loses', () => {
    const walked = walk(fork([ask('a'), ask('b')], true), after({ a: ['fail', 10], b: 500 }))
    expect(walked).toMatchObject({ state: 'completed', output: { from: 'b' }, tookMs: 500 })
  })

  test('a competition in which all branches fault raises the error of the first one', () => {
    const walked = walk(fork([ask('a'), ask('b'), ask('c')], true), after({ a: ['fail', 30], b: ['fail', 10], c: ['fail', 20] }))
    expect(faultOf(walked)).toMatchObject({ title: 'b', instance: '/do/0/both/fork/branches/1/b' })
    expect(walked.tookMs).toBe(30)
  })

  test('a pure competing branch wins before any effect is requested', () => {
    const { calls, output } = walk(fork(['{ a: { set: { x: 1 } } }', ask('b')], true), after({}))
    expect(output).toEqual({ x: 1 })
    expect(calls).toEqual([])
  })

  test('requests of nested tasks are abandoned together with their branch', () => {
    const deep = `{ deep: { do: [{ both: { fork: { branches: [${ask('x')}, ${ask('y')}] } } }] } }`
    const { abandoned } = walk(fork([ask('a'), deep], true), after({ a: 5, x: 100, y: 100 }))
    expect(abandoned).toEqual([
      '/do/0/both/fork/branches/1/deep/do/0/both/fork/branches/0/x',
      '/do/0/both/fork/branches/1/deep/do/0/both/fork/branches/1/y',
    ])
  })

  test('a single branch completes without competitors', () => {
    expect(walk(fork([ask('a')], true), after({ a: 5 })).output).toEqual({ from: 'a' })
  })
})

describe('an error in a branch', () => {
  test('an error in a branch faults the fork at once and abandons the other branches', () => {
    const walked = walk(fork([ask('a'), ask('b'), '{ w: { wait: PT1H } }']), after({ a: 500, b: ['fail', 10] }))
    expect(faultOf(walked)).toMatchObject({ title: 'b', instance: '/do/0/both/fork/branches/1/b' })
    expect(walked).toMatchObject({ tookMs: 10, abandoned: ['/do/0/both/fork/branches/0/a', '/do/0/both/fork/branches/2/w'] })
  })

  test('an error in a branch can be caught around the fork', () => {
    const { output } = walk(
      `do: [{ t: { try: [{ both: { fork: { branches: [${ask('a')}, ${ask('b')}] } } }], catch: { do: [{ c: { set: { where: '\${ $error.instance }' } } }] } } }]`,
      after({ a: ['fail', 1], b: 5 }),
    )
    expect(output).toEqual({ where: '/do/0/t/try/0/both/fork/branches/0/a' })
  })

  test('an error that is caught inside the branch does not affect the others', () => {
    const { output } = walk(
      fork([`{ a: { try: [${ask('x')}], catch: { do: [{ c: { set: { caught: true } } }] } } }`, ask('b')]),
      after({ x: ['fail', 1], b: 50 }),
    )
    expect(output).toEqual([{ caught: true }, { from: 'b' }])
  })

  test('an error in a pure branch abandons the branches that began before it', () => {
    const walked = walk(
      fork([ask('a'), `{ r: { raise: { error: { type: 'https://t.test/x', status: 400 } } } }`, ask('c')]),
      after({ a: 1, c: 1 }),
    )
    expect(walked.state).toBe('faulted')
    expect(walked.calls).toEqual([])
  })

  test('a retry of a failed fork has positions of its own', () => {
    const walked = walk(
      `do: [{ t: { try: [{ both: { fork: { branches: [${ask('a')}, ${ask('b')}] } } }], catch: { retry: { delay: PT1S, limit: { attempt: { count: 1 } } } } } }]`,
      { call: (_request, count) => (count === 0 ? fails('communication', 5) : gives(count, 50)) },
    )
    expect(walked.output).toEqual([2, 3])
    expect(walked.calls.map(({ position }) => position)).toEqual([
      '/do/0/t/try/0/both/fork/branches/0/a',
      '/do/0/t/try/0/both/fork/branches/1/b',
      '/do/0/t!1/try/0/both/fork/branches/0/a',
      '/do/0/t!1/try/0/both/fork/branches/1/b',
    ])
    expect(walked.abandoned).toEqual(['/do/0/t/try/0/both/fork/branches/1/b'])
  })
})
