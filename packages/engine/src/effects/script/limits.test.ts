import { expect, test } from 'vitest'
import { bytesText } from './limits.ts'

test.each([
  [0, '0 bytes'],
  [1_023, '1023 bytes'],
  [1_024, '1 KiB'],
  [1_536, '1.5 KiB'],
  [262_144, '256 KiB'],
  [1_048_576, '1 MiB'],
  [67_108_864, '64 MiB'],
  [1_153_434, '1.1 MiB'],
])('%i bytes are written as %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text)
})
