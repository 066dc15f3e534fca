import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createTestServer, type TestServer } from '@millrace/server/testing/server'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildWeb } from '#build/build-web.ts'
import { chromiumPath, contextOf, launch, type Look, register } from './browser.ts'
import { buildingPaths } from './building-paths.ts'
import { axeFindings, guard } from './guard.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

describe.skipIf(chromiumPath === undefined)('building in a browser', { timeout: 120_000 }, () => {
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

  test('a person imports a template with its values', async () => {
    const { page, seen, close } = await registered()
    await page.goto(`${server.url}/templates`)
    await page.getByLabel('Title, task or tag').fill('grant access')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: /Grant access for a time/ }).click()
    await page.locator('.flow .card').nth(3).waitFor()
    await page.getByLabel('Who approves').fill('ada@example.com')
    await page.getByLabel('Address to which grants are put').fill('https://access.example.com/grants')
    await page.getByLabel('Address to which revocations are posted').fill('https://access.example.com/revoked')
    await press(page, 'Use it')
    await page.waitForURL(/\/workflows\/wf_/)
    await page.getByText('https://access.example.com/revoked').first().waitFor()
    expect(seen).toEqual([])
    await close()
  })

  const looks: readonly (readonly [string, Look])[] = [
    ['light', {}],
    ['dark, at 390 px', { theme: 'dark', phone: true }],
    ['in Arabic', { locale: 'ar' }],
  ]

  test.each(looks)('every page of building is accessible and fits: %s', async (_name, look) => {
    const { page, seen, close } = await registered(look)
    const findings: string[] = []
    for (const path of buildingPaths) {
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
