import { describe, expect, test } from 'vitest'
import type { TaskBody } from '#core/node.ts'
import { settled } from '#testing/manual-journal.ts'
import { call, fork, node, runWorkflow, set, wait, workflowOf } from '#testing/nodes.ts'
import { startTestRun, type TestRun } from '#testing/start-test-run.ts'
import type { JournalEntry } from '#durable/ports/journal.ts'

const list = (...bodies: readonly TaskBody[]): TaskBody => ({
  kind: 'do',
  tasks: { tasks: bodies.map((body, index) => node(`t${index}`, `/do/${index}/t${index}`, body)) },
})
const entriesOf = ({ journal }: TestRun): readonly JournalEntry[] => journal.submitted.flatMap(({ entries }) => entries)
const last = ({ journal }: TestRun) => journal.submitted.at(-1)

async function commitAll({ journal }: TestRun): Promise<void> {
  await settled()
  while (journal.pending.length > 0) await journal.commit()
}

describe('a suspended run', () => {
  test('a run that is suspended before its first write is accepted, and begins nothing', async () => {
    const begun = startTestRun(workflowOf(call('a')))
    begun.run.suspend()
    await commitAll(begun)
    await expect(begun.run.accepted).resolves.toBe(true)
    expect(begun.journal.submitted.map(({ progress }) => progress?.state)).toEqual([undefined, 'suspended'])
    expect(begun.effects).toEqual([])
    expect(begun.run.ended).toMatchObject({ kind: 'parked' })
  })

  test('a suspended run waits for the effect under way, writes its outcome and begins no other', async () => {
    const begun = startTestRun(workflowOf(call('a'), call('b')))
    await begun.journal.commit()
    begun.run.suspend()
    await commitAll(begun)
    expect(begun.run.ended).toBeUndefined()
    expect(begun.effects[0]?.call.signal.aborted).toBe(false)
    begun.effects[0]?.resolve('done')
    await commitAll(begun)
    expect(begun.effects).toHaveLength(1)
    expect(entriesOf(begun)).toMatchObject([{ kind: 'a', value: 'done' }])
    expect(last(begun)?.progress).toEqual({ state: 'suspended' })
  })

  test('a suspended run waits for all effects under way', async () => {
    const begun = startTestRun(workflowOf(fork(false, list(call('a'), call('c')), call('b'))))
    await begun.journal.commit()
    begun.run.suspend()
    begun.effects[0]?.resolve(1)
    await commitAll(begun)
    expect(last(begun)?.progress).toBeUndefined()
    begun.effects[1]?.resolve(2)
    await commitAll(begun)
    expect(begun.effects).toHaveLength(2)
    expect(last(begun)?.progress).toEqual({ state: 'suspended' })
  })

  test('a suspension between an outcome and its entry writes the entry first', async () => {
    const begun = startTestRun(workflowOf(call('a'), call('b')))
    await begun.journal.commit()
    begun.effects[0]?.resolve('done')
    await settled()
    begun.run.suspend()
    expect(begun.journal.pending).toMatchObject([{ entries: [{ value: 'done' }], progress: undefined }])
    await commitAll(begun)
    expect(begun.effects).toHaveLength(1)
    expect(last(begun)).toMatchObject({ entries: [], progress: { state: 'suspended' } })
  })

  test('a suspended run stops its timers, short and long', async () => {
    for (const ms of [10, 5_000]) {
      const begun = startTestRun(workflowOf(wait(ms)), { parkAfterMs: Number.POSITIVE_INFINITY })
      await begun.journal.commit()
      begun.run.suspend()
      await commitAll(begun)
      expect(begun.run.ended).toMatchObject({ kind: 'parked' })
      expect(last(begun)?.progress).toEqual({ state: 'suspended' })
    }
  })

  test('a suspended run that waits for a message keeps its wait open', async () => {
    const approval: TaskBody = { kind: 'message', topic: 'approve', arguments: () => null }
    const begun = startTestRun(workflowOf(approval))
    await begun.journal.commit()
    begun.run.suspend()
    await commitAll(begun)
    expect(begun.journal.submitted.flatMap(({ waits }) => waits?.closed ?? [])).toEqual([])
    expect(last(begun)?.progress).toEqual({ state: 'suspended' })
  })

  test('a suspended run that waits for a child does not stop the child', async () => {
    const begun = startTestRun(workflowOf(runWorkflow('w')))
    await begun.journal.commit()
    await begun.journal.commit()
    begun.run.suspend()
    await commitAll(begun)
    expect(begun.journal.submitted.flatMap(({ cancels }) => cancels)).toEqual([])
    expect(last(begun)?.progress).toEqual({ state: 'suspended' })
  })

  test('a run whose last effect ends after a suspend request ends', async () => {
    const begun = startTestRun(workflowOf(call('a')))
    await begun.journal.commit()
    begun.run.suspend()
    begun.effects[0]?.resolve('last')
    await commitAll(begun)
    expect(begun.run.ended).toMatchObject({ kind: 'ended', state: 'completed', output: 'last' })
  })

  test('a run whose end is being written is not suspended', async () => {
    const begun = startTestRun(workflowOf(set('out')))
    await settled()
    begun.run.suspend()
    await commitAll(begun)
    expect(begun.run.ended).toMatchObject({ state: 'completed', output: 'out' })
    begun.run.suspend()
    expect(begun.journal.pending).toEqual([])
  })

  test('a run can be cancelled while a suspension waits for its effect', async () => {
    const begun = startTestRun(workflowOf(call('a')))
    await begun.journal.commit()
    begun.run.suspend()
    begun.run.cancel()
    await commitAll(begun)
    expect(begun.run.ended).toMatchObject({ state: 'cancelled' })
    expect(begun.effects[0]?.call.signal.aborted).toBe(true)
  })

  test('a resumed run continues where it was suspended', async () => {
    const workflow = workflowOf(call('a'), call('b'))
    const begun = startTestRun(workflow)
    await begun.journal.commit()
    begun.run.suspend()
    begun.effects[0]?.resolve('one')
    await commitAll(begun)
    const again = startTestRun(workflow, { entries: entriesOf(begun) })
    await commitAll(again)
    expect(again.effects.map(({ name }) => name)).toEqual(['b'])
    again.effects[0]?.resolve('two')
    await commitAll(again)
    expect(again.run.ended).toMatchObject({ state: 'completed', output: 'two' })
  })

  test('a run that is claimed with a suspend request begins nothing', async () => {
    const begun = startTestRun(workflowOf(call('a')), { entries: [], suspendRequested: true })
    await commitAll(begun)
    expect(begun.effects).toEqual([])
    expect(last(begun)?.progress).toEqual({ state: 'suspended' })
  })

  test('a suspended run is not parked as waiting, and a release does not undo the suspension', async () => {
    const begun = startTestRun(workflowOf(fork(false, call('a'), wait(60_000))), { parkAfterMs: 0 })
    await begun.journal.commit()
    begun.run.suspend()
    begun.run.release(false)
    begun.effects[0]?.resolve(1)
    await commitAll(begun)
    expect(last(begun)?.progress).toEqual({ state: 'suspended' })
  })
})

