import { expect, test } from 'vitest'
import { SlotMap } from './slot-map.ts'

test('a slot map has the values that were set and not deleted', () => {
  const map = new SlotMap<{ readonly n: number }>()
  const [one, two, three, other] = [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]
  map.set('one', one)
  map.set('two', two)
  map.delete('one')
  map.delete('one')
  map.set('three', three)
  map.set('two', other)
  expect([map.size, map.get('one'), map.get('two'), map.get('three')]).toEqual([2, undefined, other, three])
  expect(new Set(map.values())).toEqual(new Set([other, three]))
  expect([...map.keys()]).toEqual(['two', 'three'])
})

test('a value that is deleted during an iteration over the values is still visited', () => {
  const map = new SlotMap<{ readonly n: number }>()
  for (const n of [0, 1, 2]) map.set(String(n), { n })
  const visited: number[] = []
  for (const { n } of map.values()) {
    visited.push(n)
    map.delete(String(n))
  }
  expect([visited, map.size]).toEqual([[0, 1, 2], 0])
})
