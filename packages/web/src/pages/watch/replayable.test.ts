import { expect, test } from 'vitest'
import { replayable } from '#src/pages/watch/replayable.ts'

const waiting = { replayedAt: null }
const replayed = { replayedAt: '2026-01-01T00:00:00Z' }

test('all is what the page shows: with a kind chosen, nothing of another kind is replayed', () => {
  expect(replayable([waiting, waiting], 'event_delivery')).toEqual({ filter: { kind: 'event_delivery' } })
  expect(replayable([waiting, waiting], undefined)).toEqual({ filter: {} })
  expect(replayable([waiting, waiting], 'unknown')).toEqual({ filter: {} })
})

test('what was replayed is not offered again', () => {
  expect(replayable([replayed, replayed, waiting], undefined)).toBeUndefined()
  expect(replayable([waiting], undefined)).toBeUndefined()
})
