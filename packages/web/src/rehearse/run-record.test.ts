import { describe, expect, test } from 'vitest'
import { previewRetry, type RunRecord, walkRecord } from '#src/rehearse/run-record.ts'

const at = '2026-11-23T10:00:00.000Z'
const error = {
  type: 'https://open-workflow-specification.org/spec/1.0.0/errors/communication',
  status: 402,
  title: 'Payment required',
}

const entry = (seq: number, name: string, kind: string, more: Partial<RunRecord['journal'][number]> = {}) => ({
  seq,
  position: `/do/${seq}/${name}`,
  phase: 'ended' as const,
  kind,
  ok: true,
  value: null,
  decisions: '',
  startedAt: at,
  endedAt: at,
  ...more,
})

const call = { call: 'http', with: { method: 'get', endpoint: 'http://shop.example/' } }

function record(more: Partial<RunRecord> = {}): RunRecord {
  return {
    executionId: 'exec_01h455vb4pex5vsknk084sn02q',
    state: 'faulted',
    workflowVersion: 1,
    startedAt: at,
    input: { total: 5 },
    error,
    decisions: '',
    definition: {
      document: { dsl: '1.0.3', namespace: 'test', name: 'pays', version: '1.0.0' },
      do: [{ fetch: call }, { rest: { wait: { seconds: 1 } } }, { pay: call }, { notify: { set: { done: true } } }],
    },
    functions: [],
    resources: {},
    journal: [
      entry(0, 'fetch', 'http', { value: { order: 7 } }),
      entry(1, 'rest', 'timer'),
      entry(2, 'pay', 'http', { ok: false, value: error }),
    ],
    ...more,
  }
}

describe('the record of a run', () => {
  test('gives the recorded end when it is walked again, and a difference when it was changed', async () => {
    const own = record({ error: { ...error, instance: '/do/2/pay' } })
    expect(await walkRecord(own, '')).toMatchObject({ kind: 'same', entries: 3 })
    expect(await walkRecord({ ...own, state: 'completed', error: undefined, output: 1 }, '')).toMatchObject({ kind: 'different' })
  })

  test('of a definition with secrets is not walked here', async () => {
    const { definition } = record()
    expect(await walkRecord(record({ definition: { ...Object(definition), use: { secrets: ['key'] } } }), '')).toEqual({ kind: 'secret' })
  })

  test('shows what a retry takes over and what it runs first', async () => {
    const { taken, first, again, end } = await previewRetry(record(), { input: { total: 5 }, version: '' })
    expect([...taken]).toEqual([
      ['fetch', 1],
      ['rest', 1],
    ])
    expect(first.map(({ name }) => name)).toEqual(['pay'])
    expect([[...again], end]).toEqual([[], undefined])
  })

  test('shows what was done and is done again, because the version has it in another place', async () => {
    const definition = { ...Object(record().definition), do: [{ all: { do: [{ fetch: call }, { pay: call }] } }] }
    const { taken, again } = await previewRetry(record(), { input: {}, definition, version: '' })
    expect([[...taken], [...again]]).toEqual([
      [],
      [
        ['fetch', 1],
        ['rest', 1],
      ],
    ])
  })

  test('shows that a retry in another version completes without a call', async () => {
    const definition = { ...Object(record().definition), do: [{ fetch: call }, { pay: { set: { paid: true } } }] }
    const { taken, first, end } = await previewRetry(record(), { input: {}, definition, version: '' })
    expect([...taken.keys()]).toEqual(['fetch'])
    expect(first).toEqual([])
    expect(end).toBe('completes')
  })

  test('shows that the schema refuses another input, before anything is called', async () => {
    const schema = { type: 'object', required: ['total'], properties: { total: { type: 'number' } } }
    const definition = { ...Object(record().definition), input: { schema: { document: schema } } }
    const { end, taken } = await previewRetry(record(), { input: { total: 'five' }, definition, version: '' })
    expect(end).toEqual({ unfit: expect.stringContaining('/total: must be a number, but is a string') })
    expect(taken.size).toBe(0)
    expect((await previewRetry(record(), { input: { total: 6 }, definition, version: '' })).end).toBeUndefined()
  })

  test('shows that a retry fails again before anything is called', async () => {
    const definition = { ...Object(record().definition), do: [{ check: { set: { x: '${ 1 / .total }' } } }, { fetch: call }] }
    const { end } = await previewRetry(record(), { input: { total: 0 }, definition, version: '' })
    expect(end).toMatchObject({ name: 'check' })
  })
})
