import { afterEach, expect, test } from 'vitest'
import { defaultScriptLimits } from './limits.ts'
import { compileQuickjs } from './quickjs.ts'
import { type ScriptWorker, startWorker } from './worker.ts'

const started: ScriptWorker[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map((worker) => worker.stop()))
})

async function start(): Promise<ScriptWorker> {
  const worker = await startWorker({ wasm: await compileQuickjs(), limits: defaultScriptLimits })
  started.push(worker)
  return worker
}

const script = { code: `process.stdout.write('done')`, stdin: '', arguments: [], environment: {} }

test('a thread runs one script after the other', async () => {
  const worker = await start()
  const done = { kind: 'exited', code: 0, stdout: 'done', stderr: '' }
  expect(await worker.run(script)).toEqual(done)
  expect(await worker.run(script)).toEqual(done)
})

test('a thread that is stopped answers for the script that it was running', async () => {
  const worker = await start()
  const running = worker.run({ ...script, code: 'for (;;);' })
  await worker.stop()
  expect(await running).toMatchObject({ kind: 'crashed' })
  expect(await worker.ended).toBeUndefined()
})

test('a thread that has ended answers at once', async () => {
  const worker = await start()
  await worker.stop()
  expect(await worker.run(script)).toEqual({ kind: 'crashed', reason: 'it has ended' })
})

test('a sandbox that cannot be made is a crash, and not the end of the process', async () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A module that is none is what is tried.
  const wasm = undefined as unknown as Awaited<ReturnType<typeof compileQuickjs>>
  const worker = await startWorker({ wasm, limits: { ...defaultScriptLimits, memoryBytes: Number.NaN } })
  started.push(worker)
  expect(await worker.run(script)).toMatchObject({ kind: 'crashed' })
})
