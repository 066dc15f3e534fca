import { createHmac } from 'node:crypto'
import type { JsonObject } from '@millrace/engine'
import { membersOf } from '@millrace/engine'
import { describe, expect, test } from 'vitest'
import type { DataOperation } from './data-job.ts'
import { performData } from './perform-data.ts'

async function done(operation: DataOperation, args: JsonObject): Promise<JsonObject> {
  const outcome = await performData({ operation, arguments: args })
  return outcome.kind === 'invalid' ? { refused: outcome.detail } : membersOf(outcome.value)
}

describe('crypto', () => {
  const keyBase64 = Buffer.alloc(32, 7).toString('base64')

  test.each<[DataOperation, JsonObject, string]>([
    // FIPS 180-2 and RFC 1321.
    ['crypto.hash', { text: 'abc' }, 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    ['crypto.hash', { contentBase64: 'YWJj', algorithm: 'md5' }, '900150983cd24fb0d6963f7d28e17f72'],
    ['crypto.hash', { text: 'abc', algorithm: 'sha1', encoding: 'base64' }, 'qZk+NkcGgWq6PiVxeFDCbJzQ2J0='],
    // RFC 4231, case 2.
    [
      'crypto.hmac',
      { text: 'what do ya want for nothing?', key: 'Jefe' },
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    ],
  ])('%s of %j is that of its standard', async (operation, args, digest) => {
    expect(await done(operation, args)).toEqual({ digest })
  })

  test('a key of bytes is taken as bytes', async () => {
    const digest = createHmac('sha512', Buffer.from([0, 255]))
      .update('ü')
      .digest('base64url')
    expect(await done('crypto.hmac', { text: 'ü', keyBase64: 'AP8=', algorithm: 'sha512', encoding: 'base64url' })).toEqual({ digest })
  })

  test('what was encrypted is decrypted by the same key, and by no other', async () => {
    const { encryptedBase64 = '' } = await done('crypto.encrypt', { text: 'Grüße', keyBase64 })
    expect(await done('crypto.decrypt', { encryptedBase64, keyBase64 })).toEqual({ text: 'Grüße' })
    const other = Buffer.alloc(32, 8).toString('base64')
    expect(await done('crypto.decrypt', { encryptedBase64, keyBase64: other })).toEqual({ refused: expect.stringContaining('another key') })
    expect((await done('crypto.encrypt', { text: 'Grüße', keyBase64 }))['encryptedBase64']).not.toBe(encryptedBase64)
  })

  test.each<[string, DataOperation, JsonObject, RegExp]>([
    ['a short key', 'crypto.encrypt', { text: 'a', keyBase64: 'YWJj' }, /3 bytes and must have 32/],
    ['nothing to hash', 'crypto.hash', {}, /either text or contentBase64/],
    ['a text that is too short to be encrypted', 'crypto.decrypt', { keyBase64, encryptedBase64: 'YWJj' }, /too short/],
  ])('%s is refused', async (_what, operation, args, words) => {
    expect((await done(operation, args))['refused']).toMatch(words)
  })

  test('random values differ and have the length that is asked for', async () => {
    const [first, second] = [await done('crypto.random', { bytes: 8 }), await done('crypto.random', { bytes: 8 })]
    expect(first).toEqual({ value: expect.stringMatching(/^[0-9a-f]{16}$/), uuid: expect.stringMatching(/^[0-9a-f-]{36}$/) })
    expect(second['value']).not.toBe(first['value'])
  })
})

describe('dates', () => {
  const utc = { pattern: 'dd.MM.yyyy HH:mm' }

  test.each<[JsonObject, string]>([
    [{ text: '24.11.2026 09:30', ...utc }, '2026-11-24T09:30:00Z'],
    [{ text: '24.11.2026 09:30', ...utc, timeZone: 'Asia/Bahrain' }, '2026-11-24T09:30:00+03:00'],
    [{ text: '1/2/26 12:05 AM', pattern: 'M/d/yy h:mm a' }, '2026-01-02T00:05:00Z'],
    [{ text: '2026-11-24', pattern: 'yyyy-MM-dd' }, '2026-11-24T00:00:00Z'],
    [{ text: '20261124T093001', pattern: "yyyyMMdd'T'HHmmss" }, '2026-11-24T09:30:01Z'],
  ])('%j is read', async (args, time) => {
    expect(await done('date.parse', args)).toEqual({ time, timestamp: Date.parse(time) })
  })

  test.each<[JsonObject, string]>([
    [{ time: '2026-11-24T21:05:00Z', pattern: 'EEEE, d MMMM yyyy, h:mm a' }, 'Tuesday, 24 November 2026, 9:05 PM'],
    [{ time: '2026-11-24T21:05:00Z', pattern: 'yyyy-MM-dd HH:mm xxx', timeZone: 'Asia/Bahrain' }, '2026-11-25 00:05 +03:00'],
    [{ time: '2026-11-24', pattern: "d. MMMM 'um' HH 'o''clock'", locale: 'de' }, "24. November um 00 o'clock"],
  ])('%j is written', async (args, text) => {
    expect(await done('date.format', args)).toEqual({ text })
  })

  test('a day is added in the calendar of the time zone', async () => {
    const added = { time: '2026-03-28T12:00:00+01:00', timeZone: 'Europe/Berlin' }
    expect((await done('date.add', { ...added, duration: 'P1D' }))['time']).toBe('2026-03-29T12:00:00+02:00')
    expect((await done('date.add', { ...added, duration: 'PT24H' }))['time']).toBe('2026-03-29T13:00:00+02:00')
    expect((await done('date.add', { time: '2026-01-31T00:00:00Z', duration: 'P1M' }))['time']).toBe('2026-02-28T00:00:00Z')
    expect((await done('date.add', { time: '2026-01-31T00:00:00Z', duration: '-PT1.5S' }))['time']).toBe('2026-01-30T23:59:58.500Z')
  })

  test('the difference is counted in the unit', async () => {
    const days = { from: '2026-01-01T00:00:00Z', to: '2026-01-03T12:00:00Z' }
    expect(await done('date.difference', days)).toEqual({ value: 2.5, duration: 'P2D' })
    expect(await done('date.difference', { ...days, unit: 'hours' })).toEqual({ value: 60, duration: 'PT60H' })
    expect((await done('date.difference', { from: '2024-03-01', to: '2026-02-28', unit: 'years' }))['duration']).toBe('P1Y')
  })

  test.each<[string, DataOperation, JsonObject, RegExp]>([
    ['a day that does not exist', 'date.parse', { text: '31.02.2026 00:00', ...utc }, /\S/],
    ['a text of another form', 'date.parse', { text: '2026-11-24', ...utc }, /does not have the form/],
    ['a pattern without a year', 'date.parse', { text: '24.11', pattern: 'dd.MM' }, /year, month and day/],
    ['an unknown letter', 'date.format', { time: '2026-11-24', pattern: 'Q' }, /"Q" cannot be written/],
    ['an unknown time zone', 'date.format', { time: '2026-11-24', pattern: 'd', timeZone: 'Mars/Olympus' }, /not a time zone/],
    ['a time of another form', 'date.add', { time: 'tomorrow', duration: 'P1D' }, /\/time is not a time/],
    ['a time beyond the calendar', 'date.add', { time: '2026-11-24', duration: 'P9999999Y' }, /\S/],
  ])('%s is refused', async (_what, operation, args, words) => {
    expect((await done(operation, args))['refused']).toMatch(words)
  })
})
