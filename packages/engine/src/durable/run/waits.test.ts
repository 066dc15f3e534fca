import { describe, expect, test } from 'vitest'
import type { TaskBody } from '#core/node.ts'
import type { Outcome } from '#core/request.ts'
import { settled } from '#testing/manual-journal.ts'
import { call, fork, node, set, wait, workflowOf } from '#testing/nodes.ts'
import { startTestRun, type TestRun } from '#testing/start-test-run.ts'
import type { Message } from '#durable/ports/bus.ts'
import type { JournalEntry } from '#durable/ports/journal.ts'

/** Listens to any events until `count` were consumed, with `bodies` as tasks for each. */
function listening(count: number, ...bodies: readonly TaskBody[]): TaskBody {
  const tasks = { tasks: bodies.map((body, index) => node(`each${index}`, `/do/${index}/each${index}`, body)) }
  return {
    kind: 'listen',
    mode: 'any',
    filters: [{ filter: { with: {} }, correlations: [] }],
    until: (values) => Array.isArray(values) && values.length >= count,
    read: 'data',
    ...(bodies.length === 0 ? {} : { foreach: { item: 'item', at: 'index', tasks } }),
  }
}

const position = '/do/0/task0'
const message = (id: string, at = position): Message => ({ id, position: at, value: { role: 'event', index: 0, event: { data: id } } })
const decision = (id: string, value: string): Message => ({ id, position, value })
const approval: TaskBody = { kind: 'message', topic: 'approve', arguments: () => ({ who: 'boss' }) }

const consumed = ({ journal }: TestRun) => journal.submitted.flatMap(({ waits }) => waits?.consumed ?? [])
const closed = ({ journal }: TestRun) => journal.submitted.flatMap(({ waits }) => waits?.closed ?? [])
const opened = ({ journal }: TestRun) => journal.submitted.flatMap(({ waits }) => waits?.opened ?? [])
const entriesOf = ({ journal }: TestRun): readonly JournalEntry[] => journal.submitted.flatMap(({ entries }) => entries)

async function commitAll({ journal }: TestRun): Promise<void> {
  await settled()
  while (journal.pending.length > 0) await journal.commit()
}

describe('a wait', () => {
  test('a wait is opened in the first write, with a journal entry', async () => {
    const { journal } = startTestRun(workflowOf(approval))
    const write = await journal.commit()
    expect(write.waits).toEqual({ opened: [{ position, topic: 'approve', arguments: { who: 'boss' } }], closed: [], consumed: [] })
    expect(write.entries).toMatchObject([{ seq: 0, position, phase: 'started', kind: 'wait', ok: true, value: 'approve', decisions: '' }])
  })

  test('a message to a wait is consumed and journalled, and the wait closed, in one write', async () => {
    const begun = startTestRun(workflowOf(approval, call('a')))
    await begun.journal.commit()
    begun.run.receive([decision('m1', 'yes')])
    expect(await begun.journal.commit()).toMatchObject({
      entries: [{ seq: 1, position: `${position}/message`, phase: 'ended', kind: 'message', ok: true, value: 'yes' }],
      waits: { opened: [], closed: [position], consumed: ['m1'] },
    })
    expect(begun.effects).toHaveLength(1)
  })

  test('the wait of a listener is opened once for all its events', async () => {
    const begun = startTestRun(workflowOf(listening(3)))
    await begun.journal.commit()
    begun.run.receive([message('m1'), message('m2'), message('m3')])
    await commitAll(begun)
    expect(opened(begun)).toHaveLength(1)
    expect(entriesOf(begun).map(({ kind }) => kind)).toEqual(['wait', 'message', 'message', 'message'])
    expect(closed(begun)).toEqual([position])
    expect(begun.run.ended).toMatchObject({ state: 'completed', output: ['m1', 'm2', 'm3'] })
  })

  test('a run reports whether it has open waits', async () => {
    const { run, journal } = startTestRun(workflowOf(approval, call('a')))
    await journal.commit()
    expect(run.hasWaits()).toBe(true)
    run.receive([decision('m1', 'yes')])
    expect(run.hasWaits()).toBe(false)
  })
})

