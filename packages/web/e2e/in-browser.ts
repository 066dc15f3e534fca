import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { chromiumPath, launchChromium } from '@millrace/server/testing/chromium'
import { createTestServer, type Environment, type TestServer } from '@millrace/server/testing/server'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe } from 'vitest'
import { buildWeb } from '#build/build-web.ts'
import { admit, contextOf, desktop, type Look, phone } from './browser.ts'
import { coveredControls } from './covered-controls.ts'
import { axeFindings, guard } from './guard.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** One person at the browser: what the guard saw, and the end of the visit. */
export interface Visit {
  readonly context: BrowserContext
  /** What must not occur. */
  readonly seen: readonly string[]
  /** Ends a journey, and lists what was wrong: what occurred that must not, and what axe finds on the last page. */
  end(page: Page): Promise<readonly string[]>
}

interface Registered extends Visit {
  readonly page: Page
  readonly email: string
}

/** A server and a Chromium for the journeys of one file. */
export interface Stage {
  readonly server: TestServer
  readonly browser: Browser
  visitor(look?: Look, expected?: readonly RegExp[], url?: string): Promise<Visit>
  /** A new person with a session, at no page yet. */
  registered(look?: Look, expected?: readonly RegExp[]): Promise<Registered>
  /** A new person at the first page. */
  atHome(look?: Look, expected?: readonly RegExp[]): Promise<Registered>
}

/** How a journey is looked at. */
export const looks: readonly (readonly [string, Look])[] = [
  ['light', {}],
  ['dark, at 390 px', { theme: 'dark', phone: true }],
  ['in Arabic', { locale: 'ar' }],
]

/** How pages are looked at by the checks of every page: the colours and the width change without another load, the language does not. */
export const walks: readonly (readonly [string, Look])[] = [
  ['light, and dark at 390 px', {}],
  ['in Arabic', { locale: 'ar' }],
]

/** Journeys in Chromium against a server of their own; skipped without a Chromium (Debian: apt install chromium). */
export function inBrowser(
  title: string,
  journeys: (stage: Stage) => void,
  settings: () => Promise<Environment> = async () => ({}),
  prepare: (server: TestServer) => Promise<unknown> = async () => {},
): void {
  // oxlint-disable-next-line vitest/valid-title -- The file gives it.
  describe.skipIf(chromiumPath === undefined)(title, () => {
    let server: TestServer
    let browser: Browser
    beforeAll(async () => {
      const [started, launched] = await Promise.all([settings().then(createTestServer), launchChromium(), buildWeb()])
      server = started
      browser = launched
      await prepare(server)
    })
    afterAll(async () => {
      await browser?.close()
      await server?.close()
    })

    async function visitor(look: Look = {}, expected: readonly RegExp[] = [], url = server.url): Promise<Visit> {
      const context = await contextOf(browser, url, look)
      // A machine that is busy with other tests may refuse a read with 503; the page repeats it.
      const seen = guard(context, url, [...expected, /^503 GET /])
      return { context, seen, end: (page) => endOf(page, context, seen) }
    }

    async function registered(look?: Look, expected?: readonly RegExp[]): Promise<Registered> {
      const visit = await visitor(look, expected)
      return { ...visit, ...(await admit(visit.context, server.url)) }
    }

    journeys({
      get server() {
        return server
      },
      get browser() {
        return browser
      },
      visitor,
      registered,
      async atHome(look, expected) {
        const person = await registered(look, expected)
        await person.page.goto(`${server.url}/`)
        return person
      },
    })
  })
}

async function endOf(page: Page, context: BrowserContext, seen: readonly string[]): Promise<readonly string[]> {
  const findings = await findingsOf(page)
  await context.close()
  return [...findings, ...seen]
}

/** What is wrong with a page as it is now: findings of axe, controls that another element covers, and a page that is wider than its window. */
export async function findingsOf(page: Page, exclude: readonly string[] = []): Promise<readonly string[]> {
  return [...(await axeFindings(page, axe, exclude)), ...(await layoutFindings(page))]
}

/** Controls that another element covers, and a page that is wider than its window. */
async function layoutFindings(page: Page): Promise<readonly string[]> {
  const overflow = Number(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'))
  const covered = await page.evaluate<readonly string[]>(coveredControls)
  return [...covered, ...(overflow > 0 ? [`${overflow} px too wide`] : [])]
}

/** What is wrong with a page as it is now, and dark at 390 px. */
export async function findingsInBoth(page: Page, exclude: readonly string[] = []): Promise<readonly string[]> {
  const light = await findingsOf(page, exclude)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize(phone)
  const dark = (await findingsOf(page, exclude)).map((finding) => `dark, at 390 px: ${finding}`)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(desktop)
  return [...light, ...dark]
}

/**
 * Opens each of the paths, and lists what is wrong with them. The list of all pages at the side is the same on each, and is looked at with the first. In Arabic axe
 * looks at the first page alone: it finds nothing in the others that it does not find in English, except for their layout.
 */
export async function findingsOfAll(page: Page, url: string, paths: readonly string[], { locale }: Look): Promise<readonly string[]> {
  const findings: string[] = []
  for (const path of paths) {
    const isFirst = path === paths[0]
    await page.goto(new URL(path, url).href)
    await page.locator('h1').first().waitFor()
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
    const found = await (locale !== 'ar'
      ? findingsInBoth(page, isFirst ? [] : ['.rail'])
      : isFirst
        ? findingsOf(page)
        : layoutFindings(page))
    findings.push(...found.map((finding) => `${path} ${finding}`))
  }
  return findings
}

export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** Publishes what the editor has, with the note that it suggests. */
export async function publish(page: Page): Promise<void> {
  await press(page, 'Publish')
  await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click()
}

/** Chooses a workflow by a part of its name, which the server searches. */
export async function pickWorkflow(field: Locator, name: string): Promise<void> {
  await field.click()
  await field.fill(name)
  await field.page().getByRole('option', { name, exact: true }).click()
}
