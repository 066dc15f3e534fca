import type { Role } from '@millrace/contract'
import type { TestAccount } from '@millrace/server/testing/server'
import { expect, test } from 'vitest'
import { signIn } from './browser.ts'
import { buildingPaths } from './building-paths.ts'
import { findingsInBoth, inBrowser } from './in-browser.ts'
import { trustPages } from './trust-pages.ts'

const greeting = `document: { dsl: 1.0.3, namespace: e2e, name: greeting, version: 1.0.0 }\ndo:\n- greet: { set: { text: Hello Ada } }\n`
const others = ['/', '/workflows', '/runs', '/approvals', '/insights', '/dead-letters', '/variables', '/events', '/subscriptions', '/git']

let account: TestAccount
let joined = 0

inBrowser(
  'roles that only read, in a browser',
  (stage) => {
    /** A person of the account, signed in. */
    async function personWith(role: Role & ('viewer' | 'auditor'), look = {}) {
      const { client, password } = account
      const email = `${role}-${++joined}@example.com`
      const { token } = await client.invitations.create({ body: { email, role } })
      await stage.server.client.invitations.accept({ body: { token: token ?? '', password } })
      const visit = await stage.visitor(look)
      const page = await signIn(visit.context, stage.server.url, { email, password })
      const open = async (path: string) => {
        await page.goto(new URL(path, stage.server.url).href)
        await page.locator('h1').first().waitFor()
        await page.locator('.skeleton').first().waitFor({ state: 'detached' })
      }
      return { ...visit, page, open }
    }

    test('an auditor verifies and exports the audit log and makes packs, and is offered nothing that changes the account', async () => {
      const { page, open, end } = await personWith('auditor')
      const offered = (name: string) => page.getByRole('button', { name, exact: true }).count()
      await open('/audit')
      expect([await offered('Verify'), await offered('Export'), await offered('Send to a system')]).toEqual([1, 1, 0])
      expect(await findingsInBoth(page)).toEqual([])
      await open('/privacy')
      expect(await page.getByRole('tab').allTextContents()).toEqual(['Policies', 'Decisions', 'Laws'])
      expect(await offered('Set a policy')).toBe(0)
      await open('/evidence')
      await page.getByRole('button', { name: 'Make a pack' }).click()
      await page.getByLabel('Period').selectOption({ index: 1 })
      await page.getByRole('dialog').getByRole('button', { name: 'Make a pack' }).click()
      await page.getByRole('dialog').getByText('Download', { exact: true }).waitFor()
      expect(await end(page)).toEqual([])
    })

    test('no page asks for what the role of an auditor lacks', async () => {
      const { page, open, end } = await personWith('auditor')
      for (const path of [...others, ...buildingPaths, ...trustPages.map((one) => `/${one}`)]) await open(path)
      expect(await end(page)).toEqual([])
    })

    test('a viewer reads at the pages of auditors who may open them, without the name of a scope', async () => {
      const { page, open, end } = await personWith('viewer')
      for (const path of ['/audit', '/evidence', '/privacy']) {
        await open(path)
        await page.getByText('It is for people with the role').waitFor()
        expect(await page.locator('#content').textContent()).not.toMatch(/audit:read|privacy:/)
        expect(await page.locator('#content').getByRole('button').count()).toBe(0)
      }
      expect(await findingsInBoth(page)).toEqual([])
      expect(await end(page)).toEqual([])
    })
  },
  undefined,
  async (server) => {
    account = await server.registerAccount()
    const { id } = await account.client.workflows.create({ body: { definition: greeting, publish: true } })
    await account.client.execute.run({ params: { id }, body: {} })
  },
)
