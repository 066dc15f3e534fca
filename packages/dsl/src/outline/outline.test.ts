import { describeConformance } from '@millrace/jq/testing/conformance.ts'
import * as fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { canonicalJson, canonicalYaml } from '#src/canonical/canonical.ts'
import { catalog } from '#src/testing/catalog.ts'
import { definitions } from '#src/testing/arbitrary-definition.ts'
import { parseDefinition } from '#src/parse/parse-definition.ts'
import { eachTask } from '#src/tasks/each-task.ts'
import { validateDefinition } from '#src/validate/validate-definition.ts'
import { type Outline, type OutlineEntry, type OutlineList, outlineOf } from './index.ts'

const order = `# An order.
document: { dsl: '1.0.3', namespace: shop, name: order, version: '1.0.0' }
do:
  # Reads the order.
  # From the shop.
  - fetch:
      call: http   # one request
      with:
        method: get
        endpoint: https://shop.example/orders/{id}

  - route:
      switch:
        - big: { when: .total > 1000, then: ask }
        - small: { then: pay }
  - ask:
      if: .total > 0
      try:
        - charge: { set: { a: 1 } }
      catch:
        retry: { limit: { attempt: { count: 3 } } }
        do:
          - note: { set: { b: 1 } }
  - pay:
      metadata: { note: Pays }
      timeout: { after: PT1S }
      wait: PT1S
`

function entriesOf(outline: Outline): OutlineEntry[] {
  const lists: OutlineList[] = [outline.main, ...outline.extensions]
  return [...lists.flatMap(({ entries }) => entries), ...outline.functions].flatMap(below)
}

function below(entry: OutlineEntry): OutlineEntry[] {
  return [entry, ...entry.slots.flatMap(({ entries }) => entries).flatMap(below)]
}

describe('the outline of a definition', () => {
  const outline = outlineOf(order, 'yaml')

  test('names kinds, lists, cases, badges and comments', () => {
    expect(entriesOf(outline).map(({ path, kind }) => [path, kind])).toEqual([
      ['/do/fetch', 'call'],
      ['/do/route', 'switch'],
      ['/do/ask', 'try'],
      ['/do/ask/try/charge', 'set'],
      ['/do/ask/catch/do/note', 'set'],
      ['/do/pay', 'wait'],
    ])
    const [fetch, route, ask, pay] = outline.main.entries
    expect(fetch?.comment).toBe('Reads the order.\nFrom the shop.')
    expect(route?.directives.map(({ label, target }) => [label, target])).toEqual([
      ['big', 'ask'],
      ['small', 'pay'],
    ])
    expect(ask?.badges).toEqual(['if', 'retry'])
    expect(pay?.badges).toEqual(['timeout', 'note'])
    expect(ask?.data).toEqual({ if: '.total > 0', catch: { retry: { limit: { attempt: { count: 3 } } } } })
  })

  test('places lead to the text and to the JSON Pointer of each task', () => {
    const place = outline.places.get('/do/ask/catch/do/note')
    expect(place).toMatchObject({ pointer: '/do/2/ask/catch/do/0/note', list: '/do/2/ask/catch/do', index: 0 })
    expect(order.slice(place?.start, place?.end)).toBe('- note: { set: { b: 1 } }')
    expect(order.slice(place?.nameStart, place?.nameEnd)).toBe('note')
  })
})

test('a text that does not validate, or that is being typed, still has an outline', () => {
  const outline = outlineOf('do:\n  - a:\n      cal: x\n  - b:\n  - \n  - a: { set: 1 }\n  - text\n', 'yaml')
  expect(outline.main.entries.map(({ path, kind }) => [path, kind])).toEqual([
    ['/do/a', 'unknown'],
    ['/do/b', 'unknown'],
    ['/do/', 'unknown'],
    ['/do/a#2', 'set'],
    ['/do/#2', 'unknown'],
  ])
  expect(outlineOf('', 'yaml').main.entries).toEqual([])
  const broken = outlineOf('do:\n  - a: { set: { x: 1 } }\n  - b: { set: "x\n', 'yaml')
  expect(broken.brokenAt).toBeGreaterThan(20)
  expect(broken.main.entries[0]?.kind).toBe('set')
  expect(outlineOf('{"do": [{"a": {"set": {}}}, {"b": }', 'json').main.entries[0]?.path).toBe('/do/a')
})

test('an aliased value of any size is not expanded', () => {
  const bomb = `a: &a [1, 2]\n${Array.from({ length: 30 }, (_, n) => `b${n}: &b${n} [${n === 0 ? '*a, *a' : `*b${n - 1}, *b${n - 1}`}]`).join('\n')}\ndo:\n  - x: { set: *b29 }\n`
  expect(JSON.stringify(outlineOf(bomb, 'yaml').main).length).toBeLessThan(1000)
})

