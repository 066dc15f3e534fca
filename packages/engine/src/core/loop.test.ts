import { describe, expect, test } from 'vitest'
import { faultOf, gives, memberOf, walk } from '#testing/walk.ts'
import type { JsonObject } from './json.ts'

const gather = `'\${ (if type == "array" then . else [] end) + [$item] | { list: . } }'`

/** A loop whose task gathers what it is given. */
const loop = (head: string, value = '[$item, $index]', extra = '') => `
  do:
    - loop:
        for: { ${head} }
        ${extra}
        do: [{ body: { set: '\${ { seen: ((.seen // []) + [${value}]) } }' } }]`

const seen = (yaml: string, input: JsonObject = {}) => memberOf(walk(yaml, { input }).output, 'seen')

describe('a loop', () => {
  test.each([
    ['an expression', `in: '.list'`, ['a', 'b']],
    ['an expression in ${ }', `in: '\${ .list }'`, ['a', 'b']],
    ['a list', `in: [{ x: 1 }, { x: '\${ .list[1] }' }]`, [{ x: 1 }, { x: 'b' }]],
    ['a list made by jq', `in: '[.list[] | ascii_upcase]'`, ['A', 'B']],
    ['a list with null in it', `in: '[null, false]'`, [null, false]],
  ])('takes its items from %s', (_what, head, expected) => {
    expect(seen(loop(head, '$item'), { list: ['a', 'b'] })).toEqual(expected)
  })

  test('binds item and index by default', () => {
    expect(seen(loop(`in: '["a", "b"]'`))).toEqual([
      ['a', 0],
      ['b', 1],
    ])
    expect(seen(loop(`in: '["a", "b"]', each: letter, at: place`, '[$letter, $place]'))).toEqual([
      ['a', 0],
      ['b', 1],
    ])
  })

  test('without items gives its input back', () => {
    const walked = walk(loop(`in: '[]'`), { input: { kept: 1 } })
    expect(walked).toMatchObject({ output: { kept: 1 }, completed: ['loop'] })
  })

  test('feeds each iteration the output of the one before, the first its own input', () => {
    const { output } = walk(
      `
      do:
        - loop:
            input: { from: .n }
            for: { in: '[1, 2, 3]' }
            do: [{ body: { set: { n: '\${ . + $item }' }, output: { as: .n } } }]`,
      { input: { n: 10 } },
    )
    expect(output).toBe(16)
  })

  test.each(['null', '1', '"text"', '{}', 'true', 'empty'])('over %s faults at the loop', (items) => {
    const fault = faultOf(walk(loop(`in: '${items}'`)))
    expect(fault).toMatchObject({ status: 400, title: 'Expression error', instance: '/do/0/loop' })
    expect(fault.detail).toContain('"for.in" must give an array')
  })

  test('has a position for each iteration', () => {
    const { events } = walk(loop(`in: '[7, 8]'`))
    const bodies = events.filter(({ name, what }) => name === 'body' && what === 'completed')
    expect(bodies.map(({ position }) => position)).toEqual(['/do/0/loop[0]/do/0/body', '/do/0/loop[1]/do/0/body'])
    expect(bodies.every(({ reference }) => reference === '/do/0/loop/do/0/body')).toBe(true)
  })

  test('waits for the effects of one iteration before it begins the next', () => {
    const { calls, tookMs } = walk(
      `
      do:
        - loop:
            for: { in: '[1, 2, 3]' }
            do: [{ ask: { call: http, with: { method: get, endpoint: { uri: 'http://a' }, query: { n: '\${ $item }' } } } }]`,
      {
        call: ({ arguments: given }) => gives(given, 100),
      },
    )
    expect(calls.map(({ position }) => position)).toEqual(['/do/0/loop[0]/do/0/ask', '/do/0/loop[1]/do/0/ask', '/do/0/loop[2]/do/0/ask'])
    expect(tookMs).toBe(300)
  })

  test('keeps what its iterations export', () => {
    const { output } = walk(`
      do:
        - loop:
            for: { in: '[1, 2]' }
            do: [{ body: { set: { x: 1 }, export: { as: '{ seen: (($context.seen // []) + [$item]) }' } } }]
        - after: { set: '\${ $context }' }`)
    expect(output).toEqual({ seen: [1, 2] })
  })

  test('forgets its variables when it is over', () => {
    expect(() =>
      walk(`do: [{ loop: { for: { in: '[1]' }, do: [{ b: { set: { x: 1 } } }] } }, { a: { set: { x: '\${ $item }' } } }]`),
    ).toThrow(/\$item/)
  })
})

