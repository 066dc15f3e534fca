import { describe, expect, test } from 'vitest'
import type { TaskBody } from '#core/node.ts'
import { settled } from '#testing/manual-journal.ts'
import { call, fork, node, set, wait, workflowOf } from '#testing/nodes.ts'
import { startTestRun, type TestRun } from '#testing/start-test-run.ts'
import type { Message } from '#durable/ports/bus.ts'
import type { JournalEntry } from '#durable/ports/journal.ts'

/** Listens for whatever comes until `count` have come, with `tasks` for each. */
function listening(count: number, ...bodies: readonly TaskBody[]): TaskBody {
  const tasks = { tasks: bodies.map((body, index) => node(`each${index}`, `/do/${index}/each${index}`, body)) }
  return {
    kind: 'listen',
    mode: 'any',
    filters: [{ filter: { with: {} }, correlations: [] }],
    until: (consumed) => Array.isArray(consumed) && consumed.length >= count,
    read: 'data',
    ...(bodies.length === 0 ? {} : { foreach: { item: 'item', at: 'index', tasks } }),
  }
}

const position = '/do/0/task0'
const message = (id: string, at = position): Message => ({ id, position: at, value: { role: 'event', index: 0, event: { data: id } } })
const approval = (id: string, value: string): Message => ({ id, position, value })
const asked: TaskBody = { kind: 'message', topic: 'approve', arguments: () => ({ who: 'boss' }) }

const taken = ({ journal }: TestRun) => journal.submitted.flatMap(({ waits }) => waits?.consumed ?? [])
const closed = ({ journal }: TestRun) => journal.submitted.flatMap(({ waits }) => waits?.closed ?? [])
const opened = ({ journal }: TestRun) => journal.submitted.flatMap(({ waits }) => waits?.opened ?? [])
const entriesOf = ({ journal }: TestRun): readonly JournalEntry[] => journal.submitted.flatMap(({ entries }) => entries)

async function commitAll({ journal }: TestRun): Promise<void> {
  await settled()
  while (journal.pending.length > 0) await journal.commit()
}

describe('a wait', () => {
  test('is opened with the first write, and noted in the journal', async () => {
    const { journal } = startTestRun(workflowOf(asked))
    const write = await journal.commit()
    expect(write.waits).toEqual({ opened: [{ position, topic: 'approve', arguments: { who: 'boss' } }], closed: [], consumed: [] })
    expect(write.entries).toMatchObject([{ seq: 0, position, phase: 'started', kind: 'wait', ok: true, value: 'approve', decisions: '' }])
  })

  test('is answered once: taken, journalled and closed in one write', async () => {
    const begun = startTestRun(workflowOf(asked, call('a')))
    await begun.journal.commit()
    begun.run.receive([approval('m1', 'yes')])
    expect(await begun.journal.commit()).toMatchObject({
      entries: [{ seq: 1, position: `${position}/message`, phase: 'ended', kind: 'message', ok: true, value: 'yes' }],
      waits: { opened: [], closed: [position], consumed: ['m1'] },
    })
    expect(begun.effects).toHaveLength(1)
  })

  test('of a listener is opened once, however many events it takes', async () => {
    const begun = startTestRun(workflowOf(listening(3)))
    await begun.journal.commit()
    begun.run.receive([message('m1'), message('m2'), message('m3')])
    await commitAll(begun)
    expect(opened(begun)).toHaveLength(1)
    expect(entriesOf(begun).map(({ kind }) => kind)).toEqual(['wait', 'message', 'message', 'message'])
    expect(closed(begun)).toEqual([position])
    expect(begun.run.ended).toMatchObject({ state: 'completed', output: ['m1', 'm2', 'm3'] })
  })

  test('that is open is told of, one that has ended is not', async () => {
    const { run, journal } = startTestRun(workflowOf(asked, call('a')))
    await journal.commit()
    expect(run.hasWaits()).toBe(true)
    run.receive([approval('m1', 'yes')])
    expect(run.hasWaits()).toBe(false)
  })
})

