import type { JsonValue } from '@millrace/contract'
import type { JournalEntry } from '@millrace/engine'
import { describe, expect, test } from 'vitest'
import type { InclusionProof } from '#modules/audit/index.ts'
import { digestsOf, erasedEvent, type Recorded, remainsOf } from './remains.ts'

const erasure = { erasureId: '0198c0de-0000-7000-8000-000000000001', at: new Date('2026-03-01T12:00:00Z') }

const execution: Recorded = {
  state: 'completed',
  input: '{"email":"[erased:00000001-1]"}',
  output: '{"n":1}',
  error: undefined,
  reply: undefined,
  decisions: 's0;',
}

const journal: readonly JournalEntry[] = [
  {
    seq: 1,
    position: '/do/0/ask',
    phase: 'ended',
    kind: 'http',
    ok: true,
    value: { status: 200 },
    decisions: '',
    startedAtMs: erasure.at.getTime(),
    endedAtMs: erasure.at.getTime() + 5,
  },
]

/** An event of the audit log, of which only these members are read. */
function proofOf(event: string, details: JsonValue): InclusionProof {
  const entry = {
    id: 'e',
    account: 'a',
    at: '',
    actor: 'system:erasure',
    event,
    target: null,
    requestId: null,
    ip: null,
    details,
    salt: '',
  }
  return { date: '2026-03-01', index: 1, size: 2, path: [], checkpoint: '', entry }
}

const sealed = proofOf(erasedEvent, { erasure: 'era_x', ...digestsOf(execution, journal) })

describe('a record of which data was erased', () => {
  test('is unchanged if its digests are those that the erasure has written', () => {
    expect(remainsOf(erasure, execution, journal, sealed)).toEqual({ ...erasure, remains: 'unchanged', differences: [] })
  })

  test.each<[member: string, changed: Partial<Recorded>]>([
    ['state', { state: 'faulted' }],
    ['input', { input: '{"email":"[erased:00000001-2]"}' }],
    ['output', { output: undefined }],
    ['reply', { reply: '1' }],
    ['error', { error: { type: 'https://e.test/x', status: 400, title: 'X' } }],
    ['decisions', { decisions: 's1;' }],
  ])('is changed if its %s is another one', (member, changed) => {
    const { remains, differences } = remainsOf(erasure, { ...execution, ...changed }, journal, sealed)
    expect([remains, differences]).toEqual(['changed', [member]])
  })

  test('is changed if an entry of its journal is another one, or is gone', () => {
    for (const other of [[], journal.map((entry) => ({ ...entry, value: { status: 404 } }))])
      expect(remainsOf(erasure, execution, other, sealed)).toMatchObject({ remains: 'changed', differences: ['journal'] })
  })

  test.each<[what: string, proof: InclusionProof | undefined]>([
    ['no event', undefined],
    ['another event', proofOf('execution.ended', digestsOf(execution, journal))],
    ['an event whose details a later erasure has erased', proofOf(erasedEvent, {})],
  ])('is unsealed if the log has %s', (_what, proof) => {
    expect(remainsOf(erasure, execution, journal, proof)).toMatchObject({ remains: 'unsealed', differences: [] })
  })
})
