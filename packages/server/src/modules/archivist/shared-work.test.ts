import { expect, test } from 'vitest'
import { createSharedWork } from './shared-work.ts'

function setUp(perAccountMax = 1) {
  const clock = { now: 0 }
  const share = createSharedWork<string>({ now: () => clock.now, perAccountMax })
  const begun: string[] = []
  const gates = new Map<string, () => void>()
  const want = (accountId: string, name: string, isFinal = true, value = name) =>
    share({
      accountId,
      name,
      isFinal: () => isFinal,
      compute: async () => {
        begun.push(`${accountId}/${name}`)
        await new Promise<void>((resolve) => gates.set(`${accountId}/${name}`, resolve))
        return value
      },
    })
  const finish = async (key: string) => {
    await expect.poll(() => gates.has(key)).toBe(true)
    gates.get(key)?.()
    gates.delete(key)
  }
  return { clock, begun, want, finish }
}

test('requests for the same result share one computation, and a final result is kept for a minute', async () => {
  const { clock, begun, want, finish } = setUp()
  const both = Promise.all([want('a', 'x'), want('a', 'x')])
  await finish('a/x')
  expect(await both).toEqual(['x', 'x'])
  clock.now = 59_999
  expect(await want('a', 'x')).toBe('x')
  expect(begun).toEqual(['a/x'])
  clock.now = 60_000
  const again = want('a', 'x')
  await finish('a/x')
  await again
  expect(begun).toHaveLength(2)
})

test('a result that can change is computed for each request, and another account never gets it', async () => {
  const { begun, want, finish } = setUp()
  for (const account of ['a', 'a', 'b']) {
    const work = want(account, 'x', false)
    await finish(`${account}/x`)
    await work
  }
  expect(begun).toEqual(['a/x', 'a/x', 'b/x'])
})

test('the computations of one account wait for each other, not for those of others, and no more than twenty wait', async () => {
  const { begun, want, finish } = setUp()
  const all = [...Array(21).keys()].map((index) => want('a', `${index}`))
  const other = want('b', 'x')
  expect(begun).toEqual(['a/0', 'b/x'])
  await expect(want('a', 'late')).rejects.toMatchObject({ code: 'overloaded' })
  await finish('b/x')
  for (const index of all.keys()) await finish(`a/${index}`)
  expect((await Promise.all(all)).length + (await other).length).toBe(22)
})

test('a computation that fails frees its place and is not kept', async () => {
  const share = createSharedWork<string>({ now: () => 0, perAccountMax: 1 })
  const fails = { accountId: 'a', name: 'x', isFinal: () => true, compute: () => Promise.reject(new Error('no')) }
  await expect(share(fails)).rejects.toThrow('no')
  await expect(share({ ...fails, compute: () => Promise.resolve('yes') })).resolves.toBe('yes')
})

test('results beyond the memory are dropped, the oldest first', async () => {
  const computed: string[] = []
  const share = createSharedWork<string>({ now: () => 0 })
  const want = (name: string) =>
    share({
      accountId: 'a',
      name,
      isFinal: () => true,
      compute: () => {
        computed.push(name)
        return Promise.resolve('x'.repeat(20 * 1024 * 1024))
      },
    })
  for (const name of ['one', 'two', 'two', 'one']) await want(name)
  expect(computed).toEqual(['one', 'two', 'one'])
})
