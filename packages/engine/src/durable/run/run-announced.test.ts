import { describe, expect, test } from 'vitest'
import type { TaskBody } from '#core/node.ts'
import { settled } from '#testing/manual-journal.ts'
import { call, fork, set, wait, workflowOf } from '#testing/nodes.ts'
import { startTestRun, type TestRun } from '#testing/start-test-run.ts'

const typesOf = (events: TestRun['journal']['submitted'][number]['events']) =>
  events.map(({ type }) => JSON.stringify(type).slice(1, -1).replace('io.serverlessworkflow.', '').replace('.v1', ''))
const publishedTypes = ({ journal }: TestRun) => journal.submitted.flatMap(({ events }) => typesOf(events))
const entriesOf = ({ journal }: TestRun) => journal.submitted.flatMap(({ entries }) => entries)

async function commitAll({ journal }: TestRun): Promise<void> {
  await settled()
  while (journal.pending.length > 0) await journal.commit()
}

describe('lifecycle events of a run', () => {
  test('lifecycle events are published in the write of their cause', async () => {
    const begun = startTestRun(workflowOf(call('a'), set(1)), { announced: true })
    expect(typesOf((await begun.journal.commit()).events)).toEqual(['task.created', 'task.started'])
    begun.effects[0]?.resolve(1)
    await settled()
    const write = await begun.journal.commit()
    expect(write.progress?.state).toBe('completed')
    expect(typesOf(write.events)).toEqual(['task.completed', 'task.created', 'task.started', 'task.completed', 'workflow.completed'])
  })

  test('without a subscription no lifecycle events are published', async () => {
    const begun = startTestRun(workflowOf(set(1)))
    await commitAll(begun)
    expect(publishedTypes(begun)).toEqual([])
  })

  test('a cancel publishes the cancellation of all open tasks and then of the execution', async () => {
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

  test('a fault publishes its error', async () => {
    const raise: TaskBody = { kind: 'raise', error: () => ({ type: 'https://t.test/x', status: 418, title: 'Teapot' }) }
    const begun = startTestRun(workflowOf(raise), { announced: true })
    const { events } = await begun.journal.commit()
    expect(typesOf(events)).toEqual(['task.created', 'task.started', 'task.faulted', 'workflow.faulted'])
    expect(events.at(-1)?.data).toMatchObject({ error: { status: 418, title: 'Teapot' } })
  })

  test('a suspension publishes its event only if it takes effect', async () => {
    const begun = startTestRun(workflowOf(wait(60_000)), { announced: true, parkAfterMs: Number.POSITIVE_INFINITY })
    await begun.journal.commit()
    begun.run.suspend()
    const { events, progress } = await begun.journal.commit()
    // The store decides in the transaction of the write whether the suspension takes effect.
    expect(typesOf(events)).toEqual([])
    expect(progress?.state === 'suspended' && typesOf(progress.events ?? [])).toEqual(['workflow.suspended'])
  })

  test('a listener publishes when it begins and stops listening', async () => {
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

  test('a listener of an earlier run publishes that it stops listening before later tasks begin', async () => {
    const hear: TaskBody = { kind: 'listen', mode: 'one', filters: [{ filter: { with: {} }, correlations: [] }], read: 'data' }
    const workflow = workflowOf(hear, set(1))
    const begun = startTestRun(workflow, { announced: true })
    await commitAll(begun)
    const again = startTestRun(workflow, { announced: true, entries: entriesOf(begun) })
    again.run.receive([{ id: 'm', position: '/do/0/task0', value: { role: 'event', index: 0, event: { data: 1 } } }])
    await commitAll(again)
    expect(publishedTypes(again)).toEqual([
      'workflow.correlation-completed',
      'task.completed',
      'task.created',
      'task.started',
      'task.completed',
      'workflow.completed',
    ])
  })

  test('a cancel publishes that a listener stops listening', async () => {
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

  test('an approval publishes no correlation events', async () => {
    const ask: TaskBody = { kind: 'message', topic: 'approve', arguments: () => ({}) }
    const begun = startTestRun(workflowOf(ask), { announced: true })
    await begun.journal.commit()
    begun.run.receive([{ id: 'm', position: '/do/0/task0', value: 1 }])
    await commitAll(begun)
    expect(publishedTypes(begun)).toEqual(['task.created', 'task.started', 'task.completed', 'workflow.completed'])
  })

  test('a resumed run publishes only new lifecycle events', async () => {
    const workflow = workflowOf(call('a'), call('b'))
    const begun = startTestRun(workflow, { announced: true })
    await begun.journal.commit()
    begun.effects[0]?.resolve(1)
    await commitAll(begun)
    const again = startTestRun(workflow, { announced: true, entries: entriesOf(begun) })
    await commitAll(again)
    expect(publishedTypes(again)).toEqual([])
    again.effects[0]?.resolve(2)
    await commitAll(again)
    expect(publishedTypes(again)).toEqual(['task.completed', 'workflow.completed'])
  })

  test('lifecycle events contain no secrets', async () => {
    const secrets = { token: 'hunter2hunter2' }
    const raise: TaskBody = { kind: 'raise', error: () => ({ type: 'https://t.test/x', status: 400, detail: `with hunter2hunter2` }) }
    const begun = startTestRun(workflowOf(raise), { announced: true, secrets })
    await commitAll(begun)
    expect(publishedTypes(begun)).toContain('task.faulted')
    expect(JSON.stringify(begun.journal.submitted)).not.toContain('hunter2')
  })
})
