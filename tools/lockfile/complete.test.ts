import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { completeEntries, findGaps } from './complete.ts'

const entries = {
  '': { version: '1.0.0' },
  'node_modules/@a/linux-x64-gnu': { version: '2.0.0' },
  'node_modules/a': { version: '2.0.0', dev: true, optionalDependencies: { '@a/linux-x64-gnu': '2.0.0', '@a/linux-arm64-musl': '2.0.0' } },
}

test('a build for another platform that has no entry is found', () => {
  expect(findGaps(entries)).toEqual([{ name: '@a/linux-arm64-musl', version: '2.0.0', dev: true }])
})

test('a gap is filled with the platform in its name, and no other entry changes', () => {
  const completed = completeEntries(entries)
  expect(completed).toEqual({
    ...entries,
    'node_modules/@a/linux-arm64-musl': { version: '2.0.0', cpu: ['arm64'], dev: true, libc: ['musl'], optional: true, os: ['linux'] },
  })
  expect(Object.keys(completed)).toEqual(['', 'node_modules/@a/linux-arm64-musl', 'node_modules/@a/linux-x64-gnu', 'node_modules/a'])
  expect(findGaps(completed)).toEqual([])
})

test.each([
  ['no platform', { plain: '2.0.0' }],
  ['a range', { '@a/linux-x64': '^2.0.0' }],
])('what is missing for another reason is an error: %s', (_what, optionalDependencies) => {
  expect(() => completeEntries({ a: { optionalDependencies } })).toThrow('Run "npm install"')
})

test('the lockfile of this repository is complete, so that "npm ci" takes it', () => {
  const { packages } = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'))
  expect(Object.keys(packages).length).toBeGreaterThan(100)
  expect(findGaps(packages).map(({ name }) => name)).toEqual([])
})