describe('while', () => {
  test('is asked before each iteration on the input that it would get', () => {
    expect(seen(loop(`in: '[1, 2, 3, 4]'`, '$item', `while: '(.seen // []) | length < 2'`))).toEqual([1, 2])
  })

  test('may read the item and the index', () => {
    expect(seen(loop(`in: '[5, 6, 7]'`, '$item', 'while: $item < 7'))).toEqual([5, 6])
    expect(seen(loop(`in: '[5, 6, 7]', at: place`, '$item', 'while: $place < 1'))).toEqual([5])
  })

  test('a while that is false at first leaves the input unchanged', () => {
    expect(walk(loop(`in: '[1]'`, '$item', `while: 'false'`), { input: { kept: 1 } }).output).toEqual({ kept: 1 })
  })

  test('that never fails ends with the items', () => {
    expect(seen(loop(`in: '[1, 2]'`, '$item', `while: 'true'`))).toEqual([1, 2])
  })

  test('that fails faults at the loop', () => {
    expect(faultOf(walk(loop(`in: '[1]'`, '$item', `while: 'error("no")'`)))).toMatchObject({ instance: '/do/0/loop' })
  })
})

describe('a loop in a loop', () => {
  const nested = (inner: string, value: string) => `
    do:
      - outer:
          for: { each: row, at: y, in: '[["a", "b"], ["c"]]' }
          do:
            - inner:
                for: { ${inner}, in: $row }
                do: [{ body: { set: '\${ { seen: ((.seen // []) + [${value}]) } }' } }]`

  test('sees the variables of both', () => {
    expect(seen(nested('each: cell, at: x', '"\\($y)\\($x)\\($cell)"'))).toEqual(['00a', '01b', '10c'])
  })

  test('hides the outer variable of the same name', () => {
    expect(seen(nested('each: row, at: y', '"\\($y)\\($row)"'))).toEqual(['0a', '1b', '0c'])
  })

  test('has both indices in its positions', () => {
    const { events } = walk(nested('each: cell, at: x', '1'))
    const bodies = events.filter(({ name, what }) => name === 'body' && what === 'started').map(({ position }) => position)
    expect(bodies).toEqual([
      '/do/0/outer[0]/do/0/inner[0]/do/0/body',
      '/do/0/outer[0]/do/0/inner[1]/do/0/body',
      '/do/0/outer[1]/do/0/inner[0]/do/0/body',
    ])
  })

  test('ends the inner one alone by exit', () => {
    const { completed } = walk(`
      do:
        - outer:
            for: { in: '[1, 2]' }
            do: [{ inner: { for: { each: j, in: '[1, 2, 3]' }, do: [{ body: { set: { x: 1 }, then: exit } }] } }]`)
    expect(completed).toEqual(['body', 'inner', 'body', 'inner', 'outer'])
  })
})

test('variables of a loop are seen in forks, tries and lists inside of it', () => {
  const { output } = walk(`
    do:
      - loop:
          for: { in: '["x"]' }
          do:
            - both:
                fork:
                  branches:
                    - a: { do: [{ a1: { set: ${gather} } }] }
                    - b: { try: [{ b1: { raise: { error: { type: 'https://t.test/x', status: 400 } } } }], catch: { do: [{ b2: { set: { item: '\${ $item }', status: '\${ $error.status }' } } }] } }`)
  expect(output).toEqual([{ list: ['x'] }, { item: 'x', status: 400 }])
})
