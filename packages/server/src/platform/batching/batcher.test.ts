import { expect, test } from 'vitest'
import { createBatcher } from './batcher.ts'

/** A load that writes down what it was asked, and ends when it is let. */
function gated() {
  const asked: (readonly number[])[] = []
  const gates: (() => void)[] = []
  const load = async (keys: readonly number[]) => {
    asked.push(keys)
    await new Promise<void>((resolve) => gates.push(resolve))
    return keys.map((key) => key * 10)
  }
  return { asked, gates, load }
}

const turn = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)))

test('look-ups of one turn share one load, and each gets its own answer', async () => {
  const asked: (readonly number[])[] = []
  const get = createBatcher<number, string>({
    load: (keys) => {
      asked.push(keys)
      return Promise.resolve(keys.map((key) => `value ${key}`))
    },
    lanes: 1,
    keysMax: 10,
  })
  expect(await Promise.all([get(1), get(2), get(1)])).toEqual(['value 1', 'value 2', 'value 1'])
  expect(asked).toEqual([[1, 2, 1]])
})

test('keys that arrive while all lanes are busy are loaded together by the next load', async () => {
  const { asked, gates, load } = gated()
  const get = createBatcher({ load, lanes: 1, keysMax: 10 })
  const first = get(1)
  await turn()
  const later = [get(2), get(3)]
  await turn()
  expect(asked).toEqual([[1]])
  gates[0]?.()
  expect(await first).toBe(10)
  await turn()
  expect(asked).toEqual([[1], [2, 3]])
  gates[1]?.()
  expect(await Promise.all(later)).toEqual([20, 30])
})

test('no look-up joins a load that has begun', async () => {
  const { asked, gates, load } = gated()
  const get = createBatcher({ load, lanes: 2, keysMax: 10 })
  const first = get(1)
  await turn()
  const second = get(1)
  await turn()
  expect(asked).toEqual([[1], [1]])
  for (const open of gates) open()
  expect(await Promise.all([first, second])).toEqual([10, 10])
})

test('a load has at most so many keys', async () => {
  const asked: number[] = []
  const load = (keys: readonly number[]) => {
    asked.push(keys.length)
    return Promise.resolve(keys)
  }
  const get = createBatcher({ load, lanes: 1, keysMax: 4 })
  await Promise.all(Array.from({ length: 10 }, (_, key) => get(key)))
  expect(asked).toEqual([4, 4, 2])
})

test('a load that fails fails for all of its keys, and the next one is tried', async () => {
  let calls = 0
  const get = createBatcher<number, number>({
    load: (keys) => (++calls === 1 ? Promise.reject(new Error('away')) : Promise.resolve(keys)),
    lanes: 1,
    keysMax: 10,
  })
  await expect(Promise.all([get(1), get(2)])).rejects.toThrow('away')
  expect(await get(3)).toBe(3)
})

test('a load that returns fewer values than keys rejects every look-up', async () => {
  const get = createBatcher<number, number>({ load: () => Promise.resolve([]), lanes: 1, keysMax: 10 })
  await expect(get(1)).rejects.toThrow('1 keys were loaded as 0 values')
})

test('a key that makes its load fail fails no other key of the load', async () => {
  const get = createBatcher<number, number>({
    load: (keys) => (keys.includes(2) ? Promise.reject(new Error('2 is no key')) : Promise.resolve(keys)),
    lanes: 1,
    keysMax: 10,
    isOfKey: (cause) => cause instanceof Error && cause.message === '2 is no key',
  })
  const [first, bad, last] = await Promise.allSettled([get(1), get(2), get(3)])
  expect([first, last]).toEqual([1, 3].map((value) => ({ status: 'fulfilled', value })))
  expect(bad.status).toBe('rejected')
})
