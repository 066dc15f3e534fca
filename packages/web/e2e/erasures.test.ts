import { createClient } from '@millrace/client'
import { groups } from '@millrace/contract'
import { expect, test } from 'vitest'
import { password } from './browser.ts'
import { findingsInBoth, inBrowser, press } from './in-browser.ts'

const greets = `document: { dsl: 1.0.3, namespace: e2e, name: greets, version: 1.0.0 }
input: { schema: { document: { type: object, properties: { to: { type: string, format: email } } } } }
do:
- rest: { wait: { milliseconds: 5 } }
- greet: { set: { greeted: '\${ $workflow.input.to }' } }
`

inBrowser('data of a person that is erased', (stage) => {
  /** A person whose account has a run with the data of another person. */
  async function withRun(to: string) {
    const { page, email, end } = await stage.registered()
    const session = await stage.server.client.auth.login({ body: { email, password } })
    if (!('accessToken' in session)) throw new Error('a second step is missing')
    const client = createClient({ baseUrl: stage.server.url, groups, token: session.accessToken })
    const { id } = await client.workflows.create({ body: { definition: greets } })
    const run = await client.workflows.execute({ params: { id }, body: { input: { to } } }, { waitSeconds: 10 })
    return { page, client, run, end }
  }

  test('is replaced for good, with a preview and a receipt of what was replaced', async () => {
    const { page, end } = await withRun('grete@example.com')
    await page.goto(`${stage.server.url}/privacy?view=erasures`)
    await press(page, 'Erase a person')
    await page.getByLabel('What identifies the person').fill('grete@example.com')
    await press(page, 'What will be touched?')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Will be replaced').waitFor()
    await press(page, 'Erase for good')
    await page.getByRole('switch', { description: /^Turn this on first/ }).check()
    await press(page, 'Erase for good')
    await dialog.getByText('Replaced or deleted').waitFor()
    await dialog
      .getByText(/record/)
      .first()
      .waitFor()
    expect(await end(page)).toEqual([])
  })

  test('leaves a run that says so, keeps its steps, and proves what the erasure left', async () => {
    const { page, client, run, end } = await withRun('grete@example.com')
    const erasure = await client.erasures.create({ body: { values: ['grete@example.com'] } })
    await expect.poll(async () => (await client.erasures.get({ params: { id: erasure.id } })).state).toBe('done')
    await page.goto(`${stage.server.url}/runs/${run.id}`)
    await page.getByText(/^Personal data of this run was erased on /).waitFor()
    expect(await findingsInBoth(page)).toEqual([])
    await press(page, 'Prove it')
    await page.getByText('Proven: what the erasure left').waitFor()
    await page.getByText('The record is what the erasure left').first().waitFor()
    await press(page, 'Replay report')
    await page
      .getByRole('dialog')
      .getByText(/^Personal data of this run was erased on /)
      .waitFor()
    expect(await page.getByText('Something does not match').count()).toBe(0)
    expect(await end(page)).toEqual([])
  })
})
