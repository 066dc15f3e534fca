import { describe, expect, test } from 'vitest'
import { headOf } from '#testing/fake-engine.ts'
import { createOutbox } from './outbox.ts'
import type { JournalEntry } from '#durable/ports/journal.ts'

const entry = (seq: number): JournalEntry => ({
  seq,
  position: `/do/${seq}`,
  phase: 'ended',
  kind: 'a',
  ok: true,
  value: null,
  decisions: '',
  startedAtMs: 0,
  endedAtMs: 0,
})

describe('an outbox', () => {
  test('an outbox is dirty from the first change until it is taken', () => {
    const outbox = createOutbox('e', 'account')
    expect(outbox.isDirty).toBe(false)
    outbox.entry(entry(0))
    expect(outbox.isDirty).toBe(true)
    outbox.take()
    expect(outbox.isDirty).toBe(false)
  })

  test('an outbox returns each change once, in one write', () => {
    const outbox = createOutbox('e', 'account')
    const accepted = { head: headOf('e'), startedAtMs: 1 }
    const child = { head: headOf('c'), startedAtMs: undefined }
    outbox.accept(accepted)
    outbox.entry(entry(0))
    outbox.entry(entry(1))
    outbox.child(child)
    outbox.cancel('x')
    outbox.progress({ state: 'pending' })
    expect(outbox.take()).toEqual({
      executionId: 'e',
      accountId: 'account',
      accept: accepted,
      entries: [entry(0), entry(1)],
      children: [child],
      cancels: ['x'],
      waits: undefined,
      events: [],
      reply: undefined,
      progress: { state: 'pending' },
    })
    expect(outbox.take()).toMatchObject({ accept: undefined, entries: [], children: [], cancels: [], progress: undefined })
  })

  test('later changes do not alter a taken write', () => {
    const outbox = createOutbox('e', 'account')
    outbox.entry(entry(0))
    const write = outbox.take()
    outbox.entry(entry(1))
    expect(write.entries).toEqual([entry(0)])
    expect(outbox.isDirty).toBe(true)
  })

  test.each([
    ['an entry', (outbox: ReturnType<typeof createOutbox>) => outbox.entry(entry(0))],
    ['a child', (outbox: ReturnType<typeof createOutbox>) => outbox.child({ head: headOf('c'), startedAtMs: 1 })],
    ['a cancel', (outbox: ReturnType<typeof createOutbox>) => outbox.cancel('c')],
    ['an acceptance', (outbox: ReturnType<typeof createOutbox>) => outbox.accept({ head: headOf('e'), startedAtMs: 1 })],
    ['a progress', (outbox: ReturnType<typeof createOutbox>) => outbox.progress({ state: 'pending' })],
  ])('an outbox counts %s in its version', (_what, put) => {
    const outbox = createOutbox('e', 'account')
    const before = outbox.version
    put(outbox)
    expect(outbox.version).toBe(before + 1)
    outbox.take()
    expect(outbox.version).toBe(before + 1)
  })
})
