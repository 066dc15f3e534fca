import { expect, test } from 'vitest'
import { importWorkflow } from '#src/import/index.ts'
import { exportOf, node } from '#src/testing/n8n-export.ts'
import { inputReads } from './input-reads.ts'

const setting = (value: string) => node('Set', 'set', { assignments: { assignments: [{ name: 'x', type: 'string', value }] } })
const chain = (...nodes: readonly { readonly name: string }[]) =>
  exportOf(
    nodes,
    nodes.slice(1).map(({ name }, index) => [nodes[index]?.name ?? '', 0, name] as const),
  )

/** What an import reads below the members of a request; with a question mark where not every run needs it. */
function reads(...nodes: readonly { readonly name: string }[]) {
  return inputReads(importWorkflow(chain(...nodes)).definition)
    .filter(({ path }) => /^(?:body|headers|query)/.test(path))
    .map(({ path, needed, task }) => `${path}${needed ? '' : '?'} ${task}`)
}

const hook = node('Hook', 'webhook')

test.each<readonly [what: string, value: string, read: string]>([
  ['a member', '={{ $json.body.email }}', 'body.email set'],
  ['a member below one', '={{ $json.body.customer.email }}', 'body.customer.email set'],
  ['a header', '={{ $json.headers["x-token"] }}', 'headers["x-token"] set'],
  ['the node by its name', "={{ $('Hook').item.json.query.page }}", 'query.page set'],
  ['JavaScript', '={{ $json.body.email.toUpperCase() }}', 'body.email set-values'],
])('an import reads the request of its webhook by %s', (_, value, read) => {
  expect(reads(hook, setting(value))).toEqual([read])
})

test('code reads it as well', () => {
  const code = node('Code', 'code', { jsCode: "return [{ json: { a: $json['body']['email'], b: items[0].json.body.name } }]" })
  expect(reads(hook, code)).toEqual(['body.email code', 'body.name code'])
})

test('what is no read of a request is left out', () => {
  expect(reads(node('Go', 'executeWorkflowTrigger'), setting('={{ $json.body.email }}'))).toEqual([])
  expect(reads(hook, setting('={{ $json.body.hasOwnProperty("a") }}'))).toEqual([])
  expect(reads(hook, setting('={{ $json.email }}'))).toEqual([])
})

test('with another start, or the response of a call, it is not certain that every run needs it', () => {
  const both = exportOf(
    [hook, node('Go', 'manualTrigger'), setting('={{ $json.body.email }}')],
    [
      ['Hook', 0, 'Set'],
      ['Go', 0, 'Set'],
    ],
  )
  expect(inputReads(importWorkflow(both).definition)).toContainEqual(expect.objectContaining({ path: 'body.email', needed: false }))
})
