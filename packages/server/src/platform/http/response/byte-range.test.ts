import { expect, test } from 'vitest'
import { byteRangeOf } from './byte-range.ts'

const file = { bytes: 1000, etag: '"abc"' }
const asked = (range: string | undefined, ifRange?: string) => byteRangeOf({ range, ifRange }, file)

test.each([
  ['bytes=0-', 0, 1000],
  ['bytes=500-', 500, 1000],
  ['bytes=0-0', 0, 1],
  ['bytes=990-2000', 990, 1000],
  ['bytes=-10', 990, 1000],
  ['bytes=-5000', 0, 1000],
])('%s of a file of 1000 bytes is a part of it', (range, from, to) => {
  expect(asked(range)).toEqual({ from, to })
  expect(asked(range, '"abc"')).toEqual({ from, to })
})

test.each([undefined, '', 'bytes=-', 'bytes=1000-', 'bytes=-0', 'bytes=9-3', 'bytes=0-1,5-6', 'items=0-1', 'bytes=a-'])(
  '%s asks for the whole file',
  (range) => {
    expect(asked(range)).toBeUndefined()
  },
)

test('a part of a file that has changed since is the whole file', () => {
  expect(asked('bytes=5-', '"other"')).toBeUndefined()
  expect(asked('bytes=5-', 'Sat, 28 Nov 2026 08:00:00 GMT')).toBeUndefined()
})