const emitting = (n = 0): TaskBody => ({ kind: 'emit', event: () => ({ type: 'noted', n }) })
const emits = (count: number): TaskBody => ({
  kind: 'for',
  in: () => Array.from({ length: count }, (_, index) => index),
  each: 'item',
  at: 'index',
  tasks: {
    tasks: [node('note', '/do/0/note', { kind: 'emit', event: (_dot, { place }) => ({ type: 'noted', n: place.locals?.value ?? null }) })],
  },
})
const eventsOf = ({ journal }: TestRun) => journal.submitted.flatMap(({ events }) => events)

describe('events', () => {
  test('emitted events are published in the write of their entry', async () => {
    const begun = startTestRun(workflowOf(emitting(1), call('a')))
    const write = await begun.journal.commit()
    const noted = { specversion: '1.0', type: 'noted', n: 1, id: expect.any(String), source: expect.any(String), time: expect.any(String) }
    expect(write.events).toEqual([noted])
    expect(write.entries).toMatchObject([{ kind: 'emit', ok: true, value: noted }])
  })

  test('emitted events have the same id in every walk', async () => {
    const first = startTestRun(workflowOf(emitting()))
    const second = startTestRun(workflowOf(emitting()))
    await commitAll(first)
    await commitAll(second)
    expect(eventsOf(first)[0]?.id).toBe(eventsOf(second)[0]?.id)
  })

  test('a resumed run does not publish emitted events again', async () => {
    const workflow = workflowOf(emitting(), call('a'))
    const first = startTestRun(workflow)
    await commitAll(first)
    const again = startTestRun(workflow, { entries: entriesOf(first) })
    await commitAll(again)
    expect(eventsOf(again)).toEqual([])
    expect(again.effects).toHaveLength(1)
  })

  test('emitted events run at most 256 entries ahead of the commit', async () => {
    const begun = startTestRun(workflowOf(emits(2_000)))
    await settled()
    const [first] = begun.journal.pending
    expect(begun.journal.pending).toHaveLength(1)
    expect(first?.entries.length).toBeGreaterThan(50)
    expect(first?.entries.length).toBeLessThanOrEqual(256)
    while (begun.journal.pending.length > 0) expect((await begun.journal.commit()).entries.length).toBeLessThanOrEqual(256)
    expect(eventsOf(begun).map(({ n }) => n)).toEqual(Array.from({ length: 2_000 }, (_, index) => index))
    expect(entriesOf(begun).map(({ seq }) => seq)).toEqual(Array.from({ length: 2_000 }, (_, index) => index))
  })

  test('twenty thousand emitted events are written in bounded batches', async () => {
    const begun = startTestRun(workflowOf(emits(20_000)))
    let eventsMax = 0
    await settled()
    while (begun.journal.pending.length > 0) eventsMax = Math.max(eventsMax, (await begun.journal.commit()).events.length)
    expect(begun.warnings).toEqual([])
    expect(begun.run.ended).toMatchObject({ state: 'completed' })
    expect(eventsOf(begun)).toHaveLength(20_000)
    expect(eventsMax).toBeLessThanOrEqual(256)
  })

  test('a suspended run emits no events', async () => {
    const begun = startTestRun(workflowOf(call('a'), emitting(), emitting()))
    await begun.journal.commit()
    begun.run.suspend()
    begun.effects[0]?.resolve(1)
    await commitAll(begun)
    expect(eventsOf(begun)).toEqual([])
    expect(last(begun)?.progress).toEqual({ state: 'suspended' })
  })

  test('a cancelled run emits no more events', async () => {
    const begun = startTestRun(workflowOf(emits(2_000)))
    await settled()
    begun.run.cancel()
    await commitAll(begun)
    expect(begun.run.ended).toMatchObject({ state: 'cancelled' })
    expect(eventsOf(begun).length).toBeLessThanOrEqual(256)
  })
})

