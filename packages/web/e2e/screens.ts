import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { launchChromium } from '@millrace/server/testing/chromium'
import type { Page } from 'playwright-core'
import { buildWeb } from '#build/build-web.ts'
import { buildingPaths } from './building-paths.ts'
import { contextOf, type Look, signIn } from './browser.ts'
import { startServer } from './start-server.ts'
import { fillAccount, screenPerson } from './screen-data.ts'
import { operatorPages, trustPages } from './trust-pages.ts'

// "npm run screens": starts a server with its own data, uses it, and writes a picture of every page to .screens (not kept in git), and those of the README to
// docs/images. "npm run screens -- git team" writes the pages whose path has one of the words.
const root = fileURLToPath(new URL('../../..', import.meta.url))
const target = join(root, '.screens')
const pages = [
  '',
  ...buildingPaths.map((path) => path.slice(1)),
  'workflows',
  'workflows/new',
  'runs',
  'runs/compare',
  'approvals',
  'insights',
  'dead-letters',
  'variables',
  'tables/orders',
  'events',
  'subscriptions',
  'notifications',
  'audit',
  'settings/plan',
  'settings/profile',
  'settings/security',
  'settings/api-keys',
  'git',
  ...trustPages,
  ...operatorPages,
]
const words = process.argv.slice(2)
const chosen = pages.filter((path) => words.length === 0 || words.some((word) => path.includes(word)))
const looks: Readonly<Record<string, Look>> = {
  'desktop-light': {},
  'desktop-dark': { theme: 'dark' },
  'phone-light': { phone: true },
  'phone-dark': { theme: 'dark', phone: true },
  'desktop-light-ar': { locale: 'ar' },
}

await buildWeb()
await mkdir(target, { recursive: true })
const server = await startServer()
const browser = await launchChromium()
try {
  const { url } = server
  for (const [name, look] of Object.entries(looks)) {
    const context = await contextOf(browser, url, look)
    // The first person runs the installation, and sees its pages.
    const isOperator = name === 'desktop-light'
    const person = await screenPerson(url, name, isOperator ? server.operatorCode : undefined)
    const page = await signIn(context, url, person)
    await page.locator('.door').first().waitFor()
    await shoot(page, `first-${name}`)
    const workflow = await useExample(page, url, look.locale === 'ar')
    const run = page.url()
    await fillAccount(url, person)
    await shoot(page, `run-${name}`)
    await page.goto(workflow)
    await page.locator('.flow .card').nth(3).waitFor()
    await shoot(page, `editor-${name}`)
    for (const path of chosen) {
      if (operatorPages.includes(path) && !isOperator) continue
      await page.goto(`${url}/${path}`)
      await page.locator('h1').first().waitFor()
      await page.locator('.skeleton').first().waitFor({ state: 'detached' })
      await shoot(page, `${path === '' ? 'home' : path.replaceAll(/[/?=]/g, '-')}-${name}`)
    }
    if (name === 'desktop-light') await readmePictures(page, workflow, run)
    await context.close()
  }
  console.log(`The pictures are in ${target}`)
} finally {
  await browser.close()
  await server.stop()
}

/** Makes, publishes and runs the example, and leaves it waiting for the decision. Returns the address of the workflow. */
async function useExample(page: Page, url: string, arabic: boolean): Promise<string> {
  await page.locator('.door').first().click()
  await page.waitForURL(/\/workflows\/wf_/)
  const workflow = page.url()
  await page.locator('.ebar .primary').click()
  await page.locator('dialog .primary').click()
  await page.waitForURL(/\/runs\/exec_/)
  await page.locator('.acard .primary').waitFor()
  if (arabic || url === '') return workflow
  await page.locator('.flow .entry[data-state="waiting"]').waitFor()
  return workflow
}

async function readmePictures(page: Page, workflow: string, run: string): Promise<void> {
  await mkdir(join(root, 'docs/images'), { recursive: true })
  await page.goto(workflow)
  await page.locator('.flow .card').nth(3).waitFor()
  await page.screenshot({ path: join(root, 'docs/images/editor.png') })
  await page.goto(run)
  await page.locator('.acard .primary').waitFor()
  await page.screenshot({ path: join(root, 'docs/images/run.png') })
}

async function shoot(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(target, `${name}.png`) })
}
