import { expect, test, vi } from 'vitest'
import { claimed, createFakeEngine } from '#testing/fake-engine.ts'
import { call, runWorkflow, workflowOf } from '#testing/nodes.ts'
import { createRunRegistry } from './run-registry.ts'
import { createWorker } from './worker.ts'

const options = { liveMax: 10 }

function setUp(workflow = workflowOf(call('a'))) {
  const fake = createFakeEngine(workflow, { a: () => new Promise(() => undefined) })
  const live = createRunRegistry(fake.deps, options)
  return { ...fake, live, worker: createWorker(fake.deps, live, options) }
}

test('after a take of which it is not known whether it is in the database, its process looks for what it took', async () => {
  const { worker, live, answers, storeCalls: asked } = setUp()
  answers.failing = 'claim'
  answers.unackedClaims = ['e9']
  worker.start()
  await vi.waitFor(() => expect(asked).toContain('claim 10'))
  answers.failing = undefined
  answers.taken = [{ jobId: 'j1', execution: claimed('e1'), suspect: false }]
  worker.wake()
  await vi.waitFor(() => expect(live.size()).toBe(1))
  expect(live.takeLost()).toEqual(['e9'])
  worker.wake()
  await vi.waitFor(() => expect(asked).toContain('findUnackedClaims j1'))
  await worker.stop()
})

test('while takes succeed nobody looks for strays', async () => {
  const { worker, storeCalls: asked } = setUp()
  worker.start()
  await vi.waitFor(() => expect(asked).toContain('claim 10'))
  worker.wake()
  await vi.waitFor(() => expect(asked.filter((name) => name === 'claim 10')).toHaveLength(2))
  await worker.stop()
  expect(asked.some((name) => name.startsWith('findUnackedClaims'))).toBe(false)
})

test('a child whose beginning is in doubt is lost with its parent, so that it does not belong to a process that does not run it', async () => {
  const { live, journal } = setUp(workflowOf(runWorkflow('child')))
  const run = await live.resume(claimed('e1'))
  await vi.waitFor(() => expect(journal.pending).toHaveLength(1))
  const [write] = journal.pending
  await journal.fail()
  await run.end
  expect(live.takeLost()).toEqual(['e1', write?.children[0]?.head.id])
})
