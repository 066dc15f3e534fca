import { cpus, loadavg } from 'node:os'
import { launchChromium } from '@millrace/server/testing/chromium'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { buildWeb, distOfWeb } from '#build/build-web.ts'
import { contextOf, register } from '#e2e/browser.ts'
import { startServer } from '#e2e/start-server.ts'
import { fontSize, pageSizes } from '#e2e/page-sizes.ts'
import { largeDefinition } from './large-definition.ts'
import { measureRuns, type Place } from './large-run.ts'
import { measureList } from './long-list.ts'
import { measureText } from './text.ts'

// "npm run bench:ui [steps] [part]": how fast the editor answers in Chromium, how much each page loads, and how the UI copes with large runs and long lists,
// beside a bare page and a bare loop in the same run.
const steps = Number(process.argv[2] ?? 500)
const part = process.argv[3]
const entries = 10_000
const keys = 40
const restMs = 1500

/** Collects the time from an event to the next paint, as the browser itself measures it. */
const observe = `window.seen = []; new PerformanceObserver((list) => { for (const one of list.getEntries()) window.seen.push([one.name, one.duration]) })
  .observe({ type: 'event', durationThreshold: 16, buffered: false })`
const nextPaint = 'new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)))'
const bareLoop = `(() => { const began = performance.now(); let sum = 0; for (let i = 0; i < 2e7; i++) sum = (sum + i * 31) | 0; return performance.now() - began + (sum === 1 ? 1 : 0) })()`

await buildWeb()
const { url, stop } = await startServer()
const browser = await launchChromium()
try {
  const context = await contextOf(browser, url)
  const { page } = await register(context, url)
  const token = await tokenOf(page)
  const place: Place = { url, token, context, page }
  const workflow = await createWorkflow(page, token, largeDefinition(steps))
  print(
    `${cpus().length} cores, ${cpus()[0]?.model.trim() ?? ''}, load ${loadavg()[0]?.toFixed(1)}; Chromium ${browser.version()}; ${steps} steps`,
  )
  print(`bare loop of 20 million rounds in the page: ${await times(5, () => page.evaluate(bareLoop))}`)
  if (isWanted('text')) await measureText(largeDefinition(steps), print)
  if (isWanted('editor')) {
    print(`key to paint in a bare text area: ${await bareKeys(context)}`)
    await measureEditor(page, workflow)
  }
  if (isWanted('runs')) await measureRuns(place, entries / 2, print)
  if (isWanted('list')) {
    if (part !== undefined) await measureRuns(place, 10, () => undefined)
    await measureList(place, print)
  }
  print(`bare loop again: ${await times(5, () => page.evaluate(bareLoop))}`)
  if (isWanted('pages')) {
    await printSizes()
    await measureSizes(browser, context, workflow)
  }
} finally {
  await browser.close()
  await stop()
}

function isWanted(name: 'editor' | 'pages' | 'runs' | 'list' | 'text'): boolean {
  return part === undefined || part === name
}

async function printSizes(): Promise<void> {
  const font = await fontSize(distOfWeb)
  for (const [name, { script, style, worker }] of Object.entries(await pageSizes(distOfWeb))) {
    const all = script + style + worker + font
    print(`${name}, of the build: script ${kb(script)}, workers ${kb(worker)}, styles ${kb(style)}, with the font ${kb(all)}`)
  }
}

function kb(bytes: number): string {
  return `${Math.round(bytes / 1000)} KB`
}

