import { describe, expect, test } from 'vitest'
import { catalog } from '#src/testing/catalog.ts'
import { catalogFunction, compareVersions } from './catalog-function.ts'

describe('the function that a call of the default catalog means', () => {
  const functions = catalog('email:1.9.0', 'email:1.10.0', 'email:2.0.0-beta.1', 'approve:0.1.0-a', 'approve:0.1.0-b')

  test.each([
    ['email', undefined, '1.10.0'],
    ['email', '1.9.0', '1.9.0'],
    ['email', '2.0.0-beta.1', '2.0.0-beta.1'],
    ['email', '3.0.0', undefined],
    ['approve', undefined, '0.1.0-b'],
    ['respond', undefined, undefined],
  ])('%s in version %s is %s', (name, version, expected) => {
    expect(catalogFunction(functions, name, version)?.version).toBe(expected)
  })

  test('the selected version does not depend on the order of the functions', () => {
    expect(catalogFunction(functions.toReversed(), 'email', undefined)?.version).toBe('1.10.0')
  })
})

/* The order that semver.org gives in its own text, rules 11.2 and 11.4. */
test.each([
  [['1.0.0', '2.0.0', '2.1.0', '2.1.1']],
  [['1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta', '1.0.0-beta.2', '1.0.0-beta.11', '1.0.0-rc.1', '1.0.0']],
  [['1.0.0-1', '1.0.0-a']],
])('%j stands in the order of semantic versions', (versions) => {
  for (const [index, version] of versions.entries()) {
    for (const later of versions.slice(index + 1)) {
      expect(compareVersions(version, later)).toBeLessThan(0)
      expect(compareVersions(later, version)).toBeGreaterThan(0)
    }
    expect(compareVersions(version, version)).toBe(0)
    expect(compareVersions(`${version}+one`, `${version}+two`)).toBe(0)
  }
})
