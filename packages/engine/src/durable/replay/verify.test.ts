import { expect, test } from 'vitest'
import { definitionOf } from '#testing/run-definition.ts'
import { verify } from '#testing/walks.ts'

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
