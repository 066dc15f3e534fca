import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { nodeVersionProblem } from './node-version.ts'

test('a Node.js that is older than package.json demands is refused by its version', () => {
  const { engines }: { readonly engines: { readonly node: string } } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  )
  const oldest = engines.node.replace('>=', '')
  expect([`${oldest}.0`, '22.20.1', '24.0.0', '100.1.2'].map(nodeVersionProblem)).toEqual(Array.from({ length: 4 }))
  expect(nodeVersionProblem('20.20.2')).toMatch(new RegExp(`needs Node.js ${oldest} or newer, and this is Node.js 20\\.20\\.2`))
  expect(nodeVersionProblem('22.17.9')).toBeDefined()
})