describe('replies', () => {
  const answering = (body: string): TaskBody => ({ kind: 'answer', arguments: () => ({ body }) })

  test('a reply reaches the caller after its commit, not before', async () => {
    const begun = startTestRun(workflowOf(answering('soon'), call('a')))
    let answer: unknown
    void begun.run.replied.then((body) => (answer = body))
    await settled()
    expect(answer).toBeUndefined()
    expect(await begun.journal.commit()).toMatchObject({ reply: { body: 'soon' }, entries: [{ kind: 'answer', value: 'soon' }] })
    expect(answer).toBe('soon')
    expect(begun.effects).toHaveLength(1)
  })

  test('a reply is part of the end', async () => {
    const begun = startTestRun(workflowOf(answering('soon'), set('later')))
    await commitAll(begun)
    expect(begun.run.ended).toMatchObject({ state: 'completed', output: 'later', reply: { body: 'soon' } })
  })

  test('only the first reply counts', async () => {
    const begun = startTestRun(workflowOf(answering('first'), answering('second')))
    await commitAll(begun)
    await expect(begun.run.replied).resolves.toBe('first')
    expect(begun.run.ended).toMatchObject({ reply: { body: 'first' } })
  })

  test('a reply in a lost write does not reach the caller', async () => {
    const begun = startTestRun(workflowOf(answering('soon'), call('a')))
    let answered = false
    void begun.run.replied.then(() => (answered = true))
    await settled()
    await begun.journal.fail()
    expect(answered).toBe(false)
    expect(begun.run.ended).toMatchObject({ kind: 'lost' })
  })
})
