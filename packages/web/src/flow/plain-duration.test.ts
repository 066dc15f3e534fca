import { expect, test } from 'vitest'
import { isoDuration, plainDuration } from '#src/flow/plain-duration.ts'

test.each(['PT45M', 'PT36H', 'P3D', 'P2W'])('the time limit %s is a number and a unit, and is written as it was', (text) => {
  const plain = plainDuration(text)
  expect(plain === undefined ? undefined : isoDuration(plain)).toBe(text)
})

test.each(['P1DT12H', 'PT30S', '${ .limit }', 'P', ''])('the time limit "%s" is edited as a text', (text) => {
  expect(plainDuration(text)).toBeUndefined()
})
