import type { BrowserContext, Page, Response } from 'playwright-core'

/** Watches every page of a context, and lists what must not occur: other origins, violated policies, errors in the console, refused requests. */
export function guard(context: BrowserContext, origin: string, expected: readonly RegExp[] = []): readonly string[] {
  const seen: string[] = []
  const isLeaving = signingOut(context)
  const report = (text: string) => {
    if (!expected.some((pattern) => pattern.test(text))) seen.push(text)
  }
  context.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(origin) && !/^(?:data|blob):/.test(url)) report(`request to ${url}`)
  })
  context.on('response', (response) => {
    if (response.status() >= 400 && !isLeaving(response))
      report(`${response.status()} ${response.request().method()} ${new URL(response.url()).pathname}`)
  })
  // A browser reports violations of the content policy and of Trusted Types as errors of the console.
  context.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) report(`console: ${message.text()}`)
  })
  context.on('weberror', (error) => report(`error: ${String(error.error())}`))
  return seen
}

/** Whether the session of a page has ended and the page is about to be left: the server refuses what it had asked for, such as the numbers beside its links. */
function signingOut(context: BrowserContext): (response: Response) => boolean {
  const leaving = new Set<Page>()
  context.on('request', (request) => {
    const called = `${request.method()} ${new URL(request.url()).pathname}`
    if (called === 'POST /api/v1/auth/logout' || called === 'DELETE /api/v1/auth/me') leaving.add(request.frame().page())
  })
  context.on('page', (page) => {
    page.on('framenavigated', () => leaving.delete(page))
  })
  return (response) => response.status() === 401 && leaving.has(response.frame().page())
}

/** What axe finds on a page, except in the parts that are left out: the id of a rule and the elements that break it. */
export async function axeFindings(page: Page, axe: string, exclude: readonly string[] = []): Promise<readonly string[]> {
  // The policy of the page allows no injected script element; the protocol evaluates the text without one.
  if ((await page.evaluate('"axe" in window')) !== true) await page.evaluate(axe)
  const runOnly = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
  const context = { include: [['html']], exclude: exclude.map((selector) => [selector]) }
  // No rule of these reads style sheets, which axe would parse again for each page.
  const options = { runOnly, resultTypes: ['violations'], preload: { assets: ['media'] } }
  const found: unknown = await page.evaluate(
    `axe.run(${JSON.stringify(context)}, ${JSON.stringify(options)}).then((result) => result.violations.map((one) => one.id + ': ' + one.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(' | ')))`,
  )
  return Array.isArray(found) ? found.map(String) : []
}
