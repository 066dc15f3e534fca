import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { validateDefinition } from './validate-definition.ts'

/** A task that does something else than its author means, and the start of the advice. */
interface Mistake {
  readonly task: string
  readonly code: string
  readonly hint: string
}

const mistakes = readFileSync(new URL('mistakes.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line): Mistake => JSON.parse(line))

const definitionWith = (task: string) =>
  `document: { dsl: '1.0.3', namespace: test, name: mistake, version: '1.0.0' }\ndo:\n  - task: ${task}\n`

test.each(mistakes)('$task is reported as $code with the way out', ({ task, code, hint }) => {
  const { diagnostics } = validateDefinition(definitionWith(task))
  expect(diagnostics).toMatchObject([{ code, hint: expect.stringContaining(hint) }])
})

test.each([
  '{ set: { x: .gitignore } }',
  "{ set: { x: 'a sentence with a .dot' } }",
  "{ set: { x: '5 $ a day' } }",
  "{ raise: { error: '${ $workflow.input.error }' } }",
  "{ call: http, with: { method: get, endpoint: 'https://example.com/{id}' } }",
])('%s is taken without a remark', (task) => {
  expect(validateDefinition(definitionWith(task)).diagnostics).toEqual([])
})
