import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createTestServer, type TestServer } from '@millrace/server/testing/server'
import { Secret, TOTP } from 'otpauth'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildWeb } from '#build/build-web.ts'
import { chromiumPath, contextOf, launch, type Look, password, register } from './browser.ts'
import { axeFindings, guard } from './guard.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

// Without a Chromium (Debian: apt install chromium) the journeys are skipped.
describe.skipIf(chromiumPath === undefined)('in a browser', { timeout: 90_000 }, () => {
  let server: TestServer
  let browser: Browser
  beforeAll(async () => {
    const [started, launched] = await Promise.all([createTestServer(), launch(), buildWeb()])
    server = started
    browser = launched
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })

  async function registered(look: Look = {}, expected: readonly RegExp[] = []) {
    const context = await contextOf(browser, server.url, look)
    const seen = guard(context, server.url, expected)
    return { ...(await register(context, server.url)), seen, close: () => context.close() }
  }

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

  /** Replaces the text of the editor as a paste does: what is typed over a selection, Chromium itself inserts with inline styles. */
  async function replaceAll(page: Page, text: string): Promise<void> {
    await page.keyboard.press('Control+a')
    await page.evaluate(
      `(() => { const data = new DataTransfer(); data.setData('text/plain', ${JSON.stringify(text)}); document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })) })()`,
    )
  }

  async function write(page: Page, definition: string): Promise<void> {
    await page.goto(`${server.url}/workflows/new`)
    await page.locator('.cm-content').click()
    await replaceAll(page, definition)
    await press(page, 'Save draft')
    await page.waitForURL(/\/workflows\/wf_/)
  }

  async function run(page: Page): Promise<void> {
    await press(page, 'Run')
    await page.getByRole('dialog').getByRole('button', { name: 'Run' }).click()
    await page.waitForURL(/\/runs\/exec_/)
  }

  test('a person registers, runs the example, decides, and sees the result', async () => {
    const { page, seen, close } = await registered()
    await page.getByRole('button', { name: /Try an example/ }).click()
    await page.waitForURL(/\/workflows\/wf_/)
    await press(page, 'Publish')
    await page.getByText('Version 1 is published.').waitFor()
    await run(page)
    await page.getByText('Take the order of Meridian Tea for 1236').waitFor()
    await press(page, 'Approve')
    await page.locator('.runhead span.st-completed').waitFor()
    expect(await page.locator('.step-panel .json').first().textContent()).toContain('"total": 1236')
    expect(seen).toEqual([])
    await close()
  })

  test('a person sees why a run stopped, mends the workflow, and retries from there', async () => {
    const { page, seen, close } = await registered()
    await write(
      page,
      'document: { dsl: 1.0.3, namespace: e2e, name: broken, version: 1.0.0 }\ndo:\n- begin: { set: { by: 0 } }\n- divide: { set: { result: "${ 10 / .by }" } }\n',
    )
    await run(page)
    await page.getByRole('heading', { name: 'Why it stopped' }).waitFor()
    expect(await page.locator('.why').textContent()).toContain('divide')
    await page.getByRole('link', { name: 'Fix the workflow' }).click()
    await page.locator('[data-step="/do/1/divide"][aria-pressed="true"]').waitFor()
    await press(page, 'Text')
    await page.locator('.cm-content').click()
    await replaceAll(
      page,
      'document: { dsl: 1.0.3, namespace: e2e, name: broken, version: 1.0.1 }\ndo:\n- begin: { set: { by: 0 } }\n- divide: { set: { result: "${ 10 / (.by + 1) }" } }\n',
    )
    await press(page, 'Publish')
    await page.getByText('Version 2 is published.').waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click()
    await page.locator('.runhead span.st-completed').waitFor()
    expect(await page.locator('.step-panel .json').first().textContent()).toContain('"result": 10')
    expect(seen).toEqual([])
    await close()
  })

  test('problems of a definition are shown while it is written, without a request', async () => {
    const { page, seen, close } = await registered()
    await page.goto(`${server.url}/workflows/new`)
    await page.locator('.cm-content').click()
    await page.keyboard.press('Control+End')
    await page.keyboard.insertText('\n  - pause: { wiat: { seconds: 1 } }\n')
    await page.getByRole('button', { name: /problem/ }).click()
    await page.getByText(/wiat/).nth(1).waitFor()
    expect(seen).toEqual([])
    await close()
  })

  test('a session survives a reload, and a sign-out ends it', async () => {
    const { page, seen, email, close } = await registered()
    await page.reload()
    await page.getByRole('heading', { name: 'Let the first one run' }).waitFor()
    await press(page, 'Language and sign-out')
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL(/\/sign-in/)
    await page.goto(`${server.url}/variables`)
    await page.waitForURL(/\/sign-in\?to=/)
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(password)
    await press(page, 'Continue')
    await page.waitForURL(/\/variables/)
    expect(seen).toEqual([])
    await close()
  })

  test('a person adds an authenticator, and signs in with its code', async () => {
    const { page, seen, email, close } = await registered({}, [/401 POST \/api\/v1\/auth\/mfa\/setup/])
    await page.goto(`${server.url}/settings/security`)
    await press(page, 'Add an authenticator')
    await page.locator('dialog .qr').waitFor()
    const secret = (await page.locator('dialog bdi.mono').textContent()) ?? ''
    const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate()
    await page.getByRole('textbox', { name: 'Code' }).fill(code())
    await page.getByRole('dialog').getByRole('button', { name: 'Add an authenticator' }).click()
    const recovery = (await page.locator('dialog .secret').textContent())?.split('\n')[0] ?? ''
    await press(page, 'Done')
    await press(page, 'Language and sign-out')
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL(/\/sign-in/)
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(password)
    await press(page, 'Continue')
    await page.getByRole('heading', { name: 'Second step' }).waitFor()
    // A code works once, and the one above was used in the same half minute.
    await press(page, 'Use a recovery code')
    await page.getByLabel('Recovery code').fill(recovery)
    await press(page, 'Continue')
    await page.waitForURL(`${server.url}/`)
    expect(seen).toEqual([])
    await close()
  })

  test('a webhook made in the interface starts the workflow, and its run is listed', async () => {
    const { page, seen, close } = await registered()
    await write(
      page,
      'document: { dsl: 1.0.3, namespace: e2e, name: hooked, version: 1.0.0 }\ndo:\n- take: { set: { order: "${ .body.order }" } }\n',
    )
    await press(page, 'Publish')
    await page.getByRole('tab', { name: 'Starts' }).click()
    await press(page, 'Webhook')
    await page.getByLabel('How the sender proves who it is').selectOption('none')
    await press(page, 'Add')
    // The test server has another port than its configuration says.
    const { pathname } = new URL((await page.locator('dialog .secret').first().textContent()) ?? '')
    const response = await fetch(`${server.url}${pathname}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"order":7}',
    })
    expect(response.status).toBe(200)
    await press(page, 'Done')
    await page.goto(`${server.url}/runs`)
    await page.locator('table.rows .row-link').first().click()
    await page.locator('.runhead span.st-completed').waitFor()
    expect(await page.locator('.step-panel .json').first().textContent()).toContain('"order": 7')
    expect(seen).toEqual([])
    await close()
  })

  const looks: readonly (readonly [string, Look])[] = [
    ['light', {}],
    ['dark, at 390 px', { theme: 'dark', phone: true }],
    ['in Arabic', { locale: 'ar' }],
  ]
  const paths = [
    '/',
    '/workflows',
    '/workflows/new',
    '/runs',
    '/runs/compare',
    '/insights',
    '/audit',
    '/approvals',
    '/variables',
    '/events',
    '/subscriptions',
    '/dead-letters',
    '/notifications',
    '/settings/plan',
    '/settings/profile',
    '/settings/security',
    '/settings/api-keys',
  ]

  test.each(looks)('every page is accessible and fits: %s', async (_name, look) => {
    const { page, seen, close } = await registered(look)
    const findings: string[] = []
    for (const path of paths) {
      await page.goto(`${server.url}${path}`)
      await page.locator('h1').first().waitFor()
      await page.locator('.skeleton').first().waitFor({ state: 'detached' })
      findings.push(...(await axeFindings(page, axe)).map((finding) => `${path} ${finding}`))
      const overflow: unknown = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
      if (Number(overflow) > 0) findings.push(`${path} is ${String(overflow)} px too wide`)
    }
    expect(findings).toEqual([])
    expect(seen).toEqual([])
    await close()
  })
})
