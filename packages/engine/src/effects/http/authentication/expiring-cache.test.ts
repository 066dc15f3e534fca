import { describe, expect, test } from 'vitest'
import { createExpiringCache } from './expiring-cache.ts'

interface Value {
  readonly name: string
}

function setup(entriesMax = 10): { cache: ReturnType<typeof createExpiringCache<Value>>; time: { now: number } } {
  const time = { now: 1_000 }
  return { cache: createExpiringCache<Value>(() => time.now, entriesMax), time }
}

const make =
  (name: string, expiresAtMs = 2_000) =>
  async (): Promise<{ value: Value; expiresAtMs: number }> => ({ value: { name }, expiresAtMs })
const fail = async (): Promise<never> => Promise.reject(new Error('no value'))

describe('taking', () => {
  test('makes a value once and gives it until it expires', async () => {
    const { cache, time } = setup()
    const first = await cache.take('a', make('first'))
    time.now = 1_999
    expect(await cache.take('a', make('second'))).toBe(first)
    time.now = 2_000
    expect(await cache.take('a', make('second'))).toEqual({ name: 'second' })
  })

  test('shares one making among those who ask at once', async () => {
    const { cache } = setup()
    const making = Promise.withResolvers<{ value: Value; expiresAtMs: number }>()
    let makings = 0
    const slow = (): typeof making.promise => {
      makings++
      return making.promise
    }
    const all = Promise.all([cache.take('a', slow), cache.take('a', slow), cache.take('a', slow)])
    making.resolve({ value: { name: 'one' }, expiresAtMs: 2_000 })
    const [first, second, third] = await all
    expect(first).toBe(second)
    expect(second).toBe(third)
    expect(makings).toBe(1)
  })

  test('keeps keys apart', async () => {
    const { cache } = setup()
    await cache.take('a', make('for a'))
    expect(await cache.take('b', make('for b'))).toEqual({ name: 'for b' })
  })

  test('fails for all who asked, and tries anew for the next', async () => {
    const { cache } = setup()
    const results = await Promise.allSettled([cache.take('a', fail), cache.take('a', fail)])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await cache.take('a', make('now'))).toEqual({ name: 'now' })
  })

  test('hands over the expired value', async () => {
    const { cache, time } = setup()
    const first = await cache.take('a', make('first'))
    time.now = 3_000
    const seen: unknown[] = []
    await cache.take('a', async (expired) => {
      seen.push(expired)
      return { value: { name: 'second' }, expiresAtMs: 4_000 }
    })
    await cache.take('b', async (expired) => {
      seen.push(expired)
      return { value: { name: 'b' }, expiresAtMs: 4_000 }
    })
    expect(seen).toEqual([first, undefined])
  })
})

describe('expiring by hand', () => {
  test('makes the next one ask anew', async () => {
    const { cache } = setup()
    cache.expire('a', await cache.take('a', make('first')))
    expect(cache.peek('a')).toBeUndefined()
    expect(await cache.take('a', make('second'))).toEqual({ name: 'second' })
  })

  test('does nothing to a value that has been replaced meanwhile', async () => {
    const { cache } = setup()
    const first = await cache.take('a', make('first'))
    cache.expire('a', first)
    const second = await cache.take('a', make('second'))
    cache.expire('a', first)
    expect(cache.peek('a')).toBe(second)
  })
})

test('the entry that was longest unused goes first when there are too many', async () => {
  const { cache } = setup(2)
  await cache.take('a', make('a'))
  await cache.take('b', make('b'))
  cache.peek('a')
  cache.put('c', { value: { name: 'c' }, expiresAtMs: 2_000 })
  expect([cache.peek('a'), cache.peek('b'), cache.peek('c')]).toEqual([{ name: 'a' }, undefined, { name: 'c' }])
})
