import type { Json } from '@millrace/dsl'
import { describe, expect, test } from 'vitest'
import { rehearse } from '#src/rehearse/rehearse.ts'

const head = 'document: { dsl: 1.0.3, namespace: a, name: b, version: 1.0.0 }\n'

function rehearsed(tasks: string, input: Json = {}, pins: Readonly<Record<string, Json>> = {}) {
  let ms = 0
  return rehearse(head + tasks, 'yaml', { input, pins: new Map(Object.entries(pins)), startedAtMs: 0, elapsed: () => ms++ / 100 })
}

describe('a rehearsal', () => {
  test('pure tasks are computed: each has its input and its output, and loops their rounds', () => {
    const found = rehearsed(
      `do:
- price: { set: { total: '\${ .lines | add }' } }
- route: { do: [{ choose: { switch: [{ large: { when: '\${ .total > 5 }', then: large } }, { rest: { then: small } }] } }, { large: { do: [{ mark: { set: { big: true } } }], then: exit } }, { small: { do: [{ none: { set: { big: false } } }], then: exit } }] }
- each: { for: { each: line, in: '\${ $workflow.input.lines }' }, do: [{ one: { set: { twice: '\${ $line * 2 }' } } }] }
`,
      { lines: [1, 2, 3] },
    )
    expect(found?.end).toBe('completed')
    expect(found?.output).toEqual({ twice: 6 })
    expect(found?.steps.get('/do/0/price')).toMatchObject({ input: { lines: [1, 2, 3] }, output: { total: 6 } })
    expect(found?.steps.get('/do/1/route/do/1/large/do/0/mark')?.state).toBe('completed')
    expect(found?.steps.has('/do/1/route/do/2/small')).toBe(false)
    expect(found?.steps.get('/do/2/each/do/0/one')?.rounds).toBe(3)
  })

  test('an effect is never performed: it takes its sample, and without one the rehearsal says which is missing', () => {
    const tasks = `do:
- fetch: { call: http, with: { method: get, endpoint: https://example.com } }
- read: { set: { name: '\${ .name }' } }
`
    expect(rehearsed(tasks)).toMatchObject({ end: 'missing', missing: ['/do/0/fetch'] })
    expect(rehearsed(tasks, {}, { '/do/0/fetch': { name: 'Ada' } })?.output).toEqual({ name: 'Ada' })
  })

  test('waits pass at once, approvals are given, events are sent nowhere', () => {
    const found = rehearsed(`do:
- pause: { wait: { days: 3 } }
- ask: { call: approve, with: { title: Really?, approvers: [{ role: admin }] }, timeout: { after: P1D } }
- report: { if: '\${ .approved }', emit: { event: { with: { source: https://example.com, type: com.example.done } } } }
`)
    expect(found?.end).toBe('completed')
    expect(found?.steps.get('/do/2/report')?.state).toBe('completed')
  })

  test('a fault is on the task that raised it', () => {
    const found = rehearsed("do:\n- divide: { set: { x: '${ 1 / 0 }' } }\n")
    expect(found?.end).toBe('faulted')
    expect(found?.steps.get('/do/0/divide')?.error?.status).toBe(400)
  })

  test('an input that does not fit the schema is no fault of the flow: no step begins until a sample fits', () => {
    const tasks = `input: { schema: { document: { type: object, required: [name] } } }
do: [{ greet: { set: { text: '\${ "Hello " + .name }' } } }]
`
    expect(rehearsed(tasks)).toMatchObject({ end: 'unfit', steps: new Map() })
    expect(rehearsed(tasks, { name: 'Ada' })).toMatchObject({ end: 'completed', output: { text: 'Hello Ada' } })
  })

  test('a flow without end is stopped', () => {
    expect(rehearsed('do:\n- again: { set: { x: 1 }, then: again }\n')?.end).toBe('long')
  })

  test('a definition that is not valid is not rehearsed', () => {
    expect(rehearsed('do:\n- a: { wiat: PT1S }\n')).toBeUndefined()
  })
})