describe('messages', () => {
  test('that come at once are taken each once, in order', async () => {
    const begun = startTestRun(workflowOf(listening(2)))
    await begun.journal.commit()
    begun.run.receive([message('m1'), message('m2')])
    await commitAll(begun)
    expect(begun.run.ended).toMatchObject({ output: ['m1', 'm2'] })
    expect(taken(begun)).toEqual(['m1', 'm2'])
  })

  test('that are told of again are not taken again', async () => {
    const begun = startTestRun(workflowOf(listening(2)))
    await begun.journal.commit()
    begun.run.receive([message('m1')])
    begun.run.receive([message('m1'), message('m1')])
    await commitAll(begun)
    expect(begun.run.ended).toBeUndefined()
    begun.run.receive([message('m1'), message('m2')])
    await commitAll(begun)
    expect(begun.run.ended).toMatchObject({ output: ['m1', 'm2'] })
  })

  test('wait while the one before is being worked on, first come first served', async () => {
    const begun = startTestRun(workflowOf(listening(3, call('a'))))
    await begun.journal.commit()
    begun.run.receive([message('m1')])
    await commitAll(begun)
    begun.run.receive([message('m2')])
    begun.run.receive([message('m2'), message('m3')])
    await commitAll(begun)
    expect(taken(begun)).toEqual(['m1'])
    for (const index of [0, 1, 2]) {
      expect(begun.effects).toHaveLength(index + 1)
      begun.effects[index]?.resolve(`worked on ${index}`)
      await commitAll(begun)
    }
    expect(taken(begun)).toEqual(['m1', 'm2', 'm3'])
    expect(begun.run.ended).toMatchObject({ output: ['worked on 0', 'worked on 1', 'worked on 2'] })
  })

  test('in great numbers are taken without piling up', async () => {
    const count = 20_000
    const begun = startTestRun(workflowOf(listening(count)))
    await begun.journal.commit()
    begun.run.receive(Array.from({ length: count }, (_, index) => message(`m${index}`)))
    await commitAll(begun)
    expect(begun.warnings).toEqual([])
    expect(begun.run.ended).toMatchObject({ state: 'completed' })
    expect(taken(begun)).toHaveLength(count)
  })

  test('go to the wait that they are for', async () => {
    const begun = startTestRun(workflowOf(fork(false, listening(1), listening(1))))
    const [one = '', other = ''] = ((await begun.journal.commit()).waits?.opened ?? []).map((opening) => opening.position)
    begun.run.receive([message('for the other', other), message('for the one', one)])
    await commitAll(begun)
    expect(begun.run.ended).toMatchObject({ output: [['for the one'], ['for the other']] })
  })

  test('to a wait that has ended, or that there never was, are left alone', async () => {
    const begun = startTestRun(workflowOf(asked, call('a')))
    await begun.journal.commit()
    begun.run.receive([approval('m1', 'yes'), approval('m2', 'late'), message('m3', '/do/9/nowhere')])
    await commitAll(begun)
    begun.run.receive([approval('m4', 'later')])
    await commitAll(begun)
    expect(taken(begun)).toEqual(['m1'])
    expect(begun.warnings).toEqual([])
  })

  test('that are left over when listening ends are not taken: closing gives them back', async () => {
    const begun = startTestRun(workflowOf(listening(1), call('a')))
    await begun.journal.commit()
    begun.run.receive([message('m1'), message('m2'), message('m3')])
    await commitAll(begun)
    expect(taken(begun)).toEqual(['m1'])
    expect(closed(begun)).toEqual([position])
  })

  test('that came to the end of a run are not taken', async () => {
    const begun = startTestRun(workflowOf(listening(2)))
    await begun.journal.commit()
    begun.run.cancel()
    begun.run.receive([message('m1')])
    await commitAll(begun)
    expect(taken(begun)).toEqual([])
    expect(begun.run.ended).toMatchObject({ state: 'cancelled' })
  })
})

