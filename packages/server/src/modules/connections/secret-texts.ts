import type { UsableConnection } from './model.ts'

/** Every text of a connection that must not be in stored or printed data. */
export function secretTexts({ settings, secrets, accessToken }: UsableConnection): readonly string[] {
  const texts = [...Object.values(secrets), ...(accessToken === undefined ? [] : [accessToken])]
  const pair = settings.kind === 'basic' ? [`${settings.username}:${secrets['password'] ?? ''}`] : []
  return [...texts, ...pair]
}
