import { createClient } from '@millrace/client'
import { groups } from '@millrace/contract'
import type { BrowserContext, CDPSession, Page } from 'playwright-core'

/** A page with a session, the token of its person, and where the server is. */
export interface Place {
  readonly url: string
  readonly token: string
  readonly context: BrowserContext
  readonly page: Page
}

/** How long a run takes until each entry is in the page, what it costs in memory, and the time of a seek of its scrubber; for 20 entries and two for each round. */
export async function measureRuns({ url, token, context, page }: Place, rounds: number, print: (line: string) => void): Promise<void> {
  const api = createClient({ baseUrl: url, groups, token })
  const runs = [10, rounds].map(async (count) => [count * 2, await runOf(count)] as const)
  const [small, large] = await Promise.all(runs)
  const devtools = await context.newCDPSession(page)
  if (small !== undefined) await opened(small)
  for (const run of [small, large]) {
    if (run === undefined) continue
    const ms = await opened(run)
    const nodes = await valueOf(devtools, 'Nodes')
    const heap = await heapMb(devtools)
    print(
      `opening a run of ${run[0]} entries: ${ms.toFixed(0)} ms, heap ${heap.toFixed(1)} MB, ${nodes} DOM nodes; seek to paint ${await seekTimes(page)}`,
    )
  }

  /** From the address until every entry is in the drawing. */
  async function opened([entries, id]: readonly [number, string]): Promise<number> {
    await page.goto(`${url}/workflows`)
    await page.locator('h1').first().waitFor()
    const from = performance.now()
    await page.goto(`${url}/runs/${id}`)
    await page.locator(`.tl[data-entries="${entries}"]`).waitFor({ timeout: 120_000 })
    return performance.now() - from
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
      if (state === 'faulted') throw new Error('the run failed')
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  }
}

/** The heap of the scripts of a page after a collection. */
export async function heapMb(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage')
  return (await valueOf(devtools, 'JSHeapUsedSize')) / 1024 / 1024
}

async function valueOf(devtools: CDPSession, name: string): Promise<number> {
  await devtools.send('Performance.enable')
  const { metrics } = await devtools.send('Performance.getMetrics')
  return metrics.find((metric) => metric.name === name)?.value ?? 0
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
