import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createIdSource } from './id-source.ts'

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('ids are UUIDs of version 7 with the time in front, and sort as they were made, also within one millisecond', () => {
  const newId = createIdSource({ now: () => 0x0189_0a5d_ac96, randomBytes })
  const ids = Array.from({ length: 2_000 }, newId)
  for (const id of ids) expect(id).toMatch(pattern)
  expect(new Set(ids.map((id) => id.slice(0, 13)))).toEqual(new Set(['01890a5d-ac96']))
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
})

test('ids go on growing when the clock is set back', () => {
  const times = [2_000, 1_000, 1_500]
  const newId = createIdSource({ now: () => times.shift() ?? 1_500, randomBytes })
  const ids = Array.from({ length: 3 }, newId)
  expect(ids.toSorted()).toEqual(ids)
})

test('ids of two sources at the same time differ', () => {
  const make = createIdSource({ now: () => 5, randomBytes })
  const other = createIdSource({ now: () => 5, randomBytes })
  expect(make()).not.toBe(other())
})

test('the system is asked for randomness once for hundreds of ids', () => {
  let asked = 0
  const newId = createIdSource({
    now: () => 5,
    randomBytes(size) {
      asked += 1
      return randomBytes(size)
    },
  })
  for (let count = 0; count < 512; count++) newId()
  expect(asked).toBe(2)
})
