import { getHeapSpaceStatistics } from 'node:v8'
import type { CompiledWorkflow } from '#core/node.ts'
import { createEngine } from '#durable/process/engine.ts'
import { createBatchScheduler } from '#postgres/journal/batch-scheduler.ts'
import { prepareWrite } from '#postgres/journal/prepare-write.ts'
import { createFakeEngine } from '#testing/fake-engine.ts'
import { call, set, workflowOf } from '#testing/nodes.ts'

// A process of its own, started with `--expose-gc` and an old generation so large that no major garbage collection occurs by itself. Prints the
// bytes that each execution leaves in the old generation while 32 run at a time, as under the load of the bench.
const warmUp = 4_000
const counted = 6_000
const atOnce = 32
const waitMs = 10_000

async function main(): Promise<void> {
  for (const [name, workflow] of Object.entries({ sets: workflowOf(set(1), set(2), set(3)), effects: workflowOf(call('a'), call('a')) }))
    process.stdout.write(`${name} ${await promotedBytes(workflow)}\n`)
}

async function promotedBytes(workflow: CompiledWorkflow): Promise<number> {
  const runOne = createRunner(workflow)
  await runMany(runOne, warmUp)
  collect()
  const before = oldBytes()
  await runMany(runOne, counted)
  return Math.round((oldBytes() - before) / counted)
}

/** An engine whose writes are batched as in production, and committed without a database. */
function createRunner(workflow: CompiledWorkflow): () => Promise<void> {
  const { deps } = createFakeEngine(workflow, { a: async () => null })
  const scheduler = createBatchScheduler({ lanes: 3, batchMax: 200 }, async (batch) => {
    await new Promise((resolve) => setTimeout(resolve, 1))
    for (const { resolve } of batch) resolve({ refused: false })
  })
  const journal = {
    write: (write: Parameters<typeof prepareWrite>[0]) =>
      new Promise<{ readonly refused: boolean }>((resolve, reject) =>
        scheduler.add({ prepared: prepareWrite(write), processId: '', resolve, reject }),
      ),
  }
  const engine = createEngine({ ...deps, journal }, { liveMax: 1_000 })
  const accountId = 'account'
  const request = { accountId, workflowId: 'wf', versionId: 'wfv', trigger: 'manual', actor: 'user:test', input: {} }
  return async () => {
    const started = await engine.start(request)
    const end =
      started.replayed || started.snapshot.state === 'completed'
        ? 'completed'
        : (await engine.outcome(accountId, started.id, waitMs))?.state
    if (end !== 'completed') throw new Error(`an execution ended ${end}`)
  }
}

async function runMany(runOne: () => Promise<void>, count: number): Promise<void> {
  let left = count
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left-- > 0) await runOne()
    }),
  )
}

function collect(): void {
  if (globalThis.gc === undefined) throw new Error('start this process with --expose-gc')
  globalThis.gc()
}

function oldBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ?? Number.NaN
}

await main()
