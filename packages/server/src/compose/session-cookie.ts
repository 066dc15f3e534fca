import { createSessionCookie, type SessionCookie } from '#modules/identity/index.ts'
import type { FeatureParts } from './feature.ts'

/** The cookie of sessions; it is sent over HTTPS only, where the installation is reached so. */
export function sessionCookieOf({ config, system }: Pick<FeatureParts, 'config' | 'system'>): SessionCookie {
  return createSessionCookie({ secure: config.http.hsts, now: () => new Date(system.now()) })
}
