import { describe, expect, test } from 'vitest'
import { changedTool } from '#src/agent-tools/changed-tool.ts'
import type { Tool } from '#src/agent-tools/tool.ts'
import { changedMembers, secretsOf, secretsOnlyOf, taskTools, toolOfTask, withoutTool, withTool } from './task-tools.ts'

const read: Tool = { kind: 'workflow', name: 'order', description: 'Reads an order.', workflowId: 'wf_01h455vb4pex5vsknk084sn02q' }
const call: Tool = {
  kind: 'http',
  name: 'customer',
  description: 'Reads a customer.',
  method: 'GET',
  url: 'https://crm.example/customers',
  headers: { Authorization: { secret: 'crm', prefix: 'Bearer ' } },
  risk: 'ask',
}

describe('the tools of an agent in a definition', () => {
  test('name a workflow as its document does, not by the id of this installation', () => {
    expect(toolOfTask(read, { dsl: '1.0.3', namespace: 'shop', name: 'read-order', version: '1.0.0' })).toEqual({
      kind: 'workflow',
      name: 'order',
      description: 'Reads an order.',
      namespace: 'shop',
      workflow: 'read-order',
    })
  })

  test('name the workflow that they named before where a form chose no other one, and are written where they differ', () => {
    const before = toolOfTask(read, { dsl: '1.0.3', namespace: 'shop', name: 'read-order', version: '1.0.0' })
    const after = changedTool(before, toolOfTask({ ...read, name: 'orders', workflowId: '', risk: 'safe' }, undefined))
    expect(after).toEqual({ ...before, name: 'orders', risk: 'safe' })
    expect(changedMembers(after, before)).toEqual([
      ['name', 'order'],
      ['risk', undefined],
    ])
  })

  test('need the secrets of their headers', () => {
    expect(secretsOf(toolOfTask(call, undefined))).toEqual(['crm'])
    expect(secretsOf({ kind: 'http', headers: { accept: 'text/plain' } })).toEqual([])
  })

  test('leave no secret behind that nothing else uses', () => {
    const tool = toolOfTask(call, undefined)
    const ask = { call: 'agent', with: { goal: 'x', tools: [tool] } }
    const use = { secrets: ['crm'] }
    expect(secretsOnlyOf({ use, do: [{ ask }] }, tool)).toEqual(['crm'])
    for (const other of [{ set: { a: '${ $secrets.crm }' } }, { set: { a: '${ $secrets["crm"] }' } }, { ...ask, if: '.x' }])
      expect(secretsOnlyOf({ use, do: [{ ask }, { other }] }, tool)).toEqual([])
    const odd = toolOfTask({ ...call, headers: { Authorization: { secret: 'c(r"m' } } }, undefined)
    expect(secretsOnlyOf({ use: { secrets: ['c(r"m'] }, do: [{ ask: { call: 'agent', with: { tools: [odd] } } }] }, odd)).toEqual(['c(r"m'])
  })

  test('are a list in which a tool of the same name is replaced', () => {
    const one = toolOfTask(call, undefined)
    const two = withTool(withTool(undefined, one), { ...one, risk: 'safe' })
    expect(taskTools(two)).toEqual([
      { kind: 'http', name: 'customer', risk: 'safe', summary: 'Reads a customer.', given: { ...one, risk: 'safe' } },
    ])
    expect(withoutTool(two, 'customer')).toEqual([])
  })

  test.each([
    ['an expression', '${ .tools }'],
    ['a tool without a name', [{ kind: 'http' }]],
    ['an unknown kind', [{ kind: 'shell', name: 'rm' }]],
    ['two tools of one name', [toolOfTask(call, undefined), toolOfTask(call, undefined)]],
    ['a text', ['http']],
  ])('stay text where a list cannot show them: %s', (_what, value) => {
    expect(taskTools(value)).toBeUndefined()
  })
})
