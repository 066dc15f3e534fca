import { describe, expect, test } from 'vitest'
import { importWorkflow } from '#src/import/index.ts'
import { exportOf, node } from '#src/testing/n8n-export.ts'
import { validateDefinition } from '#src/validate/validate-definition.ts'

type Edge = readonly [string, number, string, number?]

/** The tasks of an export, and what validation says of them. */
function written(nodes: readonly ReturnType<typeof node>[], edges: readonly Edge[]) {
  const { definition } = importWorkflow(exportOf(nodes, edges))
  const { diagnostics } = validateDefinition(JSON.stringify(definition))
  return {
    list: Object(definition).do,
    text: JSON.stringify(Object(definition).do),
    codes: diagnostics.filter(({ message }) => !message.includes('"respond"')).map(({ code }) => code),
  }
}

/** The names of the tasks of a list with what kind of task each is. */
function outline(list: readonly object[]): readonly string[] {
  return list.flatMap((entry) =>
    Object.entries(entry).map(
      ([name, task]) => `${name} ${['switch', 'for', 'do', 'call', 'raise', 'run', 'set'].find((kind) => kind in task)}`,
    ),
  )
}

const hook = node('Hook', 'webhook')
const request = node('Get', 'httpRequest', { url: 'https://x.example' })
const choice = node('If', 'if', {
  conditions: {
    options: { typeValidation: 'strict' },
    conditions: [{ leftValue: '={{ $json.n }}', rightValue: 1, operator: { type: 'number', operation: 'gt' } }],
  },
})
const set = (name: string, value = '={{ $json.n }}') =>
  node(name, 'set', { assignments: { assignments: [{ name: 'n', type: 'number', value }] } })

