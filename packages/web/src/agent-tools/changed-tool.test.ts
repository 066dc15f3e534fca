import { describe, expect, test } from 'vitest'
import { authorizationOf, changedTool, isEditable, withAuthorization } from '#src/agent-tools/changed-tool.ts'
import { nameProblem } from '#src/agent-tools/tool-fields.ts'
import { loadMessages, m } from '#src/messages/messages.ts'

await loadMessages()

const customer = {
  kind: 'http' as const,
  name: 'customer',
  description: 'Reads a customer.',
  url: 'https://crm.example/{id}',
  query: { type: 'object' },
  headers: { 'X-Tenant': { secret: 'tenant' }, authorization: { secret: 'crm', prefix: 'Basic ' }, accept: 'text/plain' },
  risk: 'ask' as const,
}

describe('a tool that a form changes', () => {
  test('keeps what the form does not know, and loses what was emptied', () => {
    const { headers, risk: _risk, query: _query, ...form } = customer
    const made = { ...form, name: 'client', method: 'PUT', ...withAuthorization(headers, 'crm') }
    expect(changedTool(customer, made)).toEqual({ ...form, name: 'client', method: 'PUT', query: customer.query, headers })
    expect(changedTool(undefined, made)).toEqual(made)
  })

  test('keeps its secret headers: the form changes the secret of Authorization alone', () => {
    const { headers } = customer
    const { authorization, ...others } = headers
    expect(authorizationOf(headers)).toBe('crm')
    expect(withAuthorization(headers, 'crm2')).toEqual({ headers: { ...headers, authorization: { ...authorization, secret: 'crm2' } } })
    expect(withAuthorization(headers, '')).toEqual({ headers: others })
    expect(withAuthorization({ Authorization: 'Basic eDp5' }, '')).toEqual({ headers: { Authorization: 'Basic eDp5' } })
    expect(withAuthorization(undefined, 'crm')).toEqual({ headers: { Authorization: { secret: 'crm', prefix: 'Bearer ' } } })
    expect(withAuthorization(undefined, '')).toEqual({})
  })

  test.each([
    ['a method that an expression chooses', { ...customer, method: '${ .method }' }],
    ['tools that an expression lists', { kind: 'mcp', name: 'a', tools: '${ .tools }' }],
    ['headers that an expression makes', { ...customer, headers: '${ .headers }' }],
  ])('has no form where one would lose %s', (_what, tool) => {
    expect([isEditable(customer), isEditable(tool)]).toEqual([true, false])
  })

  test.each([
    ['order', undefined],
    ['Order-2_a', undefined],
    ['2nd', m.agents.toolNameRule],
    ['an order', m.agents.toolNameRule],
    ['طلب', m.agents.toolNameRule],
    ['a'.repeat(41), m.agents.toolNameRule],
    ['shop', m.agents.toolNameTaken('shop')],
    // By this name the model calls a tool of the server.
    ['shop_search', m.agents.toolNameTaken('shop_search')],
  ])('may be called %s only where that is a name that is free', (name, problem) => {
    expect(nameProblem({ ...customer, name, method: 'GET' }, [{ kind: 'mcp', name: 'shop', tools: ['search'] }])).toBe(problem)
  })
})
