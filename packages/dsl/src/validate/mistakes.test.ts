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

const functions = [{ name: 'approve', version: '1.0.0' }]
const definitionWith = (task: string) =>
  `document: { dsl: '1.0.3', namespace: test, name: mistake, version: '1.0.0' }\ndo:\n  - task: ${task}\n`

test.each(mistakes)('$task is reported as $code with the way out', ({ task, code, hint }) => {
  const { diagnostics } = validateDefinition(definitionWith(task), { functions })
  expect(diagnostics).toMatchObject([{ code, hint: expect.stringContaining(hint) }])
})

test.each([
  '{ set: { x: .gitignore } }',
  "{ set: { x: 'a sentence with a .dot' } }",
  "{ set: { x: '5 $ a day' } }",
  '{ set: { x: $env } }',
  '{ set: { x: =SUM(A1:A3) } }',
  "{ set: { x: '{name}' } }",
  '{ set: { x: $unknown.name } }',
  '{ if: \'.date > "2026-01-01" or .month > "09"\', set: { x: 1 } }',
  '{ if: \'.date[0:4] >= "2026" or (.at | strftime("%H")) > "18"\', set: { x: 1 } }',
  '{ if: \'.amount == "100" or (.amount | tostring) < "100" or "\\(.a)" > "3"\', set: { x: 1 } }',
  '{ set: { x: \'${ "echo ${HOME} \\(.a)" }\' } }',
  '{ try: [{ a: { set: { x: 1 } } }], catch: { errors: { with: { status: 404 } } } }',
  '{ try: [{ a: { set: { x: 1 } } }], catch: { retry: { limit: { attempt: { count: 3 } } } } }',
  "{ raise: { error: '${ $workflow.input.error }' } }",
  "{ call: http, with: { method: get, endpoint: 'https://example.com/{id}' } }",
  "{ for: { each: c, in: .items }, do: [{ a: { set: { c: 1 } } }, { b: { set: { n: '${ .c }' } } }] }",
  "{ for: { each: c, in: .items }, do: [{ a: { set: { n: '${ [.list[] | .c] }' } } }] }",
  '{ set: { n: \'${ .parcel["length"] }\' } }',
  '{ do: [{ ask: { call: approve, with: { title: Pay } } }, { pay: { if: .approved, set: { paid: true } } }] }',
  '{ do: [{ ask: { call: approve, with: { title: Pay } } }, { pay: { if: $steps.ask.approved, set: { paid: true } } }] }',
  "{ do: [{ ask: { call: approve, with: { title: Pay } } }, { pay: { if: .approved, set: { x: '${ .data.any }', y: '${ $workflow.input.order.id }' } } }] }",
  "{ do: [{ ask: { call: approve, with: { title: Pay }, export: { as: '${ $context + { verdict: . } }' } } }, { pay: { set: { x: 1 } } }] }",
  "{ do: [{ ask: { call: approve, with: { title: Pay }, output: { as: '${ { ok: .approved } }' } } }, { pay: { if: .ok, set: { x: 1 } } }] }",
  '{ do: [{ in: { do: [{ ask: { call: approve, with: { title: Pay } } }] } }, { pay: { if: .approved, set: { x: 1 } } }] }',
  '{ do: [{ ask: { call: approve, with: { title: Pay } } }, { pay: { if: \'${ $steps["ask"].outcome == "approved" }\', set: { x: 1 } } }] }',
  '{ do: [{ in: { do: [{ ask: { call: approve, with: { title: Pay } } }] } }] }',
  "{ set: { x: '${ if (.a = 1).a == 1 then 1 else 2 end }' } }",
])('%s is taken without a remark', (task) => {
  expect(validateDefinition(definitionWith(task), { functions }).diagnostics).toEqual([])
})

test('the text of a label that is a path is reported, since no label is a file name', () => {
  const label = definitionWith('{ wait: PT1S }').replace(
    "version: '1.0.0' }",
    "version: '1.0.0', metadata: { labels: { order: .order } } }",
  )
  expect(validateDefinition(label).diagnostics).toMatchObject([
    { code: 'looks_like_expression', hint: 'Write ${ .order } to have it evaluated.' },
  ])
})

test('an expression that runs before an approval does not read its verdict, unless the workflow leads back to it', () => {
  const codesOf = (then: string) =>
    validateDefinition(
      `document: { dsl: '1.0.3', namespace: test, name: mistake, version: '1.0.0' }
input: { from: '\${ . }' }
do:
  - first: { set: { all: '\${ . }' } }
  - ask: { call: approve, with: { title: Pay } }
  - pay: { set: { paid: true }, then: ${then} }
`,
      { functions },
    ).diagnostics.map(({ code }) => code)
  expect([codesOf('end'), codesOf('first')]).toEqual([['unread_verdict'], []])
})