describe('one item flows', () => {
  test('behind a webhook, so that a request is one task without a loop', () => {
    const { list, codes } = written(
      [hook, set('Set'), request],
      [
        ['Hook', 0, 'Set'],
        ['Set', 0, 'Get'],
      ],
    )
    expect(outline(list)).toEqual(['hook set', 'set set', 'get call'])
    expect(list.map((entry: object) => Object.values(entry)[0]).filter((task: object) => 'input' in task || 'export' in task)).toEqual([])
    expect(codes).toEqual([])
  })

  test.each(['manualTrigger', 'scheduleTrigger', 'formTrigger', 'errorTrigger', 'chatTrigger'])('behind a %s', (type) => {
    const { list } = written(
      [node('Go', type), choice, set('A')],
      [
        ['Go', 0, 'If'],
        ['If', 0, 'A'],
      ],
    )
    expect(outline(list)[1]).toBe('if do')
  })

  test('not behind a request, a start by other workflows, or a trigger that asks a service', () => {
    for (const nodes of [
      [hook, request],
      [node('Go', 'executeWorkflowTrigger'), set('Get')],
      [node('Go', 'gmailTrigger'), set('Get')],
    ]) {
      const [first] = nodes
      const { list } = written(
        [...nodes, choice, set('A')],
        [
          [first?.name ?? '', 0, 'Get'],
          ['Get', 0, 'If'],
          ['If', 0, 'A'],
        ],
      )
      expect(outline(list)).toContain('if set')
    }
  })

  test('again behind an aggregation of a list', () => {
    const all = node('All', 'aggregate', { aggregate: 'aggregateAllItemData' })
    const { list } = written(
      [hook, request, all, choice, set('A')],
      [
        ['Hook', 0, 'Get'],
        ['Get', 0, 'All'],
        ['All', 0, 'If'],
        ['If', 0, 'A'],
      ],
    )
    expect(outline(list)).toEqual(['hook set', 'get call', 'all set', 'if do'])
  })

  test('to each of several steps behind one, which follow each other', () => {
    const { list, text } = written(
      [hook, set('A'), set('B')],
      [
        ['Hook', 0, 'A'],
        ['Hook', 0, 'B'],
      ],
    )
    expect(outline(list)).toEqual(['hook set', 'a set', 'b set'])
    expect(text).toContain('"input":{"from":"${ $steps.hook }"}')
  })

  test('behind both ways of a branch, also where the other way fails', () => {
    const stop = node('Stop', 'stopAndError', { errorMessage: 'No' })
    const { list, codes } = written(
      [hook, choice, set('A'), stop, set('B')],
      [
        ['Hook', 0, 'If'],
        ['If', 0, 'A'],
        ['If', 1, 'Stop'],
        ['A', 0, 'B'],
      ],
    )
    expect(outline(list)).toEqual(['hook set', 'if do'])
    expect(outline(list[1].if.do[2].false.do)).toEqual(['stop raise'])
    expect(codes).toEqual([])
  })

  test('not behind a step that both a branch and another step lead to', () => {
    const { list } = written(
      [hook, choice, set('A'), set('B'), set('Both')],
      [
        ['Hook', 0, 'If'],
        ['Hook', 0, 'B'],
        ['If', 0, 'A'],
        ['A', 0, 'Both'],
        ['B', 0, 'Both'],
      ],
    )
    const both = list.at(-1).both
    expect(both.input.from).toBe('${ [[$context.a // empty][], [$steps.b][]] }')
    expect(both.set).toMatch(/^\$\{ map\(/)
  })
})

test('a step without counterpart in the middle leaves the steps behind it in reach', () => {
  const { list, codes } = written(
    [hook, node('Odd', 'unheardOf'), set('A')],
    [
      ['Hook', 0, 'Odd'],
      ['Odd', 0, 'A'],
    ],
  )
  expect(outline(list)).toEqual(['hook set', 'odd for', 'a set'])
  expect(codes).toEqual([])
})

test('only what a task reads from a way of another one is kept in the context', () => {
  const { list } = written(
    [hook, choice, set('A'), set('B'), set('C', "={{ $('A').item.json.n }}"), set('D')],
    [
      ['Hook', 0, 'If'],
      ['If', 0, 'A'],
      ['If', 1, 'B'],
      ['A', 0, 'C'],
      ['B', 0, 'C'],
      ['C', 0, 'D'],
    ],
  )
  const [first, branch, last] = list
  expect(first.hook.export.as).toBe('${ {} }')
  expect(branch.if.do[1].true.do[0].a.export.as).toBe('${ $context + {"a": .} }')
  expect(branch.if.do[2].false.do[0].b).not.toHaveProperty('export')
  expect(last.c.set).toContain('$context.a.n')
})

test('branches that nest too deeply become lists', () => {
  const ifs = Array.from({ length: 40 }, (_, n) => ({ ...choice, id: `If${n}`, name: `If${n}` }))
  const edges = ifs.slice(1).map(({ name }, n) => [`If${n}`, 0, name] as const)
  const { text, codes } = written([hook, ...ifs], [['Hook', 0, 'If0'], ...edges])
  expect(text).not.toContain('"switch"')
  expect(text).toContain('map(select(.n > 1))')
  expect(codes).toEqual([])
})

test('a Switch that leads by every rule has a list for each output', () => {
  const rule = (value: number, operation: string) => ({
    conditions: {
      options: { typeValidation: 'strict' },
      conditions: [{ leftValue: '={{ $json.n }}', rightValue: value, operator: { type: 'number', operation } }],
    },
  })
  const all = node('Way', 'switch', {
    rules: { values: [rule(1, 'gt'), rule(5, 'gt')] },
    options: { allMatchingOutputs: true, fallbackOutput: 'extra' },
  })
  const { list } = written(
    [hook, all, set('A')],
    [
      ['Hook', 0, 'Way'],
      ['Way', 0, 'A'],
    ],
  )
  expect(list[1].way.input).toEqual({ from: '${ [.] }' })
  expect(list[1].way.set).toEqual({
    'output-0': '${ map(select(.n > 1)) }',
    'output-1': '${ map(select(.n > 5)) }',
    fallback: '${ map(select((.n > 1 | not) and (.n > 5 | not))) }',
  })
})

test('a Switch by an expression compares it with the number of each output', () => {
  const by = node('Way', 'switch', { mode: 'expression', numberOutputs: 2, output: '={{ $json.n }}' })
  const { list } = written(
    [hook, by, set('A')],
    [
      ['Hook', 0, 'Way'],
      ['Way', 1, 'A'],
    ],
  )
  expect(list[1].way.do[0]['way-choose'].switch).toEqual([
    { 'output-0': { when: '${ .n == 0 }', then: 'exit' } },
    { 'output-1': { when: '${ .n == 1 }', then: 'output-1' } },
    { otherwise: { then: 'exit' } },
  ])
})

test('values are assigned in the type that the node names, constants as such', () => {
  const value = (name: string, type: string, given: unknown) => ({ name, type, value: given })
  const typed = node('Set', 'set', {
    assignments: {
      assignments: [
        value('a', 'number', '5'),
        value('b', 'boolean', true),
        value('c', 'array', '[1, 2]'),
        value('d', 'string', 'x'),
        value('e', 'number', '={{ $json.n }}'),
      ],
    },
    includeOtherFields: true,
  })
  const { list } = written([hook, typed], [['Hook', 0, 'Set']])
  expect(list[1].set.set).toBe('${ . + {a: 5, b: true, c: [1,2], d: "x", e: (.n | tonumber? // null)} }')
})

test('a sheet that was chosen from a list is named by its title', () => {
  const sheets = node('Sheets', 'googleSheets', {
    operation: 'append',
    documentId: { __rl: true, value: 'abc', mode: 'list' },
    sheetName: { __rl: true, value: 'gid=0', mode: 'list', cachedResultName: 'May 2026' },
  })
  const { text } = written([hook, sheets], [['Hook', 0, 'Sheets']])
  expect(text).toContain('/spreadsheets/abc/values/May%202026')
})
