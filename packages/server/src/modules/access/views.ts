import type { apiKeys, Reply } from '@millrace/contract'
import { toTypeId } from '#platform/ids/index.ts'
import type { ApiKey, IssuedKey } from './model.ts'

type KeyView = Reply<typeof apiKeys.list>['data'][number]

export function keyView(key: ApiKey): KeyView {
  return {
    id: toTypeId('key', key.id),
    name: key.name,
    start: key.start,
    scopes: [...key.scopes],
    createdAt: key.createdAt.toISOString(),
    expiresAt: key.expiresAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
  }
}

export function issuedKeyView({ key, secret }: IssuedKey): Reply<typeof apiKeys.create> {
  return { ...keyView(key), secret }
}
