import { startProcessorTime } from '@millrace/jq/testing/processor-time.ts'
import * as fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { hostileDocuments } from '#src/testing/hostile-documents.ts'
import { parseDefinition } from './parse-definition.ts'

const cases = Object.entries(hostileDocuments)

function milliseconds(text: string): number {
  const spent = startProcessorTime()
  parseDefinition(text)
  return spent()
}

/** Twice the text may take three times as long, and 100 ms more; a machine that is busy elsewhere gets four tries. */
function growsLinearly(make: (length: number) => string): boolean {
  const [once, twice] = [make(80_000), make(160_000)]
  for (let attempt = 0; attempt < 4; attempt++) if (milliseconds(twice) <= 3 * milliseconds(once) + 100) return true
  return false
}

describe('a text that is made to be slow is read or refused in time that is linear in its length', () => {
  test.each(cases)('%s', (_, make) => {
    expect(growsLinearly(make)).toBe(true)
  })
})

test('a refused text, whole or cut anywhere, has a place within it, a hint, and no report that repeats it', () => {
  fc.assert(
    fc.property(fc.constantFrom(...cases), fc.integer({ min: 1, max: 3000 }), ([, make], length) => {
      const text = make(3000).slice(0, length)
      const lines = text.split('\n')
      const { document, diagnostics } = parseDefinition(text)
      expect(document === undefined).toBe(diagnostics.length > 0)
      for (const { line, column, message, hint } of diagnostics) {
        expect(line).toBeGreaterThan(0)
        expect(line).toBeLessThanOrEqual(lines.length)
        expect(column).toBeGreaterThan(0)
        expect(column).toBeLessThanOrEqual((lines[line - 1] ?? '').length + 1)
        expect(message.length).toBeLessThan(1200)
        expect(hint).toBeTruthy()
      }
    }),
    { numRuns: inject('deep') ? 1000 : 250 },
  )
})

test('what is reported of a text is no larger than a megabyte', () => {
  for (const [name, make] of cases) {
    const { diagnostics } = parseDefinition(make(50_000))
    expect([name, JSON.stringify(diagnostics).length < 1_000_000]).toEqual([name, true])
  }
})
