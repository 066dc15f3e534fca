import { expect, test, vi } from 'vitest'
import { claimed, createFakeEngine } from '#testing/fake-engine.ts'
import { call, workflowOf } from '#testing/nodes.ts'
import { createRunRegistry } from './run-registry.ts'
import { createWorker } from './worker.ts'

test('a crash suspect that made progress makes room for the next suspect while it still runs', async () => {
  const first = Promise.withResolvers<null>()
  const fake = createFakeEngine(workflowOf(call('a'), call('b')), { a: () => first.promise, b: () => new Promise(() => undefined) })
  const live = createRunRegistry(fake.deps, { liveMax: 10 })
  const worker = createWorker(fake.deps, live, { liveMax: 10 })
  const { answers, journal, suspectsMaxes } = fake
  answers.taken.push({ jobId: 'job', suspect: true, execution: claimed('e1') })
  worker.start()
  await vi.waitFor(() => expect(live.size()).toBe(1))
  worker.wake()
  await vi.waitFor(() => expect(suspectsMaxes.at(-1)).toBe(0))
  first.resolve(null)
  await journal.commit()
  await vi.waitFor(() => expect(suspectsMaxes.at(-1)).toBe(1))
  expect(live.size()).toBe(1)
  await worker.stop()
})
