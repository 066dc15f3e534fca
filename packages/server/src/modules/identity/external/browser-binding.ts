import { randomBytes } from 'node:crypto'
import { digest } from './external-sign-in.ts'

/** The cookie by which a browser proves that it began a sign-in. */
export interface BrowserCookie {
  readonly name: string
  header(value: string): string
}

/** @param secure the installation is reached by https only: the cookie then has the prefix `__Host-`, which no other site can set. */
export function createBrowserCookie(secure: boolean): BrowserCookie {
  const name = secure ? '__Host-millrace-sign-in' : 'millrace-sign-in'
  return { name, header: (value) => `${name}=${value}; Path=/; Max-Age=900; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}` }
}

/**
 * What a sign-in is bound to: SHA-256 of the verifier of a program, which gives it as `challenge`, or of the cookie. A browser keeps its cookie, so
 * that sign-ins in several tabs do not disturb one another.
 */
export function bindingOf(
  challenge: string | undefined,
  cookie: string | undefined,
): { readonly binding: Buffer; readonly cookieValue: string | undefined } {
  if (challenge !== undefined) return { binding: Buffer.from(challenge, 'base64url'), cookieValue: undefined }
  const cookieValue = cookie !== undefined && /^[\w-]{43}$/.test(cookie) ? cookie : randomBytes(32).toString('base64url')
  return { binding: digest(cookieValue), cookieValue }
}
