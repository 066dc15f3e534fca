import { compileWorkflow } from '@millrace/engine/definition'
import { expect, test } from 'vitest'
import { checkDefinition } from '#definitions/check-definition.ts'
import { tasksIn } from '#definitions/tasks-in.ts'
import { definition } from '#testing/definitions.ts'
import { describeTask } from './describe-task.ts'

test.each([
  ['call: http\nwith: { method: get, endpoint: "https://example.com/a" }', 'call http GET https://example.com/a'],
  ['call: http\nwith: { method: post, endpoint: { uri: "https://example.com/b" } }', 'call http POST https://example.com/b'],
  ['call: http\nwith: { method: get, endpoint: "${ .url }" }', 'call http GET ${ .url }'],
  ['call: openapi\nwith: { document: { endpoint: "https://example.com/api.json" }, operationId: getUser }', 'call openapi getUser'],
  ['wait: PT5S', 'wait PT5S'],
  ['wait: { minutes: 1, seconds: 30 }', 'wait 1 minutes 30 seconds'],
  ['wait: "${ .pause }"', 'wait ${ .pause }'],
  ['run: { workflow: { namespace: n, name: w, version: 1.2.3 } }', 'run n/w:1.2.3'],
  ['for: { each: order, in: "${ .orders }" }\ndo:\n  - a: { set: { b: 1 } }', 'for each order'],
  ['fork: { branches: [{ a: { set: { b: 1 } } }, { c: { set: { d: 1 } } }] }', 'fork 2 branches'],
  ['fork: { compete: true, branches: [{ a: { set: { b: 1 } } }, { c: { set: { d: 1 } } }] }', 'fork 2 branches, first wins'],
  ['set: { a: 1 }', 'set'],
  ['do:\n  - a: { set: { b: 1 } }', 'do'],
  ['switch:\n  - other: { then: end }', 'switch'],
  ['try:\n  - a: { set: { b: 1 } }\ncatch: {}', 'try'],
  ['raise: { error: { type: "https://e.com/e", status: 400, title: t } }', 'raise'],
])('%j is described as %s', (task, description) => {
  const indented = task.replaceAll(/^/gm, '    ')
  const { definition: checked, diagnostics } = checkDefinition('a.yaml', definition(`- it:\n${indented}`))
  if (checked === undefined) throw new Error(JSON.stringify(diagnostics))
  const [node] = tasksIn(compileWorkflow(checked))
  expect(node === undefined ? undefined : describeTask(node)).toBe(description)
})
