import type { UsableConnection } from './model.ts'

/** Every text of a connection that must not be in stored or printed data. */
export function secretTexts({ settings, secrets, accessToken }: UsableConnection): readonly string[] {
  const texts = [...Object.values(secrets), ...(accessToken === undefined ? [] : [accessToken])]
  const pair = settings.kind === 'basic' ? [`${settings.username}:${secrets['password'] ?? ''}`] : []
  // A service may show a line of the key without its frame.
  const lines = settings.kind === 'mutual-tls' ? (secrets['identity'] ?? '').split(/\s+/).filter(({ length }) => length >= 40) : []
  return [...texts, ...pair, ...lines]
}
