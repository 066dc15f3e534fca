import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { groups, isAlias } from '@millrace/contract'
import { expect, test } from 'vitest'
import { notInTheUi } from './ui-operations.ts'

const source = join(import.meta.dirname, '../../packages/web/src')
const text = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !path.includes('.test.'))
  .map((path) => readFileSync(join(source, path), 'utf8'))
  .join('\n')

interface Named {
  readonly name: string
  readonly group: string
  readonly key: string
  readonly path: string
}

const operations: readonly Named[] = Object.entries(groups).flatMap(([group, members]) =>
  Object.entries(members).flatMap(([key, operation]) =>
    isAlias(operation) ? [] : [{ name: `${group}.${key}`, group, key, path: operation.path }],
  ),
)

/** Called as a member of the client, of a client of one group (`calls` has that of sign-in), by its path, or by a name that is chosen at run time. */
function isCalled({ group, key, path }: Omit<Named, 'name'>): boolean {
  const escaped = path.split(/\{[^}]+\}/).map((part) => part.replaceAll(/[^\w/]/g, String.raw`\$&`))
  const patterns = [
    String.raw`\b${group}\s*\.\s*${key}\b`,
    `['"\`]${escaped.join(String.raw`\$\{[^}]+\}`)}(?=['"\`?])`,
    ...(group === 'auth' ? [String.raw`\bcalls\.${key}\b`, String.raw`\bchallenge\)\.${key}\b`] : []),
  ]
  if (patterns.some((pattern) => new RegExp(pattern).test(text))) return true
  return text.includes(`api.${group}[`) && new RegExp(`'${key}'`).test(text)
}

test('the check sees the operations of the contract and the calls of the UI', () => {
  expect(operations.length).toBeGreaterThan(250)
  expect(operations.filter(isCalled).length).toBeGreaterThan(180)
  expect(isCalled({ group: 'workflows', key: 'nothing', path: '/api/v1/nothing' })).toBe(false)
})

test('every operation is called by the UI, or listed with the reason', () => {
  const uncalled = operations.filter((operation) => !isCalled(operation)).map(({ name }) => name)
  expect(uncalled.filter((name) => notInTheUi[name] === undefined)).toEqual([])
})

test('what is listed exists and has a reason', () => {
  const known = new Set(operations.map(({ name }) => name))
  for (const [name, reason] of Object.entries(notInTheUi)) expect([name, known.has(name), reason.length > 20]).toEqual([name, true, true])
})
