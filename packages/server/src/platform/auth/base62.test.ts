import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { randomBase62, toBase62 } from './base62.ts'

test('random text has the length asked for and nothing but letters and digits', () => {
  for (const length of [1, 30, 200]) expect(randomBase62(length, randomBytes)).toMatch(new RegExp(`^[0-9A-Za-z]{${length}}$`))
})

test('every character is as likely as any other', () => {
  const everyByte = Uint8Array.from({ length: 256 }, (_, index) => index)
  const counts = new Map<string, number>()
  for (const character of randomBase62(248, () => everyByte)) counts.set(character, (counts.get(character) ?? 0) + 1)
  expect(counts.size).toBe(62)
  expect(new Set(counts.values())).toEqual(new Set([4]))
})

test('a source that gives unusable bytes is asked again', () => {
  const given = [Uint8Array.from([255, 250]), Uint8Array.from([0, 61])]
  expect(randomBase62(2, () => given.shift() ?? new Uint8Array(0))).toBe('0z')
})

test('numbers are written in base 62 and filled up with zeros', () => {
  expect(toBase62(0, 6)).toBe('000000')
  expect(toBase62(61, 2)).toBe('0z')
  expect(toBase62(62, 1)).toBe('10')
  expect(toBase62(2 ** 32 - 1, 6)).toBe('4gfFC3')
})
