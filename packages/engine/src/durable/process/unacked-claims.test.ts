import { expect, test, vi } from 'vitest'
import type { ClaimedJob } from '#durable/ports/store.ts'
import { claimed, createFakeEngine, headOf } from '#testing/fake-engine.ts'
import { settled } from '#testing/manual-journal.ts'
import { call, runWorkflow, set, workflowOf } from '#testing/nodes.ts'
import { createRunRegistry } from './run-registry.ts'
import { createSupervisor } from './supervisor.ts'
import { createWorker } from './worker.ts'

const options = { liveMax: 10 }

function setUp(workflow = workflowOf(call('a'))) {
  const fake = createFakeEngine(workflow, { a: () => new Promise(() => undefined) })
  const live = createRunRegistry(fake.deps, options)
  return { ...fake, live, worker: createWorker(fake.deps, live, options) }
}

test('after a claim with an uncertain commit, the worker looks for executions that were claimed by it', async () => {
  const { worker, live, answers, storeCalls } = setUp()
  answers.failing = 'claim'
  answers.unackedClaims = ['e9']
  worker.start()
  await vi.waitFor(() => expect(storeCalls).toContain('claim 10'))
  answers.failing = undefined
  answers.taken = [{ jobId: 'j1', execution: claimed('e1'), suspect: false }]
  worker.wake()
  await vi.waitFor(() => expect(live.size()).toBe(1))
  expect(live.takeLost()).toEqual(['e9'])
  worker.wake()
  await vi.waitFor(() => expect(storeCalls).toContain('findUnackedClaims e1'))
  await worker.stop()
})

test('claims of lost executions are abandoned before the next claim or after it, so that none is abandoned that was just made', async () => {
  const fake = createFakeEngine(workflowOf(call('a')), { a: () => new Promise(() => undefined) })
  const claiming = Promise.withResolvers<readonly ClaimedJob[]>()
  let claims = 0
  const deps = { ...fake.deps, store: { ...fake.deps.store, claim: () => (++claims === 1 ? claiming.promise : Promise.resolve([])) } }
  const live = createRunRegistry(deps, options)
  const [worker, supervisor] = [createWorker(deps, live, options), createSupervisor(deps, live, options)]
  const abandoned = () => fake.storeCalls.filter((name) => name.startsWith('abandonClaims'))
  worker.start()
  await vi.waitFor(() => expect(claims).toBe(1))
  live.addLost(['e1', 'e2'])
  supervisor.start()
  await vi.waitFor(() => expect(fake.storeCalls).toContain('recover'))
  await settled()
  expect(abandoned()).toEqual([])
  claiming.resolve([{ jobId: 'j1', execution: claimed('e1'), suspect: false }])
  await vi.waitFor(() => expect(abandoned()).toEqual(['abandonClaims e2']))
  await supervisor.stop()
  await worker.stop()
})

test('a job whose end could not be recorded is ended in a later turn, also while there is no room for another', async () => {
  const fake = createFakeEngine(workflowOf(set({ x: 1 })))
  const live = createRunRegistry(fake.deps, { liveMax: 1 })
  const ended: string[][] = []
  const done = async (jobIds: readonly string[]) => {
    ended.push([...jobIds])
    if (ended.length === 1) throw new Error('the connection was lost')
  }
  const worker = createWorker({ ...fake.deps, queue: { ...fake.deps.queue, done } }, live, { liveMax: 1 })
  fake.answers.taken = [{ jobId: 'j1', execution: claimed('e1'), suspect: false }]
  worker.start()
  await vi.waitFor(() => expect(live.size()).toBe(1))
  await live.begin(headOf('e2'))
  await fake.journal.commit()
  await vi.waitFor(() => expect(ended).toEqual([['j1']]))
  worker.wake()
  await vi.waitFor(() => expect(ended).toEqual([['j1'], ['j1']]))
  await worker.stop()
})

test('while claims succeed, the worker does not look for unacknowledged claims', async () => {
  const { worker, storeCalls } = setUp()
  worker.start()
  await vi.waitFor(() => expect(storeCalls).toContain('claim 10'))
  worker.wake()
  await vi.waitFor(() => expect(storeCalls.filter((name) => name === 'claim 10')).toHaveLength(2))
  await worker.stop()
  expect(storeCalls.some((name) => name.startsWith('findUnackedClaims'))).toBe(false)
})

test('a child whose start has an uncertain commit is lost together with its parent', async () => {
  const { live, journal } = setUp(workflowOf(runWorkflow('child')))
  const run = await live.resume(claimed('e1'))
  await vi.waitFor(() => expect(journal.pending).toHaveLength(1))
  const [write] = journal.pending
  await journal.fail()
  await run?.end
  expect(live.takeLost()).toEqual(['e1', write?.children[0]?.head.id])
})
