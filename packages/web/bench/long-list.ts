import { createClient } from '@millrace/client'
import { groups } from '@millrace/contract'
import type { Route } from 'playwright-core'
import { heapMb, type Place } from './large-run.ts'

const rowsAll = 100_000
const rowsOnPage = 100

/**
 * Walks through a list of 100,000 runs page by page, and prints the heap before and after. The rows are copies of a run of the server, since only the memory
 * of the page is measured; `npm run bench:lists` measures the server.
 */
export async function measureList({ url, token, context, page }: Place, print: (line: string) => void): Promise<void> {
  const devtools = await context.newCDPSession(page)
  const { data } = await createClient({ baseUrl: url, groups, token }).executions.search({ query: { limit: 1 } })
  const listed = `**${groups.executions.search.path}?*`
  await page.route(listed, (route) => serveRows(route, data[0]))
  await page.goto(`${url}/runs?limit=${rowsOnPage}`)
  const next = page.getByRole('button', { name: 'Older' })
  await next.waitFor()
  for (let turn = 1; turn <= 5; turn++) await turnTo(turn)
  const before = await heapMb(devtools)
  const began = performance.now()
  const last = rowsAll / rowsOnPage - 1
  for (let turn = 6; turn <= last; turn++) await turnTo(turn)
  const ms = (performance.now() - began) / (last - 5)
  const after = await heapMb(devtools)
  print(
    `a list of ${rowsAll} rows, ${rowsOnPage} a page: heap ${before.toFixed(1)} MB after 5 pages, ${after.toFixed(1)} MB at its end; ${ms.toFixed(0)} ms a page`,
  )
  await page.unroute(listed)

  async function turnTo(turn: number): Promise<void> {
    await next.click()
    await page.locator(`a[href="/runs/${idOf(turn * rowsOnPage)}"]`).waitFor()
  }
}

function serveRows(route: Route, row: object | undefined): Promise<void> {
  const from = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0)
  const data = Array.from({ length: rowsOnPage }, (_, index) => ({ ...row, id: idOf(from + index) }))
  const to = from + rowsOnPage
  return route.fulfill({ json: { data, nextCursor: to < rowsAll ? String(to) : null } })
}

const idOf = (index: number) => `exec_${String(index).padStart(26, '0')}`
