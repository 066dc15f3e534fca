import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { definitions } from '#src/testing/arbitrary-definition.ts'
import { validateDefinition } from '#src/validate/validate-definition.ts'
import { type Graph, graphOf } from './graph-of.ts'

function graph(text: string): Graph {
  const { definition, diagnostics } = validateDefinition(`document: { dsl: 1.0.3, namespace: x, name: x, version: 1.0.0 }\n${text}`)
  if (definition === undefined) throw new Error(JSON.stringify(diagnostics))
  return graphOf(definition)
}

function edges(text: string): string[] {
  return graph(text).edges.map(({ from, to, kind, label }) => `${from} ${kind}${label === undefined ? '' : `(${label})`} ${to}`)
}

describe('nodes', () => {
  test('every task is a node with its reference, its kind, its list and its parent', () => {
    const { nodes } = graph(`
do:
  - first: { set: { x: 1 } }
  - loop: { for: { in: .x }, do: [ inner: { wait: PT1S } ] }
`)
    expect(nodes).toEqual([
      { reference: '/do/0/first', name: 'first', kind: 'set', list: '/do', index: 0 },
      { reference: '/do/1/loop', name: 'loop', kind: 'for', list: '/do', index: 1 },
      { reference: '/do/1/loop/do/0/inner', name: 'inner', kind: 'wait', list: '/do/1/loop/do', index: 0, parent: '/do/1/loop' },
    ])
  })

  test('names in references are escaped as in JSON Pointers', () => {
    expect(graph('do: [ "a/b~c": { set: { x: 1 } } ]').nodes[0]?.reference).toBe('/do/0/a~1b~0c')
  })

  test('tasks of every list inside a task are nodes', () => {
    const { nodes } = graph(`
do:
  - a: { do: [ b: { set: { x: 1 } } ] }
  - c: { fork: { branches: [ d: { set: { x: 1 } }, e: { set: { x: 1 } } ] } }
  - f: { try: [ g: { set: { x: 1 } } ], catch: { do: [ h: { set: { x: 1 } } ] } }
  - i: { listen: { to: { any: [] } }, foreach: { do: [ j: { set: { x: 1 } } ] } }
  - k:
      call: asyncapi
      with:
        document: { endpoint: https://a.b }
        operation: o
        subscription: { consume: { amount: 1 }, foreach: { do: [ l: { set: { x: 1 } } ] } }
`)
    expect(nodes.map(({ reference }) => reference)).toEqual([
      '/do/0/a',
      '/do/0/a/do/0/b',
      '/do/1/c',
      '/do/1/c/fork/branches/0/d',
      '/do/1/c/fork/branches/1/e',
      '/do/2/f',
      '/do/2/f/try/0/g',
      '/do/2/f/catch/do/0/h',
      '/do/3/i',
      '/do/3/i/foreach/do/0/j',
      '/do/4/k',
      '/do/4/k/with/subscription/foreach/do/0/l',
    ])
  })

  test('the references are those of the document: each leads to its task', () => {
    fc.assert(
      fc.property(definitions, (document) => {
        const text = JSON.stringify(document)
        const { definition } = validateDefinition(text, { functions: [{ name: 'approve', version: '1.0.0' }] })
        if (definition === undefined) throw new Error('The generated definition is not valid.')
        for (const { reference, name } of graphOf(definition).nodes) {
          const keys = reference.slice(1).split('/')
          const found = keys.reduce<unknown>(
            (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
            document,
          )
          expect(found).toBeTypeOf('object')
          expect(keys.at(-1)).toBe(name)
        }
      }),
      { numRuns: 30, endOnFailure: true },
    )
  })
})

describe('edges', () => {
  const cases: readonly (readonly [name: string, text: string, expected: readonly string[]])[] = [
    [
      'tasks follow each other, the last one ends the list',
      'do: [ a: { set: { x: 1 } }, b: { set: { x: 1 } } ]',
      ['/do/0/a next /do/1/b', '/do/1/b next exit:/do'],
    ],
    [
      'then leads to a task',
      'do: [ a: { set: { x: 1 }, then: c }, b: { set: { x: 1 } }, c: { set: { x: 1 }, then: b } ]',
      ['/do/0/a then /do/2/c', '/do/1/b next /do/2/c', '/do/2/c then /do/1/b'],
    ],
    [
      'end, exit and continue',
      'do: [ a: { set: { x: 1 }, then: continue }, b: { if: .x, set: { x: 1 }, then: exit }, c: { set: { x: 1 }, then: end } ]',
      ['/do/0/a then /do/1/b', '/do/1/b then exit:/do', '/do/1/b next /do/2/c', '/do/2/c then end'],
    ],
    [
      'cases of a switch',
      'do: [ a: { switch: [ x: { when: .x, then: b }, y: { then: end } ] }, b: { set: { x: 1 } } ]',
      ['/do/0/a case(x) /do/1/b', '/do/0/a case(y) end', '/do/1/b next exit:/do'],
    ],
    [
      'a switch without a default continues',
      'do: [ a: { switch: [ x: { when: .x, then: end } ] } ]',
      ['/do/0/a case(x) end', '/do/0/a next exit:/do'],
    ],
    ['the then of a switch with a default is no way', 'do: [ a: { switch: [ x: { then: end } ], then: exit } ]', ['/do/0/a case(x) end']],
    ['an error that is raised leads nowhere', 'do: [ a: { raise: { error: { type: https://a.b, status: 400 } } } ]', []],
    [
      'a list is entered',
      'do: [ a: { do: [ b: { set: { x: 1 }, then: exit } ] } ]',
      ['/do/0/a next exit:/do', '/do/0/a enter(do) /do/0/a/do/0/b', '/do/0/a/do/0/b then exit:/do/0/a/do'],
    ],
    ['an empty list is not', 'do: [ a: { do: [] } ]', ['/do/0/a next exit:/do']],
    [
      'branches are entered side by side and do not follow each other',
      'do: [ a: { fork: { branches: [ b: { set: { x: 1 } }, c: { set: { x: 1 }, then: end } ] } } ]',
      [
        '/do/0/a next exit:/do',
        '/do/0/a enter(b) /do/0/a/fork/branches/0/b',
        '/do/0/a enter(c) /do/0/a/fork/branches/1/c',
        '/do/0/a/fork/branches/0/b next exit:/do/0/a/fork/branches',
        '/do/0/a/fork/branches/1/c then end',
      ],
    ],
    [
      'a catch has its tasks and its way on',
      'do: [ a: { try: [ b: { set: { x: 1 } } ], catch: { do: [ c: { set: { x: 1 } } ], then: end } } ]',
      [
        '/do/0/a catch end',
        '/do/0/a next exit:/do',
        '/do/0/a enter(try) /do/0/a/try/0/b',
        '/do/0/a/try/0/b next exit:/do/0/a/try',
        '/do/0/a enter(catch.do) /do/0/a/catch/do/0/c',
        '/do/0/a/catch/do/0/c next exit:/do/0/a/catch/do',
      ],
    ],
  ]
  test.each(cases)('%s', (_, text, expected) => {
    expect(edges(text)).toEqual(expected)
  })

  test('every edge of any definition leads from a node to a node, to the end of a list or to the end', () => {
    fc.assert(
      fc.property(definitions, (document) => {
        const { definition } = validateDefinition(JSON.stringify(document), { functions: [{ name: 'approve', version: '1.0.0' }] })
        if (definition === undefined) throw new Error('The generated definition is not valid.')
        const { nodes, edges: found } = graphOf(definition)
        const references = new Set(nodes.map(({ reference }) => reference))
        const lists = new Set(nodes.map(({ list }) => list))
        for (const { from, to } of found) {
          expect(references.has(from)).toBe(true)
          expect(to === 'end' || references.has(to) || lists.has(to.replace(/^exit:/, ''))).toBe(true)
        }
      }),
      { numRuns: 30, endOnFailure: true },
    )
  })
})