async function measureEditor(page: Page, workflow: string): Promise<void> {
  const first = page.locator('[data-step="/do/0/fetch0"]')
  const opened: number[] = []
  for (let round = 0; round < 3; round++) {
    await page.goto(`${url}/workflows`)
    const row = page.locator(`a[href="${workflow}"]`).first()
    await row.waitFor()
    // The streams of a page stay open, so the network is never idle.
    await page.waitForTimeout(restMs)
    const began = performance.now()
    await row.click()
    await first.waitFor()
    await page.evaluate(nextPaint)
    opened.push(performance.now() - began)
  }
  print(`opening the editor from the list: ${shown(opened)}`)
  await page.evaluate(observe)
  await page.waitForTimeout(3000)
  const selected: number[] = []
  for (const name of ['price0', 'keep3', 'fetch7', 'price9', 'each2', 'keep1']) {
    const card = page.locator(`[data-step$="/${name}"]`)
    await card.scrollIntoViewIfNeeded()
    await page.waitForTimeout(200)
    await page.evaluate('window.seen.length = 0')
    await card.click()
    await page.locator(`.step[aria-label="${name}"]`).waitFor()
    await page.waitForTimeout(300)
    selected.push(await longest(page))
  }
  print(`opening a step, click to paint: ${shown(selected)}`)
  await page.locator('[data-step$="/price0"]').click()
  const field = page.locator('.step [data-field="set"] :is(textarea, .cm-content)').nth(1)
  await field.click()
  print(`key to paint in a field: ${await typing(page)}`)
  await page.locator('[data-step$="/price0"]').click()
  await page.evaluate('window.seen.length = 0')
  const began = performance.now()
  await page.keyboard.press('Control+d')
  await page.locator('[data-step^="/do/2/price"]').waitFor()
  await page.evaluate(nextPaint)
  print(
    `duplicating a step until it is drawn: ${Math.round(performance.now() - began)} ms, key to paint ${Math.round(await longest(page))} ms`,
  )
  for (const view of ['Both', 'Text']) {
    await page.getByRole('button', { name: view, exact: true }).click()
    await page.locator('.cm-content').first().click()
    await page.keyboard.press('Control+Home')
    await page.waitForTimeout(1500)
    print(`key to paint in the text, view ${view}: ${await typing(page)}`)
  }
}

/** Types into what has the focus, as fast as a quick typist. */
async function typing(page: Page): Promise<string> {
  await page.evaluate(observe)
  const found: number[] = []
  for (let index = 0; index < keys; index++) {
    await page.evaluate('window.seen.length = 0')
    await page.keyboard.press(index % 8 === 7 ? 'Space' : ('#abcdefg'[index % 8] ?? 'x'))
    await page.waitForTimeout(90)
    found.push(await longest(page))
  }
  return shown(found)
}

/** The longest time to paint since the list was emptied; events under 16 ms are not reported, and count as 16. */
async function longest(page: Page): Promise<number> {
  const seen: unknown = await page.evaluate('Math.max(16, ...window.seen.map(([, ms]) => ms))')
  return Number(seen)
}

async function bareKeys(context: BrowserContext): Promise<string> {
  const page = await context.newPage()
  await page.goto('about:blank')
  await page.evaluate("document.body.append(document.createElement('textarea')); document.querySelector('textarea').focus()")
  const result = await typing(page)
  await page.close()
  return result
}

/** The access token of the person of a page. */
async function tokenOf(page: Page): Promise<string> {
  const sent = page.waitForRequest((request) => request.headers()['authorization'] !== undefined)
  await page.reload()
  return (await sent).headers()['authorization']?.replace('Bearer ', '') ?? ''
}

async function createWorkflow(page: Page, token: string, definition: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` }
  const reply = await page.request.post(`${url}/api/v1/workflows`, { headers, data: { definition } })
  const body: unknown = await reply.json()
  return `/workflows/${String(Object(body)['id'])}`
}

/** What each page loads in a browser that has nothing yet: scripts and styles, compressed as they are sent. */
async function measureSizes(from: Browser, context: BrowserContext, workflow: string): Promise<void> {
  let state = await context.storageState()
  for (const [name, path, ready] of [
    ['sign-in', '/sign-in', 'input[type="email"]'],
    ['list of workflows', '/workflows', 'h1'],
    ['editor', workflow, '.ebar'],
  ] as const) {
    const fresh = await from.newContext(name === 'sign-in' ? {} : { storageState: state })
    const page = await fresh.newPage()
    const sizes = { script: 0, stylesheet: 0, font: 0, other: 0 }
    page.on('response', (response) => {
      const type = response.request().resourceType()
      const kind = type === 'script' || type === 'stylesheet' || type === 'font' ? type : 'other'
      if (new URL(response.url()).pathname.startsWith('/assets/')) sizes[kind] += Number(response.headers()['content-length'] ?? 0)
    })
    await page.goto(`${url}${path}`)
    await page.locator(ready).first().waitFor()
    // What follows later belongs to what a person does.
    await page.waitForTimeout(restMs * 2)
    print(
      `${name}, in a browser: ${Object.entries(sizes)
        .map(([kind, bytes]) => `${kind} ${Math.round(bytes / 1000)} KB`)
        .join(', ')}`,
    )
    // A refresh token is valid once.
    if (name !== 'sign-in') state = await fresh.storageState()
    await fresh.close()
  }
}

async function times(count: number, measure: () => Promise<unknown>): Promise<string> {
  const found: number[] = []
  for (let round = 0; round < count; round++) found.push(Number(await measure()))
  return shown(found)
}

function shown(values: readonly number[]): string {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
  return `median ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms (${values.length})`
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
