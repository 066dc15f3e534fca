import { expect, test } from 'vitest'
import { compareVersions } from './compare-versions.ts'

test('versions are ordered as Semantic Versioning orders them', () => {
  // The example of clause 11, with numbers that text would order wrongly.
  const ordered = [
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    '1.2.0',
    '1.10.0',
    '2.0.0',
    '10.0.0',
  ]
  expect(ordered.toReversed().toSorted(compareVersions)).toEqual(ordered)
})

test('build metadata is ignored', () => {
  expect(compareVersions('1.0.0+one', '1.0.0+two')).toBe(0)
})
