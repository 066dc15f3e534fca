import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalYaml } from './canonical/canonical.ts'
import type { Diagnostic } from './diagnostics/diagnostic.ts'
import { parseDefinition } from './parse/parse-definition.ts'
import { definitions } from './testing/arbitrary-definition.ts'
import { breaks, broken } from './testing/breaking.ts'
import type { Json } from './json.ts'
import { validateDefinition } from './validate/validate-definition.ts'

/** The diagnostics without their positions. */
function said(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics
    .map(({ code, severity, pointer, message, hint, expression }) => JSON.stringify([code, severity, pointer, message, hint, expression]))
    .toSorted()
}

const documents = fc
  .tuple(definitions, fc.array(breaks, { minLength: 1, maxLength: 4 }))
  .map(([definition, changes]) => changes.reduce<Json>(broken, definition))

test('a document gets the same diagnostics as YAML and as JSON, whatever is wrong with it', () => {
  fc.assert(
    fc.property(documents, (document) => {
      const yaml = validateDefinition(canonicalYaml(document), { format: 'yaml' })
      const json = validateDefinition(JSON.stringify(document), { format: 'json' })
      expect(said(yaml.diagnostics)).toEqual(said(json.diagnostics))
    }),
    { numRuns: 40, endOnFailure: true },
  )
})

test('each position is inside of the text and, but for what is missing, at what the pointer says', () => {
  fc.assert(
    fc.property(documents, (document) => {
      const text = JSON.stringify(document, null, 1)
      const lines = text.split('\n')
      const { positions } = parseDefinition(text)
      for (const { line, column, endLine = 0, endColumn = 0, pointer } of validateDefinition(text).diagnostics) {
        expect(line).toBeLessThanOrEqual(lines.length)
        expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? 0) + 1)
        expect(endLine > line || (endLine === line && endColumn >= column)).toBe(true)
        const [key, value] = [positions.key(pointer), positions.value(pointer)]
        const from = key?.start ?? value?.start
        const to = value?.end ?? key?.end
        if (from === undefined || to === undefined) continue
        expect(line > from.line || (line === from.line && column >= from.column)).toBe(true)
        expect(line < to.line || (line === to.line && column <= to.column)).toBe(true)
      }
    }),
    { numRuns: 40, endOnFailure: true },
  )
})

test('validating the same text twice gives the same result', () => {
  fc.assert(
    fc.property(documents, (document) => {
      const text = JSON.stringify(document)
      expect(validateDefinition(text)).toEqual(validateDefinition(text))
    }),
    { numRuns: 20, endOnFailure: true },
  )
})
