import { createClient } from '@millrace/client'
import { groups } from '@millrace/contract'
import type { CDPSession, Page } from 'playwright-core'
import { buildWeb } from '#build/build-web.ts'
import { contextOf, launch, password, signIn } from './browser.ts'
import { startServer } from './start-server.ts'

// `npm run measure:web [rounds]`: how fast a run with two entries for each round opens in Chromium, what a seek of its scrubber takes, and what it costs in memory.
const rounds = Number(process.argv[2] ?? 5000)
const email = 'measure@example.com'

await buildWeb()
const server = await startServer()
const browser = await launch()
try {
  const client = createClient({ baseUrl: server.url, groups })
  const { accessToken: token } = await client.auth.register({ body: { email, password } })
  const api = createClient({ baseUrl: server.url, groups, token })
  const small = await runOf(10)
  const large = await runOf(rounds)
  const context = await contextOf(browser, server.url)
  const page = await signIn(context, server.url, { email, password })
  const devtools = await context.newCDPSession(page)
  await opened(page, devtools, small, 20)
  for (const [name, id, entries] of [
    ['20 entries', small, 20],
    [`${rounds * 2} entries`, large, rounds * 2],
  ] as const) {
    const { ms, heapMb, nodes } = await opened(page, devtools, id, entries)
    const seeks = await seekTimes(page)
    console.log(`${name}: open ${ms.toFixed(0)} ms, heap ${heapMb.toFixed(1)} MB, ${nodes} DOM nodes; seek to paint ${seeks}`)
  }

  async function runOf(count: number): Promise<string> {
    const definition = `document: { dsl: 1.0.3, namespace: measure, name: rounds-${count}, version: 1.0.0 }
do:
- each:
    for: { each: line, in: '\${ [range(${count})] }' }
    do:
    - take: { set: { line: '\${ $line }', note: a value of some length that a person reads } }
    - rest: { wait: { milliseconds: 1 } }
`
    const workflow = await api.workflows.create({ body: { definition } })
    const run = await api.workflows.execute({ params: { id: workflow.id }, body: {} })
    for (;;) {
      const { state } = await api.workflows.execution({ params: { executionId: run.id }, query: { view: 'summary' } })
      if (state === 'completed') return run.id
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  }
} finally {
  await browser.close()
  await server.stop()
}

/** From the address until every entry is drawn. */
async function opened(page: Page, devtools: CDPSession, id: string, entries: number) {
  await page.goto(`${server.url}/workflows`)
  await page.locator('h1').first().waitFor()
  const from = performance.now()
  await page.goto(`${server.url}/runs/${id}`)
  await page.locator(`.tl[data-entries="${entries}"]`).waitFor({ timeout: 120_000 })
  const ms = performance.now() - from
  await devtools.send('HeapProfiler.collectGarbage')
  await devtools.send('Performance.enable')
  const { metrics } = await devtools.send('Performance.getMetrics')
  const valueOf = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0
  return { ms, heapMb: valueOf('JSHeapUsedSize') / 1024 / 1024, nodes: valueOf('Nodes') }
}

/** Median and slowest time of 20 seeks, from the key to the frame after it. */
async function seekTimes(page: Page): Promise<string> {
  await page.locator('.scrubber input[type="range"]').focus()
  const times: number[] = []
  for (let index = 0; index < 20; index++) {
    await page.evaluate("window.pressedAt = 0; addEventListener('keydown', () => { window.pressedAt = performance.now() }, { once: true })")
    await page.keyboard.press(index % 2 === 0 ? 'PageDown' : 'ArrowLeft')
    times.push(
      Number(
        await page.evaluate(
          'new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(performance.now() - window.pressedAt))))',
        ),
      ),
    )
  }
  const sorted = times.toSorted((one, other) => one - other)
  return `median ${(sorted[10] ?? 0).toFixed(0)} ms, slowest ${(sorted.at(-1) ?? 0).toFixed(0)} ms`
}
