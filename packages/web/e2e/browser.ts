import type { Browser, BrowserContext, Page } from 'playwright-core'

export const desktop = { width: 1280, height: 800 }
export const phone = { width: 390, height: 844 }

/** How a page is looked at. */
export interface Look {
  readonly theme?: 'light' | 'dark'
  readonly locale?: 'en' | 'ar'
  readonly phone?: boolean
  /** Of the device; that of the machine unless given. */
  readonly zone?: string
}

export async function contextOf(
  browser: Browser,
  url: string,
  { theme = 'light', locale = 'en', phone: isPhone = false, zone }: Look = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: isPhone ? phone : desktop,
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: locale === 'ar' ? 'ar-EG' : 'en-GB',
    ...(zone === undefined ? {} : { timezoneId: zone }),
  })
  context.setDefaultTimeout(180_000)
  await context.addCookies([{ name: 'millrace_locale', value: locale, url }])
  return context
}

export const password = 'a rather unusual phrase 4711'

let persons = 0

/**
 * Registers a new person as the form does, without it, and gives the browser the session. Journeys that are not about registering begin at their page: the form and
 * the first page take a second of processor time.
 */
export async function admit(context: BrowserContext, url: string): Promise<{ readonly page: Page; readonly email: string }> {
  const email = `person-${++persons}@example.com`
  const data = { email, password, name: 'Ada Lindqvist', session: 'cookie' }
  const response = await context.request.post(`${url}/api/v1/auth/register`, { data })
  if (!response.ok()) throw new Error(`the registration was refused: ${response.status()} ${await response.text()}`)
  // The hint of session/known-session.ts, once: a sign-out removes it.
  await context.addInitScript(`if (location.origin === '${new URL(url).origin}' && localStorage.getItem('millrace.e2e') === null) {
    localStorage.setItem('millrace.e2e', '1')
    localStorage.setItem('millrace.session', '1')
  }`)
  return { page: await context.newPage(), email }
}

/** Registers a new person by the form, and arrives at the first page. */
export async function register(context: BrowserContext, url: string): Promise<{ readonly page: Page; readonly email: string }> {
  const page = await context.newPage()
  const email = `ui-${Math.random().toString(36).slice(2)}@example.com`
  await page.goto(`${url}/register`)
  await page.locator('input[type="email"]').fill(email)
  await page.locator('input[autocomplete="name"]').fill('Ada Lindqvist')
  await page.locator('input[type="password"]').fill(password)
  await page.locator('button[type="submit"]').click()
  await page.waitForURL(`${url}/`)
  return { page, email }
}

/** Signs in by the form, and arrives at the first page. */
export async function signIn(
  context: BrowserContext,
  url: string,
  { email, password: secret }: { readonly email: string; readonly password: string },
): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${url}/sign-in`)
  await page.locator('input[type="email"]').fill(email)
  await page.locator('input[type="password"]').fill(secret)
  await page.locator('button[type="submit"]').click()
  await page.waitForURL(`${url}/`)
  return page
}
