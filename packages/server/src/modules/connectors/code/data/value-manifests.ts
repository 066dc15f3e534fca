import type { JsonObject } from '@millrace/engine'
import { objectOf } from './csv-manifests.ts'
import { charactersMax } from './limits.ts'

const content = {
  text: { type: 'string', maxLength: charactersMax, description: 'A text; its bytes in UTF-8 are taken.' },
  contentBase64: { type: 'string', maxLength: charactersMax, description: 'Bytes, in place of `text`.' },
}
const algorithm = {
  enum: ['sha256', 'sha384', 'sha512', 'sha3-256', 'sha1', 'md5'],
  description: 'sha256 unless given. sha1 and md5 protect nothing.',
}
const encoding = { enum: ['hex', 'base64', 'base64url'], description: 'hex unless given.' }
const keyBase64: JsonObject = { type: 'string', minLength: 1, maxLength: 10_000 }
const aesKey: JsonObject = { ...keyBase64, description: 'A key of 32 bytes as base64; a secret variable.' }

export const hash = objectOf([], { ...content, algorithm, encoding })
export const hmac = objectOf([], {
  ...content,
  algorithm,
  encoding,
  key: { type: 'string', minLength: 1, maxLength: 10_000, description: 'The key as text; a secret variable.' },
  keyBase64: { ...keyBase64, description: 'The key as bytes, in place of `key`.' },
})
export const digestOutput = objectOf(['digest'], { digest: { type: 'string' } })
export const random = objectOf([], { bytes: { type: 'integer', minimum: 1, maximum: 1_024, description: '32 unless given.' }, encoding })
export const randomOutput = objectOf(['value', 'uuid'], { value: { type: 'string' }, uuid: { type: 'string' } })
export const encrypt = objectOf(['keyBase64'], { ...content, keyBase64: aesKey })
export const encryptOutput = objectOf(['encryptedBase64'], { encryptedBase64: { type: 'string' } })
export const decrypt = objectOf(['keyBase64', 'encryptedBase64'], {
  keyBase64: aesKey,
  encryptedBase64: { type: 'string', minLength: 1, maxLength: charactersMax },
  as: { enum: ['text', 'base64'], description: 'text unless given.' },
})
export const decryptOutput = objectOf([], { text: { type: 'string' }, contentBase64: { type: 'string' } })

const time: JsonObject = {
  type: 'string',
  minLength: 4,
  maxLength: 100,
  description: 'ISO 8601, such as 2026-11-24T09:30:00Z; without an offset in the time zone.',
}
const timeZone: JsonObject = { type: 'string', minLength: 1, maxLength: 100, description: 'Such as Asia/Bahrain; UTC unless given.' }
const locale: JsonObject = {
  type: 'string',
  minLength: 2,
  maxLength: 50,
  description: 'Such as ar-BH, for names of months and days; en unless given.',
}
const pattern: JsonObject = {
  type: 'string',
  minLength: 1,
  maxLength: 200,
  description: 'Such as dd.MM.yyyy HH:mm; letters in apostrophes stay.',
}

export const dateParse = objectOf(['text', 'pattern'], { text: { type: 'string', minLength: 1, maxLength: 200 }, pattern, timeZone })
export const dateFormat = objectOf(['time', 'pattern'], { time, pattern, timeZone, locale })
export const dateAdd = objectOf(['time', 'duration'], {
  time,
  duration: { type: 'string', pattern: '^[+-]?P', maxLength: 100, description: 'ISO 8601, such as P1M or -PT90M.' },
  timeZone,
})
export const dateDifference = objectOf(['from', 'to'], {
  from: time,
  to: time,
  unit: { enum: ['years', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds'], description: 'days unless given.' },
  timeZone,
})
export const timeOutput = objectOf(['time', 'timestamp'], {
  time: { type: 'string' },
  timestamp: { type: 'integer', description: 'Milliseconds since 1970.' },
})
export const dateText = objectOf(['text'], { text: { type: 'string' } })
export const differenceOutput = objectOf(['value', 'duration'], {
  value: { type: 'number', description: 'In the unit, with fractions.' },
  duration: { type: 'string', description: 'In whole units, as ISO 8601.' },
})
