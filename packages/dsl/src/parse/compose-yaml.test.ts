import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { defaultParseLimits } from './limits.ts'
import { composeYaml } from './compose-yaml.ts'

/** The value of a text as the library reads it; undefined if it reports an error. */
function byLibrary(text: string): unknown {
  const document = parseDocument(text, { version: '1.2', schema: 'core', resolveKnownTags: false, stringKeys: true, uniqueKeys: false })
  return document.errors.length + document.warnings.length > 0 ? undefined : { value: document.toJS() }
}

function byUs(text: string): unknown {
  const composed = composeYaml(text, defaultParseLimits)
  return 'document' in composed ? { value: composed.document.toJS() } : undefined
}

const pieces = fc.constantFrom(
  'a: ',
  'b:',
  'c: d',
  '\n',
  '\n\n',
  '\n  ',
  '\r\n',
  '  ',
  '- ',
  '# c',
  '#',
  '# x\n',
  '\n   # y\n',
  '\t',
  '|\n',
  '>-\n',
  ' |2+\n',
  '"q"',
  "'q",
  '[',
  ']',
  '{',
  '}',
  ', ',
  '? ',
  ': ',
  '&a ',
  '!!str ',
  '---\n',
  '...\n',
  'x #z',
)

test('blank lines and comments change nothing of what the library reads, and nothing that it finds wrong is lost', () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 14 }), (parts) => {
      const text = parts.join('')
      expect(byUs(text)).toEqual(byLibrary(text))
    }),
    { numRuns: 5000 },
  )
})

test('only as many errors are kept as are shown', () => {
  const composed = composeYaml('? [a]\n: 1\n'.repeat(3000), defaultParseLimits)
  expect('problems' in composed && composed.problems).toHaveLength(1000)
})
