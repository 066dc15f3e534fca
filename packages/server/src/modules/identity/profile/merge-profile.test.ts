import { Fault, type JsonValue } from '@millrace/contract'
import { expect, test } from 'vitest'
import { mergeProfile, preferenceBytesMax, type ProfileChange } from './merge-profile.ts'
import type { Profile } from './profile-store.ts'

const profile: Profile = {
  emailVerified: true,
  name: 'Ada',
  locale: 'en',
  zone: 'Europe/Berlin',
  preferences: { theme: 'dark', columns: [1, 2] },
}

function pointersOf(change: ProfileChange): unknown {
  try {
    mergeProfile(profile, change)
    return 'accepted'
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return error.details.errors?.map(({ pointer }) => pointer)
  }
}

test.each([
  ['en', 'en'],
  ['EN-us', 'en-US'],
  ['ar-sa', 'ar-SA'],
  ['zh-hant-tw', 'zh-Hant-TW'],
  ['de-AT-1996', 'de-AT-1996'],
  ['sr-latn', 'sr-Latn'],
  ['iw', 'he'],
])('the language tag %s is stored as %s', (given, stored) => {
  expect(mergeProfile(profile, { locale: given }).locale).toBe(stored)
})

test.each(['e', 'en_US', 'english please', '-en', 'en-', 'x'.repeat(35), 'ar-SA-', '١٢'])('%j is no language tag', (locale) => {
  expect(pointersOf({ locale })).toEqual(['/locale'])
})

test.each([
  ['Asia/Riyadh', 'Asia/Riyadh'],
  ['asia/riyadh', 'Asia/Riyadh'],
  ['America/Argentina/Buenos_Aires', undefined],
  ['UTC', 'UTC'],
  ['Etc/GMT+3', 'Etc/GMT+3'],
])('the time zone %s is accepted', (given, stored) => {
  const { zone } = mergeProfile(profile, { zone: given })
  expect(zone).toBe(stored ?? zone)
  expect(() => new Intl.DateTimeFormat('en', { timeZone: zone ?? 'none' })).not.toThrow()
})

test.each(['+02:00', '-0500', 'Mars/Olympus', 'Berlin', ' ', 'Europe/Berlin; drop', '../etc'])('%j is no time zone', (zone) => {
  expect(pointersOf({ zone })).toEqual(['/zone'])
})

test('members that are not given stay, and null removes them', () => {
  expect(mergeProfile(profile, {})).toEqual(profile)
  expect(mergeProfile(profile, { name: 'Grace' })).toEqual({ ...profile, name: 'Grace' })
  expect(mergeProfile(profile, { name: null, locale: null, zone: null })).toEqual({
    ...profile,
    name: undefined,
    locale: undefined,
    zone: undefined,
  })
})

const merges: readonly [string, Record<string, JsonValue>, Record<string, JsonValue>][] = [
  ['a new member is added', { size: 1 }, { theme: 'dark', columns: [1, 2], size: 1 }],
  ['a given member replaces that of the same name', { theme: 'light' }, { theme: 'light', columns: [1, 2] }],
  ['an object is replaced as a whole', { theme: { a: 1 } }, { theme: { a: 1 }, columns: [1, 2] }],
  ['null removes a member', { theme: null }, { columns: [1, 2] }],
  ['null for an unknown member changes nothing', { other: null }, { theme: 'dark', columns: [1, 2] }],
  ['a list is replaced as a whole', { columns: [] }, { theme: 'dark', columns: [] }],
  ['false and 0 are values', { theme: false, columns: 0 }, { theme: false, columns: 0 }],
  ['null inside a member is a value', { theme: { a: null } }, { theme: { a: null }, columns: [1, 2] }],
]

test.each(merges)('of preferences, %s', (_, change, expected) => {
  expect(mergeProfile(profile, { preferences: change }).preferences).toEqual(expected)
  expect(profile.preferences).toEqual({ theme: 'dark', columns: [1, 2] })
})

test('a member with the name of the prototype is a member like any other', () => {
  const change: Record<string, JsonValue> = JSON.parse('{"__proto__":{"isOperator":true}}')
  const { preferences } = mergeProfile(profile, { preferences: change })
  expect(Object.keys(preferences)).toContain('__proto__')
  expect(Reflect.get(Object(preferences), 'isOperator')).toBe(undefined)
})

test.each([
  ['ASCII', 'x', 1],
  ['Arabic', 'م', 2],
  ['emoji', '🙂', 4],
])('the limit of preferences counts bytes of %s', (_, character, bytes) => {
  const empty = { ...profile, preferences: {} }
  const room = Math.floor((preferenceBytesMax - '{"a":""}'.length) / bytes)
  const at = (count: number) => mergeProfile(empty, { preferences: { a: character.repeat(count) } })
  expect(Object.keys(at(room).preferences)).toEqual(['a'])
  expect(() => at(room + 1)).toThrow(Fault)
})

test('a change that removes as much as it adds is accepted at the limit', () => {
  const full = { ...profile, preferences: { a: 'x'.repeat(preferenceBytesMax - 20) } }
  expect(mergeProfile(full, { preferences: { a: null, b: 'y'.repeat(preferenceBytesMax - 20) } }).preferences).toHaveProperty('b')
})
