import { describe, expect, test } from 'vitest'
import { parseDefinition } from '#src/index.ts'
import { scopeAt } from '#src/shape/index.ts'

function scope(text: string, pointer: string) {
  return scopeAt(parseDefinition(text).document ?? null, pointer)
}

/** The readable steps; those that are not certain with a question mark. */
function steps(text: string, pointer: string): readonly string[] | undefined {
  return scope(text, pointer)?.steps.map(({ name, certain }) => (certain ? name : `${name}?`))
}

const ways = `do:
- first: { set: { a: 1 } }
- choose: { switch: [{ big: { when: .x, then: large } }, { rest: { then: small } }] }
- large: { set: { b: 1 }, then: join }
- small: { if: .y, set: { b: 2 } }
- join: { set: { c: 1 } }
- last: { set: { d: 1 } }
`

describe('the steps that can be read', () => {
  test('are those before, the nearest first: certain when every way leads through them', () => {
    expect(steps(ways, '/do/4/join/set/c')).toEqual(['small?', 'large?', 'choose', 'first'])
    expect(steps(ways, '/do/3/small/if')).toEqual(['choose', 'first'])
    expect(steps(ways, '/do/5/last')).toEqual(['join', 'small?', 'large?', 'choose', 'first'])
    expect(steps(ways, '/do/0/first')).toEqual([])
  })

  test('a jump back makes later steps, and the step itself, readable in later rounds', () => {
    const text = 'do:\n- ask: { set: { a: 1 } }\n- check: { switch: [{ again: { when: .x, then: ask } }] }\n- done: { set: { b: 1 } }\n'
    expect(steps(text, '/do/0/ask/set/a')).toEqual(['ask?', 'check?'])
    expect(steps(text, '/do/2/done')).toEqual(['check', 'ask'])
  })

  test('steps that no run reaches, and those after, are not readable', () => {
    const text = 'do:\n- a: { set: { a: 1 }, then: c }\n- b: { set: { a: 1 } }\n- c: { set: { a: 1 }, then: end }\n- d: { set: { a: 1 } }\n'
    expect(steps(text, '/do/2/c/set/a')).toEqual(['a'])
  })

  test('lists around are read as well, blocks before are read as a whole, and the nearest of one name counts', () => {
    const text = `do:
- one: { set: { a: 1 } }
- block: { do: [{ inner: { set: { a: 1 } } }] }
- each: { for: { each: line, in: .lines }, do: [{ one: { set: { b: 1 } } }, { two: { set: { c: 1 } } }] }
`
    const found = scope(text, '/do/2/each/do/1/two/set/c')
    expect(found?.steps).toEqual([
      { name: 'one', pointer: '/do/2/each/do/0/one', certain: true },
      { name: 'block', pointer: '/do/1/block', certain: true },
    ])
  })

  test('branches of a fork do not read each other', () => {
    const text = 'do:\n- a: { set: { x: 1 } }\n- f: { fork: { branches: [{ l: { set: { x: 1 } } }, { r: { set: { x: 1 } } }] } }\n'
    expect(steps(text, '/do/1/f/fork/branches/1/r/set/x')).toEqual(['a'])
  })
})

describe('the variables that can be read', () => {
  test('are those of the moment', () => {
    expect(scope(ways, '/do/3/small/if')?.variables).not.toContain('input')
    expect(scope(ways, '/do/3/small/set/b')?.variables).toContain('input')
    expect(scope(ways, '/do/3/small/export/as')?.variables).toContain('output')
    expect(scope(ways, '/output/as')?.variables).not.toContain('steps')
  })

  test('are those of loops and catches around, innermost first, by their given names', () => {
    const text = `do:
- each:
    for: { each: line, in: .lines }
    while: .go
    do:
    - guard:
        try: [{ call: { set: { a: 1 } } }]
        catch: { as: problem, do: [{ note: { set: { b: 1 } } }] }
`
    const guard = '/do/0/each/do/0/guard'
    expect(scope(text, `${guard}/catch/do/0/note/set/b`)?.locals).toEqual(['problem', 'line', 'index'])
    expect(scope(text, `${guard}/try/0/call/set/a`)?.locals).toEqual(['line', 'index'])
    expect(scope(text, '/do/0/each/while')?.locals).toEqual(['line', 'index'])
    expect(scope(text, '/do/0/each/for/in')?.locals).toEqual([])
  })
})

test('a broken document has the scope of what can be read of it', () => {
  expect(steps('do:\n- a: 1\n- 2\n- c: { set: { x: 1 } }\n', '/do/2/c/set/x')).toEqual(['a'])
  expect(scope('do: 3\n', '/do/0/a/set')).toBeUndefined()
  expect(scope('{}', '/nothing/here')).toBeUndefined()
})