describe('messages', () => {
  test('messages that arrive together are consumed once each, in order', async () => {
    const begun = startTestRun(workflowOf(listening(2)))
    await begun.journal.commit()
    begun.run.receive([message('m1'), message('m2')])
    await commitAll(begun)
    expect(begun.run.ended).toMatchObject({ output: ['m1', 'm2'] })
    expect(consumed(begun)).toEqual(['m1', 'm2'])
  })

  test('messages that are received again are not consumed again', async () => {
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

  test('messages are queued in order while an earlier one is processed', async () => {
    const begun = startTestRun(workflowOf(listening(3, call('a'))))
    await begun.journal.commit()
    begun.run.receive([message('m1')])
    await commitAll(begun)
    begun.run.receive([message('m2')])
    begun.run.receive([message('m2'), message('m3')])
    await commitAll(begun)
    expect(consumed(begun)).toEqual(['m1'])
    for (const index of [0, 1, 2]) {
      expect(begun.effects).toHaveLength(index + 1)
      begun.effects[index]?.resolve(`worked on ${index}`)
      await commitAll(begun)
    }
    expect(consumed(begun)).toEqual(['m1', 'm2', 'm3'])
    expect(begun.run.ended).toMatchObject({ output: ['worked on 0', 'worked on 1', 'worked on 2'] })
  })

  test('twenty thousand messages are consumed without a stack overflow', async () => {
    const count = 20_000
    const begun = startTestRun(workflowOf(listening(count)))
    await begun.journal.commit()
    begun.run.receive(Array.from({ length: count }, (_, index) => message(`m${index}`)))
    await commitAll(begun)
    expect(begun.warnings).toEqual([])
    expect(begun.run.ended).toMatchObject({ state: 'completed' })
    expect(consumed(begun)).toHaveLength(count)
  })

  test('a message reaches the wait at its position', async () => {
    const begun = startTestRun(workflowOf(fork(false, listening(1), listening(1))))
    const [first = '', second = ''] = ((await begun.journal.commit()).waits?.opened ?? []).map((opening) => opening.position)
    begun.run.receive([message('for the second', second), message('for the first', first)])
    await commitAll(begun)
    expect(begun.run.ended).toMatchObject({ output: [['for the first'], ['for the second']] })
  })

  test('messages to an ended or an unknown wait are not consumed', async () => {
    const begun = startTestRun(workflowOf(approval, call('a')))
    await begun.journal.commit()
    begun.run.receive([decision('m1', 'yes'), decision('m2', 'late'), message('m3', '/do/9/nowhere')])
    await commitAll(begun)
    begun.run.receive([decision('m4', 'later')])
    await commitAll(begun)
    expect(consumed(begun)).toEqual(['m1'])
    expect(begun.warnings).toEqual([])
  })

  test('messages that are left when a listener ends are not consumed, and its wait is closed', async () => {
    const begun = startTestRun(workflowOf(listening(1), call('a')))
    await begun.journal.commit()
    begun.run.receive([message('m1'), message('m2'), message('m3')])
    await commitAll(begun)
    expect(consumed(begun)).toEqual(['m1'])
    expect(closed(begun)).toEqual([position])
  })

  test('messages that arrive during the end of a run are not consumed', async () => {
    const begun = startTestRun(workflowOf(listening(2)))
    await begun.journal.commit()
    begun.run.cancel()
    begun.run.receive([message('m1')])
    await commitAll(begun)
    expect(consumed(begun)).toEqual([])
    expect(begun.run.ended).toMatchObject({ state: 'cancelled' })
  })
})

describe('an abandoned wait', () => {
  test('a cancel closes open waits in its write', async () => {
    const { run, journal } = startTestRun(workflowOf(approval))
    await journal.commit()
    run.cancel()
    expect(await journal.commit()).toMatchObject({ waits: { closed: [position] }, progress: { state: 'cancelled' } })
  })

  test('a wait that loses a race is closed once', async () => {
    const begun = startTestRun(workflowOf(fork(true, listening(1), call('a')), call('b')))
    const [at = ''] = ((await begun.journal.commit()).waits?.opened ?? []).map((opening) => opening.position)
    begun.effects[0]?.resolve('won')
    await commitAll(begun)
    begun.effects[1]?.resolve('done')
    await commitAll(begun)
    expect(closed(begun)).toEqual([at])
  })

  test('a listener that loses a race while it processes an event is closed once, and its effect aborted', async () => {
    const begun = startTestRun(workflowOf(fork(true, listening(2, call('a')), call('b')), call('c')))
    const [at = ''] = ((await begun.journal.commit()).waits?.opened ?? []).map((opening) => opening.position)
    begun.run.receive([message('m1', at), message('m2', at)])
    await commitAll(begun)
    const [beside, work] = begun.effects
    beside?.resolve('won')
    await commitAll(begun)
    expect(work?.call.signal.aborted).toBe(true)
    expect(closed(begun)).toEqual([at])
    expect(consumed(begun)).toEqual(['m1'])
  })

  test('an end of the workflow in another branch closes open waits', async () => {
    const ends = { ...node('end', '/do/0/end', call('a')), then: 'end' as const }
    const begun = startTestRun(workflowOf(fork(false, listening(1), { kind: 'do', tasks: { tasks: [ends] } })))
    const [at = ''] = ((await begun.journal.commit()).waits?.opened ?? []).map((opening) => opening.position)
    begun.effects[0]?.resolve('over')
    await commitAll(begun)
    expect(begun.run.ended).toMatchObject({ state: 'completed', output: 'over' })
    expect(closed(begun)).toEqual([at])
  })
})

describe('a wait that continues in another process', () => {
  async function parked(...bodies: readonly TaskBody[]) {
    const begun = startTestRun(workflowOf(...bodies), { parkAfterMs: 0 })
    await commitAll(begun)
    return { entries: entriesOf(begun), end: begun.run.ended, begun }
  }

  test('an execution with an open wait is parked without a wake time', async () => {
    const { end, begun } = await parked(approval)
    expect(end).toMatchObject({ kind: 'parked' })
    expect(begun.journal.submitted.at(-1)).toMatchObject({ progress: { state: 'waiting', wakeAtMs: undefined } })
  })

  test('a resumed run does not open its wait again', async () => {
    const { entries } = await parked(approval)
    const again = startTestRun(workflowOf(approval), { entries })
    await commitAll(again)
    expect(opened(again)).toEqual([])
    expect(again.run.hasWaits()).toBe(true)
  })

  test('a resumed run consumes the messages that arrived while it was parked', async () => {
    const { entries } = await parked(listening(3))
    const again = startTestRun(workflowOf(listening(3)), { entries, messages: [message('m1'), message('m2'), message('m3')] })
    await commitAll(again)
    expect(again.run.ended).toMatchObject({ state: 'completed', output: ['m1', 'm2', 'm3'] })
    expect(consumed(again)).toEqual(['m1', 'm2', 'm3'])
    expect(entriesOf(again).map(({ seq }) => seq)).toEqual([1, 2, 3])
  })

  test('a resumed run keeps a message until it is requested', async () => {
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
    expect(consumed(again)).toEqual(['m2'])
  })

  test('a wait beside a long timer is parked until the timer is due', async () => {
    const { begun } = await parked(fork(true, approval, wait(60_000)))
    expect(begun.journal.submitted.at(-1)?.progress).toMatchObject({ state: 'waiting', wakeAtMs: expect.any(Number) })
  })

  test('a wait of an execution that was cancelled while parked is closed', async () => {
    const { entries } = await parked(approval)
    const again = startTestRun(workflowOf(approval), { entries, cancelRequested: true })
    await commitAll(again)
    expect(again.journal.submitted).toMatchObject([{ waits: { closed: [position] }, progress: { state: 'cancelled' } }])
  })
})

test('a run without waits has no open waits', async () => {
  const { run } = startTestRun(workflowOf(set(1), call('a')))
  expect(run.hasWaits()).toBe(false)
})

describe('what examines messages', () => {
  /** Examines each message when the test says so. */
  function examining(...bodies: readonly TaskBody[]) {
    const asked: { readonly source: string; readonly examined: ReturnType<typeof Promise.withResolvers<Outcome>> }[] = []
    const receive = (_receiver: unknown, source: string): Promise<Outcome> => {
      const examined = Promise.withResolvers<Outcome>()
      asked.push({ source, examined })
      return examined.promise
    }
    const begun = startTestRun(workflowOf(...bodies), {
      reception: { receive, passInput: async (_parent, _child, input) => input, passLabels: async (_receiver, labels) => labels },
    })
    return { ...begun, asked }
  }

  test('the outcome that it returns is journalled in the write that consumes the message', async () => {
    const begun = examining(approval)
    await begun.journal.commit()
    begun.run.receive([decision('m1', 'yes')])
    await settled()
    expect([begun.journal.pending, begun.asked.map(({ source }) => source)]).toEqual([[], ['approve']])
    begun.asked[0]?.examined.resolve({ ok: true, value: 'examined' })
    await settled()
    const write = await begun.journal.commit()
    expect(write).toMatchObject({ entries: [{ kind: 'message', value: 'examined' }], waits: { consumed: ['m1'] } })
  })

  test('its failure loses the run, and leaves the message to the next one', async () => {
    const begun = examining(approval)
    await begun.journal.commit()
    begun.run.receive([decision('m1', 'yes')])
    begun.asked[0]?.examined.reject(new Error('no database'))
    await settled()
    expect([begun.run.ended?.kind, consumed(begun)]).toEqual(['lost', []])
  })

  test('its outcome for a wait that has ended meanwhile is ignored', async () => {
    const begun = examining(approval)
    await begun.journal.commit()
    begun.run.receive([decision('m1', 'yes')])
    begun.run.cancel()
    begun.asked[0]?.examined.resolve({ ok: true, value: 'late' })
    await commitAll(begun)
    expect([begun.run.ended, consumed(begun)]).toMatchObject([{ state: 'cancelled' }, []])
  })
})
