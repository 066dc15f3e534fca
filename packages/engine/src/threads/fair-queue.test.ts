import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

function filled(items: readonly (readonly [string, number])[]) {
  const queue = createFairQueue<number>()
  for (const [key, item] of items) queue.add(key, item)
  return queue
}

function drain(queue: ReturnType<typeof filled>): readonly number[] {
  const items: number[] = []
  for (let item = queue.take(); item !== undefined; item = queue.take()) items.push(item)
  return items
}

test('an empty queue gives nothing', () => {
  expect(createFairQueue<number>().take()).toBeUndefined()
})

test('items of one key come in the order in which they were added', () => {
  expect(
    drain(
      filled([
        ['a', 1],
        ['a', 2],
        ['a', 3],
      ]),
    ),
  ).toEqual([1, 2, 3])
})

test('keys take turns, in whatever order their items came', () => {
  expect(
    drain(
      filled([
        ['a', 1],
        ['a', 2],
        ['a', 3],
        ['b', 4],
        ['c', 5],
        ['b', 6],
      ]),
    ),
  ).toEqual([1, 4, 5, 2, 6, 3])
})

test('who comes late waits for one item of each other key, and not for all', () => {
  const queue = filled([
    ['a', 1],
    ['a', 2],
    ['a', 3],
  ])
  queue.take()
  queue.add('b', 4)
  expect(drain(queue)).toEqual([2, 4, 3])
})

test('what is removed does not come, and is removed once', () => {
  const queue = filled([
    ['a', 1],
    ['a', 2],
    ['b', 3],
  ])
  expect([queue.remove('a', 1), queue.remove('a', 1), queue.remove('c', 1)]).toEqual([true, false, false])
  expect(drain(queue)).toEqual([2, 3])
})

test('a key whose only item is removed has no turn', () => {
  const queue = filled([
    ['a', 1],
    ['b', 2],
  ])
  queue.remove('a', 1)
  expect([queue.count('a'), queue.count('b'), queue.take(), queue.take()]).toEqual([0, 1, 2, undefined])
})

test('a key that may not be served is passed over, and keeps its turn', () => {
  const queue = filled([
    ['a', 1],
    ['a', 2],
    ['b', 3],
  ])
  expect(queue.take((key) => key !== 'a')).toBe(3)
  expect(queue.take((_, first) => first > 1)).toBeUndefined()
  expect(drain(queue)).toEqual([1, 2])
})

test('it is known how many keys wait', () => {
  const queue = filled([
    ['a', 1],
    ['a', 2],
    ['b', 3],
  ])
  expect(queue.keyCount()).toBe(2)
  queue.remove('b', 3)
  expect(queue.keyCount()).toBe(1)
})

test('it is known how many wait', () => {
  const queue = filled([
    ['a', 1],
    ['a', 2],
  ])
  expect([queue.count('a'), queue.count('b')]).toEqual([2, 0])
  queue.take()
  expect(queue.count('a')).toBe(1)
})

test('everything that is added comes once, in the order of its key', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c')), (keys) => {
      const items = keys.map((key, index) => [key, index] as const)
      const drained = drain(filled(items))
      expect(drained.toSorted((one, other) => one - other)).toEqual(items.map(([, item]) => item))
      for (const key of ['a', 'b', 'c']) {
        const own = drained.filter((item) => keys[item] === key)
        expect(own).toEqual(own.toSorted((one, other) => one - other))
      }
    }),
  )
})
