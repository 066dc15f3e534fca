import { describe, expect, test } from 'vitest'
import { faultOf, memberOf, walk } from '#testing/walk.ts'

const tasks = (cases: string, then = '') => `
  do:
    - choose: { switch: [${cases}]${then} }
    - first: { set: { went: first }, then: end }
    - second: { set: { went: second }, then: end }
    - third: { set: { went: third }, then: end }`

const went = (cases: string, input: { readonly n: number }, then?: string) => memberOf(walk(tasks(cases, then), { input }).output, 'went')

describe('a switch', () => {
  test.each([
    [1, 'second'],
    [2, 'third'],
    [3, 'first'],
  ])('the first true case decides: %i', (n, expected) => {
    const cases = '{ a: { when: .n == 1, then: second } }, { b: { when: .n < 3, then: third } }, { c: { when: .n < 99, then: first } }'
    expect(went(cases, { n })).toBe(expected)
  })

  test.each([0, 1, 2])('takes the case without a condition as the last resort, also at place %i', (place) => {
    const cases = ['{ a: { when: .n == 1, then: first } }', '{ b: { when: .n == 2, then: second } }']
    cases.splice(place, 0, '{ other: { then: third } }')
    expect([1, 2, 3].map((n) => went(cases.join(', '), { n }))).toEqual(['first', 'second', 'third'])
  })

  test('the then of the switch decides when no case is true', () => {
    expect(went('{ a: { when: .n == 1, then: first } }', { n: 9 }, ', then: third')).toBe('third')
    expect(went('{ a: { when: .n == 1, then: first } }', { n: 9 })).toBe('first')
  })

  test('a true case overrides the then of the switch', () => {
    expect(went('{ a: { when: .n == 1, then: second } }', { n: 1 }, ', then: third')).toBe('second')
  })

  test('hands its input on, shaped by output.as', () => {
    const { output } = walk(
      `do: [{ choose: { switch: [{ a: { then: continue } }], output: { as: .n } } }, { b: { set: { got: '\${ . }' } } }]`,
      {
        input: { n: 1 },
      },
    )
    expect(output).toEqual({ got: 1 })
  })

  test('decides on its transformed input', () => {
    const { completed } = walk(
      `
      do:
        - choose: { input: { from: .n }, switch: [{ a: { when: '. == 1', then: end } }] }
        - never: { set: { x: 1 } }`,
      { input: { n: 1 } },
    )
    expect(completed).toEqual(['choose'])
  })

  test.each(['exit', 'end'])('may lead out of its list by %s', (then) => {
    const { completed } = walk(`
      do:
        - list: { do: [{ choose: { switch: [{ a: { then: ${then} } }] } }, { never: { set: { x: 1 } } }] }
        - after: { set: { x: 2 } }`)
    expect(completed).toEqual(then === 'exit' ? ['choose', 'list', 'after'] : ['choose'])
  })

  test('may read what tasks around it bind', () => {
    const { completed } = walk(`
      do:
        - loop:
            for: { in: '[1, 2]' }
            do:
              - choose: { switch: [{ a: { when: $item == 2, then: two } }, { b: { then: exit } }] }
              - one: { set: { x: 1 } }
              - two: { set: { x: 2 } }`)
    expect(completed).toEqual(['choose', 'loop'])
  })

  test('whose condition fails faults at its own place, and later cases are not asked', () => {
    const cases = '{ a: { when: error("boom"), then: first } }, { b: { when: error("never asked"), then: first } }'
    const fault = faultOf(walk(tasks(cases), { input: { n: 1 } }))
    expect(fault).toMatchObject({ title: 'Expression error', instance: '/do/0/choose' })
    expect(fault.detail).toContain('boom')
    expect(fault.detail).not.toContain('never asked')
  })
})

test('an observer sees each condition that is examined, with what it is evaluated on, and none behind the one that decides', () => {
  const seen: unknown[] = []
  const each = (concurrency: string) => `
        - each: { for: { each: n, in: '[1, 2]' }, while: $n < 2, do: [{ keep: { set: { n: $n } } }]${concurrency} }`
  walk(
    `
      do:
        - skips: { if: .n == 9, set: { n: 8 } }
        - choose: { input: { from: '{ n: (.n + 1) }' }, switch: [{ a: { when: .n == 1, then: continue } }, { b: { when: .n == 2, then: continue } }, { c: { when: .n == 3, then: continue } }] }${each('')}`,
    { input: { n: 1 }, examines: (position, condition, dot) => seen.push([position, condition, dot]) },
  )
  expect(seen).toEqual([
    ['/do/0/skips', { of: 'if' }, { n: 1 }],
    ['/do/1/choose', { of: 'switch', index: 0 }, { n: 2 }],
    ['/do/1/choose', { of: 'switch', index: 1 }, { n: 2 }],
    ['/do/2/each', { of: 'while' }, { n: 2 }],
    ['/do/2/each', { of: 'while' }, { n: '$n' }],
  ])
  seen.length = 0
  walk(`\n      do:${each(', metadata: { concurrency: 2 }')}`, {
    input: 5,
    examines: (position, { of }, dot) => seen.push([position, of, dot]),
  })
  expect(seen).toEqual([
    ['/do/0/each', 'while', 5],
    ['/do/0/each', 'while', 5],
  ])
})
