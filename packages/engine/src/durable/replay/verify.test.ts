import { describe, expect, test } from 'vitest'
import { definitionOf } from '#testing/run-definition.ts'
import { timelineOf, verify } from '#testing/walks.ts'

test('a message whose event was taken out of the journal is a difference', () => {
  const times = { startedAtMs: 0, endedAtMs: 0 }
  const entry = { ok: true, decisions: '', ...times } as const
  const verdict = verify({
    id: 'e',
    input: {},
    secrets: {},
    runtime: {},
    startedAtMs: 0,
    workflow: definitionOf('do: [{ a: { listen: { to: { one: { with: { type: t } } } } } }]'),
    state: 'completed',
    output: [],
    error: undefined,
    decisions: '',
    entries: [
      { ...entry, seq: 0, position: '/do/0/a', phase: 'started', kind: 'wait', value: 'events' },
      { ...entry, seq: 1, position: '/do/0/a/event/0', phase: 'ended', kind: 'message', value: { n: -1 } },
    ],
  })
  expect(verdict.difference).toMatchObject({ part: 'journal', detail: expect.stringContaining('/do/0/a/event/0') })
})

describe('of an execution in which data of a person was erased', () => {
  const times = { startedAtMs: 0, endedAtMs: 5 }
  const mark = '[erased:4f2a91c0-1]'
  const entry = { ok: true, decisions: '', ...times, seq: 0, position: '/do/0/ask', phase: 'ended', kind: 'http', value: { n: 1 } } as const
  const record = {
    id: 'e',
    input: { email: mark, age: mark },
    secrets: {},
    runtime: {},
    startedAtMs: 0,
    workflow: definitionOf(`
      input: { schema: { document: { type: object, properties: { email: { type: string, format: email } } } } }
      do:
        - ask: { call: http, with: { method: get, endpoint: 'http://a' } }
        - old: { if: '($workflow.input.age | tonumber) > 17', set: { adult: true } }
        - end: { set: { n: 1, to: '\${ $workflow.input.email }' } }`),
    state: 'completed',
    output: { n: 1, to: mark },
    error: undefined,
    decisions: 'i0;',
    entries: [entry],
  } as const

  test('marks that fit no format or are no number are no difference, and a changed record is one', () => {
    const decisions = walkedDecisions(record)
    expect(verify({ ...record, decisions })).toMatchObject({ difference: { part: 'journal' } })
    expect(verify({ ...record, decisions, isErased: true }).difference).toBeUndefined()
    expect(verify({ ...record, decisions, isErased: true, output: { n: 2, to: mark } })).toMatchObject({ difference: expect.anything() })
    expect(verify({ ...record, decisions, isErased: true, entries: [] })).toMatchObject({ difference: expect.anything() })
    expect(verify({ ...record, decisions, isErased: true, input: { email: mark, age: '17' } }).difference).toBeUndefined()
  })

  test('its own failure is not forgiven', () => {
    const failed = { ...record, state: 'faulted', output: undefined, entries: [], decisions: '' } as const
    const { difference } = verify({ ...failed, error: { type: 'a', status: 400, title: 'b', instance: '/input' }, isErased: true })
    expect(difference).toMatchObject({ part: 'error', walked: { title: 'Validation error' } })
  })

  test('its timeline has the outcomes of the journal that the walk does not reach', () => {
    const workflow = definitionOf(`
      do:
        - way: { switch: [{ adult: { when: '($workflow.input.age | tonumber) > 17', then: pay } }, { other: { then: end } }] }
        - pay: { call: http, with: { method: get, endpoint: 'http://a' } }`)
    const source = { id: 'e', input: { age: mark }, startedAtMs: 0, entries: [{ ...entry, position: '/do/1/pay', decisions: 's0;' }] }
    const states = (erased?: { readonly isCompleted: boolean }) =>
      timelineOf(workflow, { ...source, erased }, true).map(({ name, state, endedAtMs }) => ({ name, state, endedAtMs }))
    expect(states({ isCompleted: true })).toContainEqual({ name: 'pay', state: 'completed', endedAtMs: 5 })
    expect(states()).not.toContainEqual(expect.objectContaining({ name: 'pay' }))
  })
})

/** What the walk of the erased record decides after its last entry. */
function walkedDecisions(record: Parameters<typeof verify>[0]): string {
  const { difference } = verify({
    ...record,
    isErased: true,
    input: { email: 'a@example.com', age: '1' },
    output: { n: 1, to: 'a@example.com' },
    decisions: '?',
  })
  const walked = difference?.walked
  if (typeof walked !== 'string') throw new Error('the walk ends before its decisions')
  return walked
}
