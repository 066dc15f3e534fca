import { Fault } from '@millrace/contract'

export interface ReturnToRules {
  /** The public address of this installation, without a trailing slash. */
  readonly origin: string
  /** Further origins to which a browser may return. */
  readonly origins: readonly string[]
}

/** The absolute URL where a browser continues; a Fault for one outside of the permitted origins. */
export function returnUrlOf(text: string | undefined, rules: ReturnToRules, where: 'query' | undefined): string {
  if (text === undefined) return `${rules.origin}/`
  const home = new URL(rules.origin).origin
  const url = text.startsWith('/') ? URL.parse(text, home) : URL.parse(text)
  const permitted = url !== null && url.username + url.password === '' && [home, ...rules.origins].includes(url.origin)
  if (permitted) return url.href
  throw new Fault('request_invalid', {
    errors: [
      {
        pointer: '/returnTo',
        detail: 'Must be a path of this installation, or a URL whose origin is in MILLRACE_CORS_ORIGINS.',
        ...(where === undefined ? {} : { in: where }),
      },
    ],
  })
}

/** A URL with parameters in its fragment, which no server and no `Referer` sees. */
export function withFragment(url: string, parameters: Readonly<Record<string, string>>): string {
  const target = new URL(url)
  target.hash = new URLSearchParams(parameters).toString()
  return target.href
}
