import { randomBytes } from 'node:crypto'
import { typeId } from '@millrace/contract'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { createIdSource, fromTypeId, idOf, leastId, newId, toTypeId } from './ids.ts'

test('an id comes back from the wire as it went out', () => {
  for (let i = 0; i < 200; i++) {
    const id = newId()
    const text = toTypeId('exec', id)
    expect(typeId('exec').safeParse(text).success).toBe(true)
    expect(fromTypeId('exec', text)).toBe(id)
  }
})

test('the ids that the reference shows are ids that we could have made', () => {
  for (const prefix of ['wf', 'exec', 'dlt'] as const) {
    const [example = ''] = z.array(z.string()).parse(typeId(prefix).meta()?.examples)
    expect(fromTypeId(prefix, example)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  }
})

test('every text of the form of an id is one, whether or not we could have made it', () => {
  expect(fromTypeId('wf', 'wf_00000000000000000000000000')).toBe('00000000-0000-0000-0000-000000000000')
  expect(fromTypeId('wf', 'wf_7zzzzzzzzzzzzzzzzzzzzzzzzz')).toBe('ffffffff-ffff-ffff-ffff-ffffffffffff')
  expect(fromTypeId('wf', 'wf_01jd0000000000000000000000')).toBe('01934000-0000-0000-0000-000000000000')
})

test('an id of another kind, case or length is refused', () => {
  const text = toTypeId('wf', '01890a5d-ac96-774b-bcce-b302099a8057')
  expect(text).toBe('wf_01h455vb4pex5vsknk084sn02q')
  for (const wrong of [
    text.toUpperCase(),
    `exec${text.slice(2)}`,
    `${text}0`,
    text.slice(0, -1),
    text.replace('_01', '_81'),
    '',
    'wf_',
    '__proto__',
  ])
    expect(fromTypeId('wf', wrong)).toBeUndefined()
})

test('ids made one after another sort in that order', () => {
  const ids = Array.from({ length: 1000 }, newId)
  expect(ids.toSorted()).toEqual(ids)
})

test('an id of a request is the one that was made, and a path without one leads nowhere', () => {
  const id = newId()
  expect(idOf('wf', toTypeId('wf', id))).toBe(id)
  expect(() => idOf('exec', toTypeId('wf', id))).toThrow(expect.objectContaining({ code: 'not_found' }))
})

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('ids are UUIDs of version 7 with the time in front, and sort as they were made, also within one millisecond', () => {
  const nextId = createIdSource({ now: () => 0x0189_0a5d_ac96, randomBytes })
  const ids = Array.from({ length: 2_000 }, nextId)
  for (const id of ids) expect(id).toMatch(pattern)
  expect(new Set(ids.map((id) => id.slice(0, 13)))).toEqual(new Set(['01890a5d-ac96']))
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
})

test('ids increase even when the clock is set back', () => {
  const times = [2_000, 1_000, 1_500]
  const nextId = createIdSource({ now: () => times.shift() ?? 1_500, randomBytes })
  const ids = Array.from({ length: 3 }, nextId)
  expect(ids.toSorted()).toEqual(ids)
})

test('ids of two sources at the same time differ', () => {
  const make = createIdSource({ now: () => 5, randomBytes })
  const other = createIdSource({ now: () => 5, randomBytes })
  expect(make()).not.toBe(other())
})

test('the system is asked for randomness once for hundreds of ids', () => {
  let asked = 0
  const nextId = createIdSource({
    now: () => 5,
    randomBytes(size) {
      asked += 1
      return randomBytes(size)
    },
  })
  for (let count = 0; count < 512; count++) nextId()
  expect(asked).toBe(2)
})

test('ids of a time lie at or beyond its bound, and those of the millisecond before do not', () => {
  const at = Date.parse('2026-03-01T12:00:00.123Z')
  const idAt = (ms: number, byte: number) => createIdSource({ now: () => ms, randomBytes: (size) => Buffer.alloc(size, byte) })()
  expect(idAt(at, 0) >= leastId(at)).toBe(true)
  expect(idAt(at - 1, 255) < leastId(at)).toBe(true)
})

test('times that no id has are bounds all the same', () => {
  expect(leastId(-5)).toBe('00000000-0000-7000-8000-000000000000')
  expect(leastId(Number.MAX_SAFE_INTEGER)).toBe('ffffffff-ffff-7000-8000-000000000000')
  expect(leastId(1.5)).toBe(leastId(1))
})
