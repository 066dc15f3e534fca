import { describe, expect, test } from 'vitest'
import { validateDefinition } from '#src/validate/validate-definition.ts'

const header = 'document: { dsl: 1.0.3, namespace: x, name: x, version: 1.0.0 }\n'

/** Every way to write a text, each with the same expression in it. */
const styles: Readonly<Record<string, (expression: string) => string>> = {
  'single quotes': (expression) => `${header}do: [ a: { set: { x: '\${ ${expression.replaceAll("'", "''")} }' } } ]`,
  'double quotes': (expression) => `${header}do: [ a: { set: { x: ${JSON.stringify(`\${ ${expression} }`)} } } ]`,
  'a literal block': (expression) =>
    `${header}do:\n  - a:\n      set:\n        x: |\n          \${\n            ${expression}\n          }\n`,
  'a folded block': (expression) =>
    `${header}do:\n  - a:\n      set:\n        x: >-\n          \${\n          ${expression}\n          }\n`,
  'plain lines': (expression) =>
    `${header}do:\n  - a:\n      if:\n        ${`. | ${expression}`.replaceAll(' | ', '\n        | ')}\n      set: { x: 1 }\n`,
  JSON: (expression) =>
    JSON.stringify(
      {
        document: { dsl: '1.0.3', namespace: 'x', name: 'x', version: '1.0.0' },
        do: [{ a: { set: { x: `\${ ${expression} }` } } }],
      },
      null,
      2,
    ),
}

/** The problem of each expression and the reported characters; none where it ends too early. */
const broken: readonly (readonly [expression: string, wrong: string, code: string])[] = [
  ['.a | $nope', '$nope', 'undefined_variable'],
  ['$nope | .a', '$nope', 'undefined_variable'],
  ['[$nope, .b] | length', '$nope', 'undefined_variable'],
  ['.a | lenght', 'lenght', 'invalid_expression'],
  ['.a | foo(.b)', 'foo', 'invalid_expression'],
  ['.a | map(.b) | startswith', 'startswith', 'invalid_expression'],
  ['.a === .b', '=', 'invalid_expression'],
  ['.a & .b', '&', 'invalid_expression'],
  ['.a + * .b', '*', 'invalid_expression'],
  ['.a | ) | .b', ')', 'invalid_expression'],
  ['.a.[0] | ] ', ']', 'invalid_expression'],
  ['.größe | .a', 'ö', 'invalid_expression'],
  ['"é😀" | $nope', '$nope', 'undefined_variable'],
  ['"it" + $nope', '$nope', 'undefined_variable'],
  ['"a \\(.b + $nope) c"', '$nope', 'undefined_variable'],
  ['if .a then $nope else 1 end', '$nope', 'undefined_variable'],
  ['reduce .a[] as $x (0; . + $y)', '$y', 'undefined_variable'],
  ['$steps.nowhere | .x', 'nowhere', 'unknown_step'],
  ['$secrets.vault | .x', 'vault', 'undeclared_secret'],
  ['$steps["no where"]', 'no where', 'unknown_step'],
]

describe.each(Object.entries(styles))('in %s', (_, write) => {
  test.each(broken)('%s is reported at %s as %s', (expression, wrong, code) => {
    const text = write(expression)
    const found = validateDefinition(text).diagnostics
    expect(found.map((diagnostic) => diagnostic.code)).toEqual([code])
    const lines = text.split('\n')
    for (const { pointer, line, column, endLine, endColumn = 0, expression: span } of found) {
      expect(pointer).toMatch(/^\/do\/0\/a\/(?:set\/x|if)$/)
      expect(endLine).toBe(line)
      expect(lines[line - 1]?.slice(column - 1, endColumn - 1)).toBe(wrong)
      expect((span?.end ?? 0) - (span?.start ?? 0)).toBe(wrong.length)
    }
  })
})