describe('two outlines', () => {
  test('share every task that did not change, also when it moved', () => {
    const first = outlineOf(order, 'yaml')
    const text = order.replace('PT1S\n', 'PT2S\n')
    const second = outlineOf(text, 'yaml', { text: order, syntax: 'yaml', outline: first })
    expect(second.main.entries.map((entry, index) => entry === first.main.entries[index])).toEqual([true, true, true, false])
    const moved = text.replace('do:\n', 'do:\n  - first: { set: { x: 1 } }\n')
    const third = outlineOf(moved, 'yaml', { text, syntax: 'yaml', outline: second })
    expect(third.main.entries.slice(1).map((entry, index) => entry === second.main.entries[index])).toEqual([true, true, true, true])
    const commented = moved.replace('do:\n', '# about the list\ndo:\n')
    expect(outlineOf(commented, 'yaml', { text: moved, syntax: 'yaml', outline: third }).main).toBe(third.main)
  })

  test('a changed task in a block shares the rest of it', () => {
    const first = outlineOf(order, 'yaml')
    const text = order.replace('b: 1', 'b: 22')
    const second = outlineOf(text, 'yaml', { text: order, syntax: 'yaml', outline: first })
    const [before, after] = [first.main.entries[2], second.main.entries[2]]
    expect(after).not.toBe(before)
    expect(after?.slots[0]).toBe(before?.slots[0])
    expect(after?.slots[1]?.entries[0]?.data).toEqual({ set: { b: 22 } })
  })

  test('after any change the outline is that of the text alone', () => {
    const pieces = [
      'x',
      ' ',
      '\n',
      '#',
      '# c\n',
      "'",
      '"',
      ':',
      ': ',
      '- ',
      '{',
      '}',
      '[',
      ',',
      '&a',
      '*a',
      '---\n',
      '  - new:\n      set: 1\n',
      '|',
      '\t',
    ]
    fc.assert(
      fc.property(
        fc.constantFrom(order, `${order}  # end\n`),
        fc.array(
          fc.record({ at: fc.nat(order.length), drop: fc.constantFrom(0, 0, 1, 2, 7, 40), insert: fc.constantFrom('', ...pieces) }),
          {
            minLength: 1,
            maxLength: 4,
          },
        ),
        (start, changes) => {
          let text: string = start
          let outline = outlineOf(text, 'yaml')
          for (const { at, drop, insert } of changes) {
            const next = text.slice(0, at) + insert + text.slice(at + drop)
            outline = outlineOf(next, 'yaml', { text, syntax: 'yaml', outline })
            text = next
            const alone = outlineOf(text, 'yaml')
            expect({ ...outline, places: Object.fromEntries(outline.places) }).toEqual({
              ...alone,
              places: Object.fromEntries(alone.places),
            })
          }
        },
      ),
      { numRuns: inject('deep') ? 500 : 125 },
    )
  })
})

describe('every task of a valid definition is in its outline', () => {
  /** The tasks of the outline and those of the definition, each with its kind, and the places that do not contain their task. */
  function compared(text: string) {
    const parsed = parseDefinition(text)
    const { definition } = validateDefinition(parsed, { functions: catalog('approve:1.0.0') })
    if (definition === undefined) throw new Error('The definition is invalid.')
    const outline = outlineOf(text, parsed.format)
    const expected = [...eachTask(definition)].map(({ pointer, kind }) => `${pointer} ${kind}`)
    const found = entriesOf(outline).map(({ path, kind }) => `${outline.places.get(path)?.pointer} ${kind}`)
    const misplaced = [...outline.places.values()].filter(({ pointer, start, end }) => {
      const { positions } = parsed
      return !((positions.key(pointer)?.start.offset ?? -1) >= start && (positions.value(pointer)?.start.offset ?? end + 1) <= end)
    })
    return { expected: expected.toSorted(), found: found.toSorted(), misplaced }
  }

  test('generated, in YAML and JSON', () => {
    fc.assert(
      fc.property(definitions, (definition) => {
        for (const text of [canonicalYaml(definition), canonicalJson(definition)]) {
          const { expected, found, misplaced } = compared(text)
          expect(found).toEqual(expected)
          expect(misplaced).toEqual([])
        }
      }),
      { numRuns: inject('deep') ? 60 : 20 },
    )
  })

  describeConformance('the official examples', (data) => {
    test.each(data.list('ows/examples', '.yaml'))('%s', (name) => {
      const { expected, found, misplaced } = compared(data.read(`ows/examples/${name}`))
      expect(found).toEqual(expected)
      expect(misplaced).toEqual([])
    })
  })
})
