import { expect, test } from 'vitest'
import type { TaskBody } from '#core/node.ts'
import { settled } from '#testing/manual-journal.ts'
import { call, fork, runWorkflow, set, workflowOf } from '#testing/nodes.ts'
import { startTestRun } from '#testing/start-test-run.ts'
import { NOT_STORABLE, UnwritableError } from '#durable/ports/journal.ts'

const tooDeep = () => new UnwritableError('the outcome of /do/0/task0 cannot be stored: it is nested too deeply or too large')
const fault = {
  state: 'faulted',
  error: { status: 500, title: NOT_STORABLE, detail: 'the outcome of /do/0/task0 cannot be stored: it is nested too deeply or too large' },
}

test('an execution whose outcome cannot be stored faults as not storable, and begins no later effect', async () => {
  const { journal, effects, run } = startTestRun(workflowOf(call('a'), call('b')))
  await journal.commit()
  effects[0]?.resolve('deep')
  await settled()
  await journal.fail(tooDeep())
  expect(journal.pending).toMatchObject([{ accept: undefined, entries: [], progress: fault }])
  await journal.commit()
  expect(run.ended).toMatchObject({ kind: 'ended', ...fault })
  expect(effects).toHaveLength(1)
})

test('an execution whose acceptance cannot be stored is accepted as faulted', async () => {
  const { journal, run } = startTestRun(workflowOf(set({ x: 1 })))
  await settled()
  await journal.fail(tooDeep())
  expect(journal.pending).toMatchObject([{ accept: { head: { id: run.head.id } }, progress: fault }])
  await journal.commit()
  await expect(run.accepted).resolves.toBe(true)
  expect(run.ended).toMatchObject({ kind: 'ended', ...fault })
})

test('a fault by an unwritable outcome aborts the effects under way', async () => {
  const { journal, effects } = startTestRun(workflowOf(fork(false, call('a'), call('b'))))
  await journal.commit()
  effects[0]?.resolve('deep')
  await settled()
  await journal.fail(tooDeep())
  expect(effects[1]?.call.signal.aborted).toBe(true)
})

test('a child that was to be cancelled by an unwritable write is cancelled with the fault', async () => {
  const { journal, effects } = startTestRun(workflowOf(fork(true, call('a'), runWorkflow('w'))))
  await journal.commit()
  await journal.commit()
  effects[0]?.resolve('deep')
  await settled()
  expect(journal.pending).toMatchObject([{ cancels: ['child-1'] }])
  await journal.fail(tooDeep())
  expect(journal.pending).toMatchObject([{ cancels: ['child-1'], progress: fault }])
})

test('an execution whose own error cannot be stored faults as not storable', async () => {
  const raise: TaskBody = { kind: 'raise', error: () => ({ type: 'about:blank', status: 500, title: 'deep' }) }
  const { journal, run } = startTestRun(workflowOf(raise), { entries: [] })
  await settled()
  expect(journal.pending).toMatchObject([{ entries: [], progress: { state: 'faulted', error: { title: 'deep' } } }])
  await journal.fail(tooDeep())
  await journal.commit()
  expect(run.ended).toMatchObject({ kind: 'ended', ...fault })
})

test('an execution whose fault cannot be stored is lost, without endless attempts', async () => {
  const { journal, run } = startTestRun(workflowOf(set({ x: 1 })))
  await settled()
  await journal.fail(tooDeep())
  await journal.fail(tooDeep())
  expect(run.ended).toMatchObject({ kind: 'lost' })
  await expect(run.accepted).rejects.toThrow(UnwritableError)
  expect(journal.pending).toEqual([])
})
