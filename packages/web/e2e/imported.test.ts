import { createClient } from '@millrace/client'
import { groups } from '@millrace/contract'
import { importWorkflow } from '@millrace/dsl/import'
import { expect, test } from 'vitest'
import { password } from './browser.ts'
import { findingsInBoth, inBrowser, press } from './in-browser.ts'

const value = { name: 'email', type: 'string', value: '={{ $json.body.email }}' }
const step = (name: string, type: string, parameters: object) => ({
  name,
  type: `n8n-nodes-base.${type}`,
  typeVersion: 3,
  position: [0, 0],
  parameters,
})
const leads = {
  name: 'Leads',
  nodes: [step('Webhook', 'webhook', { httpMethod: 'POST' }), step('Set', 'set', { assignments: { assignments: [value] } })],
  connections: { Webhook: { main: [[{ node: 'Set', type: 'main', index: 0 }]] } },
}
inBrowser('a workflow of n8n in a browser', (stage) => {
  test('the webhook of an imported workflow gives it the request as a whole, and warns when it does not', async () => {
    const { page, email, end } = await stage.registered()
    const session = await stage.server.client.auth.login({ body: { email, password } })
    if (!('accessToken' in session)) throw new Error('a second step is missing')
    const client = createClient({ baseUrl: stage.server.url, groups, token: session.accessToken })
    const definition = JSON.stringify(importWorkflow(leads).definition)
    const { id } = await client.workflows.create({ body: { definition, publish: true } })
    await page.goto(`${stage.server.url}/workflows/${id}?tab=starts`)
    await press(page, 'Webhook')
    const sheet = page.getByRole('dialog')
    const mapping = sheet.getByLabel('What the workflow gets')
    await mapping.waitFor()
    expect(await mapping.inputValue()).toBe('')
    await sheet.getByRole('button', { name: 'Add' }).click()
    await client.triggers.create({ body: { workflowId: id, name: 'lossy', kind: 'webhook', webhook: {}, mapping: '.body' } })
    await page.goto(`${stage.server.url}/workflows/${id}?tab=starts`)
    await page.getByText('body.email').waitFor()
    expect(await findingsInBoth(page)).toEqual([])
    expect(await end(page)).toEqual([])
  })
})
