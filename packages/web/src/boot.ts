/** What the server wrote into the page. */
export interface Boot {
  readonly version: string
  readonly flags: readonly string[]
  readonly locale: Locale
  readonly theme: Theme | undefined
  /** For style elements that libraries make. */
  readonly nonce: string
}

export type Locale = 'en' | 'ar'
export type Theme = 'light' | 'dark'

export const boot: Boot = readBoot()

function readBoot(): Boot {
  const data: unknown = JSON.parse(document.querySelector('#boot')?.textContent ?? '{}')
  const { version = '', flags = [], locale, theme } = Object(data)
  const nonce = document.querySelector<HTMLElement>('meta[property=csp-nonce]')?.nonce ?? ''
  return {
    version: String(version),
    flags,
    locale: locale === 'ar' ? 'ar' : 'en',
    theme: theme === 'light' || theme === 'dark' ? theme : undefined,
    nonce,
  }
}

/** Keeps a preference for the server, which writes it into the next page. */
export function rememberPreference(name: 'theme' | 'locale', value: string): void {
  document.cookie = `millrace_${name}=${value}; path=/; max-age=31536000; samesite=strict`
}
