import type { TestAccount } from '@millrace/server/testing/server'
import { expect, test } from 'vitest'
import { signIn } from './browser.ts'
import { inBrowser, press } from './in-browser.ts'

const greeting = (name: string) =>
  `document: { dsl: 1.0.3, namespace: e2e, name: ${name}, version: 1.0.0 }\ndo:\n- greet: { set: { text: Hello Ada } }\n`

let account: TestAccount

inBrowser(
  'the page of a workflow',
  (stage) => {
    test('a viewer sees flow, text and steps, and why nothing can be changed, and nothing is refused', async () => {
      const { id } = await account.client.workflows.create({ body: { definition: greeting('viewed') } })
      const viewer = { email: `viewer-${account.email}`, password: account.password }
      const { token } = await account.client.invitations.create({ body: { email: viewer.email, role: 'viewer' } })
      await stage.server.client.invitations.accept({ body: { token: token ?? '', password: viewer.password } })
      const { context, end } = await stage.visitor()
      const page = await signIn(context, stage.server.url, viewer)
      await page.goto(`${stage.server.url}/workflows/${id}`)
      await page.getByText('your role is viewer').waitFor()
      await press(page, 'Both')
      await page.locator('.cm-content[contenteditable="false"]', { hasText: 'Hello Ada' }).waitFor()
      await page.locator('[data-step="/do/0/greet"]').click()
      await page.locator('aside.step .json', { hasText: 'Hello Ada' }).waitFor()
      for (const name of ['Publish', 'Run', 'Save draft']) expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
      expect(await end(page)).toEqual([])
    })

    test('each tab has an address: Back, a reload and a link show it again, and the list of runs keeps it', async () => {
      const { id } = await account.client.workflows.create({ body: { definition: greeting('tabbed') } })
      const { context, end } = await stage.visitor()
      const page = await signIn(context, stage.server.url, account)
      const shown = (name: string) => page.getByRole('tab', { name, selected: true }).waitFor()
      const url = `${stage.server.url}/workflows/${id}`
      await page.goto(url)
      await page.getByRole('tab', { name: 'Runs' }).click()
      await page.waitForURL(`${url}?tab=runs`)
      await page.getByText('Never ran.').waitFor()
      await page.getByRole('tab', { name: 'Starts' }).click()
      await page.waitForURL(`${url}?tab=starts`)
      await page.goBack()
      await shown('Runs')
      for (let count = 0; count < 26; count++) await account.client.workflows.execute({ params: { id }, body: {} })
      await page.reload()
      await shown('Runs')
      await page.getByRole('button', { name: 'Older' }).click()
      await page.waitForURL(/\?tab=runs&cursor=/)
      await page.locator('table.rows tbody tr').nth(1).waitFor({ state: 'detached' })
      await page.locator('table.rows .row-link').click()
      await page.waitForURL(/\/runs\/exec_/)
      await page.goBack()
      await shown('Runs')
      await page.goBack()
      await page.waitForURL(`${url}?tab=runs`)
      await page.goBack()
      await shown('Definition')
      expect(await end(page)).toEqual([])
    })
  },
  undefined,
  async (server) => {
    account = await server.registerAccount()
  },
)
