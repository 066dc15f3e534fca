import { expect, test } from 'vitest'
import { createBackground, type StatedPolicy } from './background.ts'

const policy = (point: string, purpose: string, retention?: string): StatedPolicy => ({ point, purpose, legalBasis: 'contract', retention })

function backgroundOf(policies: Readonly<Record<string, readonly StatedPolicy[]>>) {
  const read: string[] = []
  const background = createBackground(
    {
      policiesOf(accountId, workflowId = 'none') {
        read.push(`${accountId} ${workflowId}`)
        return Promise.resolve(policies[workflowId] ?? [])
      },
      maskOf: (_, workflowId) => Promise.resolve(workflowId === 'orders' ? (text) => text.replaceAll('key', '***') : undefined),
      workflowName: (_, workflowId) => Promise.resolve(workflowId === 'gone' ? undefined : `Workflow ${workflowId}`),
    },
    'acct',
  )
  return { background, read }
}

const policies = {
  orders: [policy('input', 'Orders', 'P90D'), policy('journal', 'Delivery'), policy('prompts', 'Answers')],
  support: [policy('input', 'Support')],
  none: [policy('input', 'Everything else')],
}

test.each([
  ['executions', 'orders', [{ purpose: 'Orders', legalBasis: 'contract', retention: 'P90D' }]],
  ['approvals', 'orders', [{ purpose: 'Orders', legalBasis: 'contract', retention: 'P90D' }]],
  ['journal', 'orders', [{ purpose: 'Delivery', legalBasis: 'contract' }]],
  ['model_calls', 'orders', [{ purpose: 'Answers', legalBasis: 'contract' }]],
  // Without a policy for the point, what came in with the input is kept for its purpose.
  ['journal', 'support', [{ purpose: 'Support', legalBasis: 'contract' }]],
  ['attempt_logs', 'support', [{ purpose: 'Support', legalBasis: 'contract' }]],
  ['executions', 'unruled', []],
])('a record of %s of the workflow %s is kept for the purpose of the policy of its point', async (table, workflowId, why) => {
  const { background } = backgroundOf(policies)
  expect((await background.of(table, workflowId)).why).toEqual(why)
})

test('a record of no workflow has no purpose of a policy', async () => {
  const { background } = backgroundOf(policies)
  expect(await background.of('events', undefined)).toEqual({ workflow: undefined, mask: undefined, why: [] })
})

test('a record has the name of its workflow and the mask of its secrets, as long as there is such a workflow', async () => {
  const { background } = backgroundOf(policies)
  const { workflow, mask } = await background.of('executions', 'orders')
  expect([workflow, mask?.('the key')]).toEqual(['Workflow orders', 'the ***'])
  expect((await background.of('executions', 'gone')).workflow).toBeUndefined()
})

test('the policies of a workflow are read once for a report', async () => {
  const { background, read } = backgroundOf(policies)
  await Promise.all(['executions', 'journal', 'approvals'].map((table) => background.of(table, 'orders')))
  await background.of('executions', 'support')
  await background.of('events', undefined)
  expect(read).toEqual(['acct orders', 'acct support', 'acct none'])
})
