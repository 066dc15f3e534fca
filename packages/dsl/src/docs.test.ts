import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { diagnosticCodes } from './diagnostics/codes.ts'

const page = readFileSync(new URL('../../../docs/dsl.md', import.meta.url), 'utf8')

test('docs/dsl.md has every code of a diagnostic, in order and with its meaning', () => {
  const rows = [...page.matchAll(/^\| `(\w+)` \| (?:error|warning) \| (.*) \|$/gm)].map(([, code, meaning]) => [code, meaning])
  expect(rows).toEqual(Object.entries(diagnosticCodes))
})
