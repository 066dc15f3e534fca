import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createUsageRecorder } from './usage-recorder.ts'

const fail = (error: unknown) => {
  throw error
}

test('many uses are one write, with the last of each', async () => {
  const written: ReadonlyMap<string, number>[] = []
  const recorder = createUsageRecorder<number>({ write: async (used) => void written.push(used), delayMs: 60_000, onError: fail })
  for (let i = 0; i < 100; i++) recorder.record(i % 2 === 0 ? 'even' : 'odd', i)
  await recorder.flush()
  expect(written).toEqual([
    new Map([
      ['even', 98],
      ['odd', 99],
    ]),
  ])
})

test('recorded uses are written after the delay', async () => {
  const { promise, resolve } = Promise.withResolvers<ReadonlyMap<string, number>>()
  const recorder = createUsageRecorder<number>({ write: async (used) => resolve(used), delayMs: 1, onError: fail })
  recorder.record('a', 1)
  expect(await Promise.race([promise, delay(5000)])).toEqual(new Map([['a', 1]]))
})

test('uses recorded during a write are written by the next', async () => {
  const written: string[][] = []
  const gate = Promise.withResolvers<void>()
  const write = async (used: ReadonlyMap<string, number>) => {
    written.push([...used.keys()])
    await gate.promise
  }
  const recorder = createUsageRecorder<number>({ write, delayMs: 60_000, onError: fail })
  recorder.record('a', 1)
  const first = recorder.flush()
  recorder.record('b', 2)
  const second = recorder.flush()
  gate.resolve()
  await Promise.all([first, second])
  expect(written).toEqual([['a'], ['b']])
})

test('a write that fails is reported and breaks nothing', async () => {
  const errors: unknown[] = []
  const cause = new Error('the database is away')
  const recorder = createUsageRecorder<number>({
    write: () => Promise.reject(cause),
    delayMs: 60_000,
    onError: (error) => errors.push(error),
  })
  recorder.record('a', 1)
  await recorder.flush()
  expect(errors).toEqual([cause])
})

test('without a use nothing is written', async () => {
  const recorder = createUsageRecorder<number>({ write: () => Promise.reject(new Error('written')), delayMs: 60_000, onError: fail })
  await expect(recorder.flush()).resolves.toBeUndefined()
})