describe('a wait that is given up', () => {
  test('by a cancel is closed in the write that cancels', async () => {
    const { run, journal } = startTestRun(workflowOf(asked))
    await journal.commit()
    run.cancel()
    expect(await journal.commit()).toMatchObject({ waits: { closed: [position] }, progress: { state: 'cancelled' } })
  })

  test('by a competing branch is closed once', async () => {
    const begun = startTestRun(workflowOf(fork(true, listening(1), call('a')), call('b')))
    const [at = ''] = ((await begun.journal.commit()).waits?.opened ?? []).map((opening) => opening.position)
    begun.effects[0]?.resolve('won')
    await commitAll(begun)
    begun.effects[1]?.resolve('done')
    await commitAll(begun)
    expect(closed(begun)).toEqual([at])
  })

  test('while one of its events is being worked on is closed once, and the work stopped', async () => {
    const begun = startTestRun(workflowOf(fork(true, listening(2, call('a')), call('b')), call('c')))
    const [at = ''] = ((await begun.journal.commit()).waits?.opened ?? []).map((opening) => opening.position)
    begun.run.receive([message('m1', at), message('m2', at)])
    await commitAll(begun)
    const [beside, work] = begun.effects
    beside?.resolve('won')
    await commitAll(begun)
    expect(work?.call.signal.aborted).toBe(true)
    expect(closed(begun)).toEqual([at])
    expect(taken(begun)).toEqual(['m1'])
  })

  test('by an end of the workflow elsewhere is closed with it', async () => {
    const ends = { ...node('end', '/do/0/end', call('a')), then: 'end' as const }
    const begun = startTestRun(workflowOf(fork(false, listening(1), { kind: 'do', tasks: { tasks: [ends] } })))
    const [at = ''] = ((await begun.journal.commit()).waits?.opened ?? []).map((opening) => opening.position)
    begun.effects[0]?.resolve('over')
    await commitAll(begun)
    expect(begun.run.ended).toMatchObject({ state: 'completed', output: 'over' })
    expect(closed(begun)).toEqual([at])
  })
})

describe('a wait that goes on in another process', () => {
  async function parked(...bodies: readonly TaskBody[]) {
    const begun = startTestRun(workflowOf(...bodies), { parkAfterMs: 0 })
    await commitAll(begun)
    return { entries: entriesOf(begun), end: begun.run.ended, begun }
  }

  test('is parked, without a time to wake, while nothing comes', async () => {
    const { end, begun } = await parked(asked)
    expect(end).toMatchObject({ kind: 'parked' })
    expect(begun.journal.submitted.at(-1)).toMatchObject({ progress: { state: 'waiting', wakeAtMs: undefined } })
  })

  test('is not opened again', async () => {
    const { entries } = await parked(asked)
    const again = startTestRun(workflowOf(asked), { entries })
    await commitAll(again)
    expect(opened(again)).toEqual([])
    expect(again.run.hasWaits()).toBe(true)
  })

  test('takes what came meanwhile at once', async () => {
    const { entries } = await parked(listening(3))
    const again = startTestRun(workflowOf(listening(3)), { entries, messages: [message('m1'), message('m2'), message('m3')] })
    await commitAll(again)
    expect(again.run.ended).toMatchObject({ state: 'completed', output: ['m1', 'm2', 'm3'] })
    expect(taken(again)).toEqual(['m1', 'm2', 'm3'])
    expect(entriesOf(again).map(({ seq }) => seq)).toEqual([1, 2, 3])
  })

  test('keeps what came before it was asked for', async () => {
    const workflow = workflowOf(listening(2, call('a')))
    const first = startTestRun(workflow)
    await first.journal.commit()
    first.run.receive([message('m1'), message('m2')])
    await commitAll(first)
    const again = startTestRun(workflow, { entries: entriesOf(first), messages: [message('m2')] })
    await commitAll(again)
    again.effects[0]?.resolve('one')
    await commitAll(again)
    again.effects[1]?.resolve('two')
    await commitAll(again)
    expect(again.run.ended).toMatchObject({ output: ['one', 'two'] })
    expect(taken(again)).toEqual(['m2'])
  })

  test('beside a long time is parked until that time', async () => {
    const { begun } = await parked(fork(true, asked, wait(60_000)))
    expect(begun.journal.submitted.at(-1)?.progress).toMatchObject({ state: 'waiting', wakeAtMs: expect.any(Number) })
  })

  test('that was cancelled meanwhile is closed', async () => {
    const { entries } = await parked(asked)
    const again = startTestRun(workflowOf(asked), { entries, cancelRequested: true })
    await commitAll(again)
    expect(again.journal.submitted).toMatchObject([{ waits: { closed: [position] }, progress: { state: 'cancelled' } }])
  })
})

test('a run that waits for nothing from outside says so', async () => {
  const { run } = startTestRun(workflowOf(set(1), call('a')))
  expect(run.hasWaits()).toBe(false)
})
