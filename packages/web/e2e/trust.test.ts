import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createClient } from '@millrace/client'
import { groups } from '@millrace/contract'
import { createTestServer, type TestServer } from '@millrace/server/testing/server'
import { Secret, TOTP } from 'otpauth'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildWeb } from '#build/build-web.ts'
import { chromiumPath, contextOf, launch, type Look, password, register } from './browser.ts'
import { axeFindings, guard } from './guard.ts'
import { operatorPages, trustPages } from './trust-pages.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

// Without a Chromium (Debian: apt install chromium) the journeys are skipped.
describe.skipIf(chromiumPath === undefined)('people and trust in a browser', { timeout: 90_000 }, () => {
  let server: TestServer
  let browser: Browser
  const operator = 'operator@example.com'
  beforeAll(async () => {
    const [started, launched] = await Promise.all([createTestServer(), launch(), buildWeb()])
    server = started
    browser = launched
    const code = server.operatorCode
    await server.client.auth.register({
      body: { email: operator, password, name: 'Ada Lindqvist', ...(code === undefined ? {} : { operatorCode: code }) },
    })
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })

  async function visitor(expected: readonly RegExp[] = [], look: Look = {}) {
    const context = await contextOf(browser, server.url, look)
    return { context, seen: guard(context, server.url, expected) }
  }

  async function registered(expected: readonly RegExp[] = []) {
    const { context, seen } = await visitor(expected)
    return { ...(await register(context, server.url)), seen, context }
  }

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
  const inDialog = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click()

  /** Invites a person in the interface, and returns the link to hand over. */
  async function invite(page: Page, email: string): Promise<string> {
    await page.goto(`${server.url}/settings/team`)
    await press(page, 'Invite')
    await page.getByLabel('E-mail').fill(email)
    await inDialog(page, 'Invite')
    // The server of the test has no mail server.
    await page.getByText('No mail was sent').waitFor()
    const link = await page.locator('pre.secret').textContent()
    await inDialog(page, 'Done')
    return link?.trim() ?? ''
  }

  async function join(page: Page, link: string): Promise<void> {
    await page.goto(link)
    await page.getByLabel('Name').fill('Bilal Haddad')
    await page.getByLabel('Password').fill(password)
    await press(page, 'Join')
  }

  /** A client with the credential of a person of the interface. */
  async function clientOf(email: string) {
    const session = await server.client.auth.login({ body: { email, password } })
    if (!('accessToken' in session)) throw new Error('a second step is missing')
    return createClient({ baseUrl: server.url, groups, token: session.accessToken })
  }

  async function signIn(page: Page, email: string): Promise<void> {
    await page.goto(`${server.url}/sign-in`)
    await page.locator('input[type="email"]').fill(email)
    await page.locator('input[type="password"]').fill(password)
    await page.locator('button[type="submit"]').click()
  }

  test('an invited person joins the account, and decides an approval', async () => {
    const owner = await registered()
    const email = `second-${owner.email}`
    const link = await invite(owner.page, email)
    const guest = await visitor()
    const page = await guest.context.newPage()
    await join(page, link)
    await page.waitForURL(`${server.url}/`)
    const client = await clientOf(owner.email)
    const { id } = await client.workflows.create({ body: { definition: asks(email) } })
    const { id: executionId } = await client.workflows.execute({ params: { id }, body: {} })
    await page.goto(`${server.url}/approvals`)
    await page.getByText('Pay the invoice').first().waitFor()
    await press(page, 'Approve')
    await owner.page.goto(`${server.url}/runs/${executionId}`)
    await owner.page.locator('.runhead span.st-completed').waitFor()
    await owner.page.goto(`${server.url}/settings/team`)
    await owner.page.getByText(email, { exact: true }).waitFor()
    expect(await owner.page.locator('table.rows tbody tr').count()).toBe(2)
    expect([owner.seen, guest.seen]).toEqual([[], []])
    await Promise.all([owner.context.close(), guest.context.close()])
  })

  test('a person of an account that demands a second factor adds one at sign-in', async () => {
    const { email, accountId } = await server.registerAccount()
    await server.database.system.updateTable('accounts').set({ requires_mfa: true }).where('id', '=', accountId).execute()
    const { context, seen } = await visitor()
    const page = await context.newPage()
    await signIn(page, email)
    await press(page, 'Add an authenticator')
    await page.locator('.qr').waitFor()
    const secret = (await page.locator('bdi.mono').textContent()) ?? ''
    await page.getByRole('textbox', { name: 'Code' }).fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate())
    await press(page, 'Continue')
    expect((await page.locator('.secret').textContent())?.split('\n').length).toBeGreaterThan(4)
    await press(page, 'Done')
    await page.waitForURL(`${server.url}/`)
    await page.reload()
    await page.getByRole('heading', { name: 'Let the first one run' }).waitFor()
    expect(seen).toEqual([])
    await context.close()
  })

  test('a run proves itself in the browser, and so does the day of the audit log that has its end', async () => {
    const { page, email, seen, context } = await registered()
    const client = await clientOf(email)
    const { id } = await client.workflows.create({ body: { definition: doubles } })
    const run = await client.workflows.execute({ params: { id }, body: { input: { n: 21 } } }, { waitSeconds: 10 })
    await page.goto(`${server.url}/runs/${run.id}`)
    await press(page, 'Prove it')
    await page.getByText('Proven in this browser').waitFor()
    await page.getByText('The result on this page is the one in the receipt.').waitFor()
    await page.goto(`${server.url}/audit`)
    await press(page, 'Verify')
    await page.locator('.day-card').click()
    await press(page, 'Verify this day')
    await page.getByText('is complete and unchanged').waitFor()
    expect(seen).toEqual([])
    await context.close()
  })

  test('an owner exports the data of the account, and gets a ZIP file', async () => {
    const { page, seen, context } = await registered()
    await page.goto(`${server.url}/settings/data`)
    await press(page, 'Export everything')
    await inDialog(page, 'Export everything')
    const link = page.getByRole('link', { name: 'Download' })
    await link.waitFor({ timeout: 60_000 })
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    const bytes = await readFile(await download.path())
    expect(bytes.subarray(0, 2).toString()).toBe('PK')
    expect(seen).toEqual([])
    await context.close()
  })

  test('an e-invoice is made, judged and signed in the interface', async () => {
    const { page, seen, context } = await registered()
    await page.goto(`${server.url}/e-invoices`)
    await page.getByLabel('What 1').fill('Workshop')
    await page.getByLabel('Price of one, net 1').fill('450.00')
    await page.getByLabel('Number').fill('2026-0042')
    for (const side of ['Seller', 'Buyer'])
      for (const part of ['name', 'street', 'postcode', 'city']) await page.getByLabel(`${side}: ${part}`).fill(`${side} ${part}`)
    await page.getByLabel('Seller: VAT id').fill('DE123456789')
    await page.getByLabel('Account of the payee').fill('DE89370400440532013000')
    await press(page, 'Generate')
    await page.getByText('€535.50').first().waitFor()
    await press(page, 'Sign for development')
    await page.getByRole('button', { name: 'Signed XML' }).waitFor()
    expect(seen).toEqual([])
    await context.close()
  })

  test('an account begins the trial of a plan, and cancels it', async () => {
    const { page, seen, context } = await registered()
    await page.goto(`${server.url}/settings/plan`)
    await press(page, 'Change the plan')
    await inDialog(page, 'Choose Pro')
    await inDialog(page, 'Confirm')
    await page.getByText('The plan is Pro.').waitFor()
    await press(page, 'Cancel the plan')
    await inDialog(page, 'Cancel the plan')
    await page.getByRole('button', { name: 'Undo the cancellation' }).waitFor()
    expect(seen).toEqual([])
    await context.close()
  })

  const looks: readonly (readonly [string, Look])[] = [
    ['light', {}],
    ['dark, at 390 px', { theme: 'dark', phone: true }],
    ['in Arabic', { locale: 'ar' }],
  ]

  test.each(looks)('every page about people and trust is accessible and fits: %s', async (_name, look) => {
    const { context, seen } = await visitor([], look)
    const page = await context.newPage()
    await signIn(page, operator)
    await page.waitForURL(`${server.url}/`)
    const findings: string[] = []
    for (const path of [...trustPages, ...operatorPages]) {
      await page.goto(`${server.url}/${path}`)
      await page.locator('h1').first().waitFor()
      await page.locator('.skeleton').first().waitFor({ state: 'detached' })
      findings.push(...(await axeFindings(page, axe)).map((finding) => `${path} ${finding}`))
      const overflow: unknown = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
      if (Number(overflow) > 0) findings.push(`${path} is ${String(overflow)} px too wide`)
    }
    expect(findings).toEqual([])
    expect(seen).toEqual([])
    await context.close()
  })
})

const asks = (email: string) =>
  `document: { dsl: 1.0.3, namespace: e2e, name: pay, version: 1.0.0 }\ndo:\n- ask: { call: approve, with: { title: Pay the invoice, approvers: [${email}] } }\n`

const doubles = 'document: { dsl: 1.0.3, namespace: e2e, name: double, version: 1.0.0 }\ndo:\n- twice: { set: { result: "${ .n * 2 }" } }\n'
