import { expect, test } from 'vitest'
import { isJsonType, isTextType, parseMediaType } from './media-type.ts'

test.each([
  ['application/json', 'application/json', undefined],
  ['Application/JSON; Charset=UTF-8', 'application/json', 'utf-8'],
  ['text/html;charset="iso-8859-1"', 'text/html', 'iso-8859-1'],
  ['text/plain; format=flowed; charset=utf-16', 'text/plain', 'utf-16'],
  ['application/vnd.api+json', 'application/vnd.api+json', undefined],
  ['multipart/form-data; boundary=x', 'multipart/form-data', undefined],
])('%s is read', (header, essence, charset) => {
  expect(parseMediaType(header)).toEqual({ essence, charset })
})

test.each([[undefined], [''], ['json'], ['/'], ['a b/c'], ['application/json application/xml']])('%j is not a media type', (header) => {
  expect(parseMediaType(header)).toBeUndefined()
})

test.each(['application/json', 'text/json', 'application/problem+json', 'application/vnd.github.v3+json'])('%s is JSON', (essence) => {
  expect(isJsonType(essence)).toBe(true)
})

test.each([
  'text/plain',
  'text/csv',
  'application/xml',
  'image/svg+xml',
  'application/x-ndjson',
  'application/yaml',
  'application/x-www-form-urlencoded',
])('%s is text', (essence) => {
  expect(isTextType(essence)).toBe(true)
  expect(isJsonType(essence)).toBe(false)
})

test.each(['application/octet-stream', 'image/png', 'application/pdf', 'application/zip', 'application/jsonp-like'])(
  '%s is neither',
  (essence) => {
    expect(isJsonType(essence) || isTextType(essence)).toBe(false)
  },
)
