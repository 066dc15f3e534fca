import { Fault } from '@millrace/contract'
import type { RequestContext } from '#platform/http/index.ts'

/** The cookie with the refresh token of a browser. */
export interface SessionCookie {
  readonly write: (refreshToken: string, expiresAt: Date) => string
  readonly clear: () => string
  /** The refresh token of the request; a Fault `forbidden` when a page of another origin sent it. */
  readonly read: (ctx: Pick<RequestContext, 'cookie' | 'isFromOwnOrigin'>) => string | undefined
}

/**
 * Makes the cookie: unreadable for scripts, sent only to the sign-in operations, and never with a request from another site.
 *
 * @param secure whether the installation is reached by HTTPS only.
 */
export function createSessionCookie({ secure, now }: { readonly secure: boolean; readonly now: () => Date }): SessionCookie {
  const name = secure ? '__Secure-millrace_refresh' : 'millrace_refresh'
  const attributes = `Path=/api/v1/auth; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
  return {
    write: (refreshToken, expiresAt) =>
      `${name}=${refreshToken}; Max-Age=${Math.max(0, Math.floor((expiresAt.getTime() - now().getTime()) / 1000))}; ${attributes}`,
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
    read(ctx) {
      const token = ctx.cookie(name)
      if (token === undefined || token === '') return undefined
      if (!ctx.isFromOwnOrigin) throw new Fault('forbidden', { detail: 'A page of another origin cannot use the session cookie.' })
      return token
    },
  }
}
