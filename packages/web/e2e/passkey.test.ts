import { createTestServer, type TestServer } from '@millrace/server/testing/server'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildWeb } from '#build/build-web.ts'
import { chromiumPath, contextOf, launch, register } from './browser.ts'
import { guard } from './guard.ts'

// Without a Chromium (Debian: apt install chromium) the journey is skipped.
describe.skipIf(chromiumPath === undefined)('with the authenticator of a browser', { timeout: 90_000 }, () => {
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

  test('a person adds a passkey, signs in by it alone, and removes it', async () => {
    // Browsers make passkeys for names only.
    const url = server.url.replace('127.0.0.1', 'localhost')
    const context = await contextOf(browser, url)
    const seen = guard(context, url)
    const { page } = await register(context, url)
    const devtools = await context.newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    await page.goto(`${url}/settings/security`)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByLabel('Name').fill('Laptop')
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Laptop').waitFor()
    await page.getByRole('button', { name: 'Language and sign-out' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL(/\/sign-in/)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.waitForURL(`${url}/`)
    await page.goto(`${url}/settings/security`)
    await page.getByRole('button', { name: 'Remove Laptop' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove passkey' }).click()
    await page.getByRole('button', { name: 'Remove Laptop' }).waitFor({ state: 'detached' })
    expect(seen).toEqual([])
    await context.close()
  })
})
