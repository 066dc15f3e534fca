import { describe, expect, test } from 'vitest'
import type { TaskBody } from '#core/node.ts'
import { settled } from '#testing/manual-journal.ts'
import { call, fork, set, wait, workflowOf } from '#testing/nodes.ts'
import { startTestRun, type TestRun } from '#testing/start-test-run.ts'

const typesOf = (events: TestRun['journal']['submitted'][number]['events']) =>
  events.map(({ type }) => JSON.stringify(type).slice(1, -1).replace('io.serverlessworkflow.', '').replace('.v1', ''))
const told = ({ journal }: TestRun) => journal.submitted.flatMap(({ events }) => typesOf(events))
const entriesOf = ({ journal }: TestRun) => journal.submitted.flatMap(({ entries }) => entries)

async function commitAll({ journal }: TestRun): Promise<void> {
  await settled()
  while (journal.pending.length > 0) await journal.commit()
}

describe('what happens to a run is told', () => {
  test('with the write that has it', async () => {
    const begun = startTestRun(workflowOf(call('a'), set(1)), { announced: true })
    expect(typesOf((await begun.journal.commit()).events)).toEqual(['task.created', 'task.started'])
    begun.effects[0]?.resolve(1)
    await settled()
    const write = await begun.journal.commit()
    expect(write.progress?.state).toBe('completed')
    expect(typesOf(write.events)).toEqual(['task.completed', 'task.created', 'task.started', 'task.completed', 'workflow.completed'])
  })

  test('to nobody where nobody wants to hear it', async () => {
    const begun = startTestRun(workflowOf(set(1)))
    await commitAll(begun)
    expect(told(begun)).toEqual([])
  })

  test('with a cancel: what was open is cancelled, and then the whole', async () => {
    const begun = startTestRun(workflowOf(fork(false, call('a'), call('b'))), { announced: true })
    await begun.journal.commit()
    begun.run.cancel()
    expect(typesOf((await begun.journal.commit()).events)).toEqual([
      'task.cancelled',
      'task.cancelled',
      'task.cancelled',
      'workflow.cancelled',
    ])
  })

  test('with a fault, by its error', async () => {
    const raise: TaskBody = { kind: 'raise', error: () => ({ type: 'https://t.test/x', status: 418, title: 'Teapot' }) }
    const begun = startTestRun(workflowOf(raise), { announced: true })
    const { events } = await begun.journal.commit()
    expect(typesOf(events)).toEqual(['task.created', 'task.started', 'task.faulted', 'workflow.faulted'])
    expect(events.at(-1)?.data).toMatchObject({ error: { status: 418, title: 'Teapot' } })
  })

  test('when it is suspended', async () => {
    const begun = startTestRun(workflowOf(wait(60_000)), { announced: true, parkAfterMs: Number.POSITIVE_INFINITY })
    await begun.journal.commit()
    begun.run.suspend()
    const { events, progress } = await begun.journal.commit()
    // Whether it is held at all is known where it is written.
    expect(typesOf(events)).toEqual([])
    expect(progress?.state === 'suspended' && typesOf(progress.events ?? [])).toEqual(['workflow.suspended'])
  })

  test('where it begins and stops to listen', async () => {
    const hear: TaskBody = { kind: 'listen', mode: 'one', filters: [{ filter: { with: {} }, correlations: [] }], read: 'data' }
    const begun = startTestRun(workflowOf(hear), { announced: true })
    expect(typesOf((await begun.journal.commit()).events)).toContain('workflow.correlation-started')
    begun.run.receive([{ id: 'm', position: '/do/0/task0', value: { role: 'event', index: 0, event: { data: 1 } } }])
    expect(typesOf((await begun.journal.commit()).events)).toEqual([
      'workflow.correlation-completed',
      'task.completed',
      'workflow.completed',
    ])
  })

  test('where it stops to listen before what comes after, in whatever process it began to', async () => {
    const hear: TaskBody = { kind: 'listen', mode: 'one', filters: [{ filter: { with: {} }, correlations: [] }], read: 'data' }
    const workflow = workflowOf(hear, set(1))
    const begun = startTestRun(workflow, { announced: true })
    await commitAll(begun)
    const again = startTestRun(workflow, { announced: true, entries: entriesOf(begun) })
    again.run.receive([{ id: 'm', position: '/do/0/task0', value: { role: 'event', index: 0, event: { data: 1 } } }])
    await commitAll(again)
    expect(told(again)).toEqual([
      'workflow.correlation-completed',
      'task.completed',
      'task.created',
      'task.started',
      'task.completed',
      'workflow.completed',
    ])
  })

  test('with a cancel: that it stops to listen', async () => {
    const hear: TaskBody = { kind: 'listen', mode: 'one', filters: [{ filter: { with: {} }, correlations: [] }], read: 'data' }
    const begun = startTestRun(workflowOf(hear), { announced: true })
    await begun.journal.commit()
    begun.run.cancel()
    expect(typesOf((await begun.journal.commit()).events)).toEqual([
      'workflow.correlation-completed',
      'task.cancelled',
      'workflow.cancelled',
    ])
  })

  test('to nobody as listening where it is a question', async () => {
    const ask: TaskBody = { kind: 'message', topic: 'approve', arguments: () => ({}) }
    const begun = startTestRun(workflowOf(ask), { announced: true })
    await begun.journal.commit()
    begun.run.receive([{ id: 'm', position: '/do/0/task0', value: 1 }])
    await commitAll(begun)
    expect(told(begun)).toEqual(['task.created', 'task.started', 'task.completed', 'workflow.completed'])
  })

  test('once: who goes on with it tells what is new', async () => {
    const workflow = workflowOf(call('a'), call('b'))
    const begun = startTestRun(workflow, { announced: true })
    await begun.journal.commit()
    begun.effects[0]?.resolve(1)
    await commitAll(begun)
    const again = startTestRun(workflow, { announced: true, entries: entriesOf(begun) })
    await commitAll(again)
    expect(told(again)).toEqual([])
    again.effects[0]?.resolve(2)
    await commitAll(again)
    expect(told(again)).toEqual(['task.completed', 'workflow.completed'])
  })

  test('without its secrets', async () => {
    const secrets = { token: 'hunter2hunter2' }
    const raise: TaskBody = { kind: 'raise', error: () => ({ type: 'https://t.test/x', status: 400, detail: `with hunter2hunter2` }) }
    const begun = startTestRun(workflowOf(raise), { announced: true, secrets })
    await commitAll(begun)
    expect(told(begun)).toContain('task.faulted')
    expect(JSON.stringify(begun.journal.submitted)).not.toContain('hunter2')
  })
})
