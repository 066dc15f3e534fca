import { Fault, hasRole, type Role, type Scope, scopesOfRole, workflowKeyScopes } from '@millrace/contract'
import { mintApiKey, readApiKey } from '#platform/auth/api-key-secret.ts'
import { type ApiKey, type IssuedKey, keysOfUserMax, overlapMsMax } from './model.ts'
import {
  countKeys,
  deleteCodes,
  endSecrets,
  type Executor,
  findUserOfKey,
  insertKey,
  insertSecret,
  listKeys,
  lockKey,
  lockUser,
  markAllRevoked,
  markRevoked,
} from './store.ts'

export interface AccessDeps {
  readonly now: () => Date
  readonly newId: () => string
  readonly randomBytes: (size: number) => Uint8Array
  /** Of some workflows those that a key can be limited to: they exist, and are not deleted before the transaction ends. */
  readonly lockWorkflows: (tx: Executor, accountId: string, ids: readonly string[]) => Promise<ReadonlySet<string>>
}

/** The user who manages keys. */
export interface KeyManager {
  readonly userId: string
  readonly role: Role
}

export interface NewKey {
  readonly name: string
  readonly scopes: readonly Scope[]
  /** Undefined for a key that is not limited to workflows. */
  readonly workflowIds: readonly string[] | undefined
  readonly expiresAt: Date | undefined
}

/**
 * API keys of an account.
 *
 * Every user manages their own keys. Administrators also see and revoke the keys of others, but cannot rotate them, since only the user for whom a
 * key acts may know its secret.
 */
export interface Access {
  list(
    tx: Executor,
    accountId: string,
    manager: KeyManager,
    page: { readonly before: string | undefined; readonly limit: number },
  ): Promise<readonly ApiKey[]>
  issue(tx: Executor, accountId: string, manager: KeyManager, wanted: NewKey): Promise<IssuedKey>
  revoke(tx: Executor, accountId: string, manager: KeyManager, keyId: string): Promise<void>
  /** Revokes every key of a user, whatever the role, and returns their number. */
  revokeAll(tx: Executor, accountId: string, userId: string): Promise<number>
  /** Replaces the secret; the old one stays valid for `overlapMs`. */
  rotate(
    tx: Executor,
    accountId: string,
    manager: KeyManager,
    rotation: { readonly keyId: string; readonly overlapMs: number },
  ): Promise<IssuedKey>
}

export function createAccess({ now, newId, randomBytes, lockWorkflows }: AccessDeps): Access {
  function mint() {
    const text = mintApiKey(randomBytes)
    const secret = readApiKey(text)
    if (secret === undefined) throw new Error('a new API key cannot be read')
    return { text, secret }
  }

  async function assertLimit(tx: Executor, accountId: string, scopes: readonly Scope[], workflowIds: readonly string[]): Promise<void> {
    const useless = scopes.find((scope) => !workflowKeyScopes.some((usable) => usable === scope))
    if (useless !== undefined)
      throw invalid('/scopes', `A key that is limited to workflows cannot have ${useless}. It can have ${workflowKeyScopes.join(', ')}.`)
    const found = await lockWorkflows(tx, accountId, workflowIds)
    const errors = workflowIds.flatMap((id, at) =>
      found.has(id) ? [] : [{ pointer: `/workflowIds/${at}`, detail: 'There is no such workflow.' }],
    )
    if (errors.length > 0) throw new Fault('request_invalid', { errors })
  }

  return {
    list: (tx, accountId, { userId, role }, page) => listKeys(tx, accountId, hasRole(role, 'admin') ? undefined : userId, page),

    async issue(tx, accountId, { userId, role }, { name, scopes, workflowIds, expiresAt }) {
      const createdAt = now()
      assertGrantable(scopes, role)
      if (workflowIds !== undefined) await assertLimit(tx, accountId, scopes, workflowIds)
      if (expiresAt !== undefined && expiresAt <= createdAt) throw invalid('/expiresAt', 'Must be in the future.')
      if ((await countKeys(tx, accountId, userId, createdAt)) >= keysOfUserMax)
        throw new Fault('conflict', { detail: `API key limit reached (${keysOfUserMax}). Revoke a key that is not needed.` })
      const { text, secret } = mint()
      const key: ApiKey = {
        id: newId(),
        accountId,
        userId,
        name,
        scopes: [...new Set(scopes)],
        workflowIds: workflowIds === undefined ? undefined : [...new Set(workflowIds)],
        start: secret.prefix,
        createdAt,
        expiresAt,
        lastUsedAt: undefined,
      }
      await insertKey(tx, key)
      await insertSecret(tx, accountId, key.id, { secret, createdAt })
      return { key, secret: text }
    },

    async revoke(tx, accountId, manager, keyId) {
      const owner = await findUserOfKey(tx, accountId, keyId)
      if (owner !== undefined) await lockUser(tx, accountId, owner)
      const key = await lockVisible(tx, accountId, manager, keyId)
      await markRevoked(tx, accountId, key.id, now())
      if (key.clientId !== undefined) await deleteCodes(tx, accountId, key.userId, key.clientId)
    },

    revokeAll: (tx, accountId, userId) => markAllRevoked(tx, accountId, userId, now()),

    async rotate(tx, accountId, manager, { keyId, overlapMs }) {
      if (overlapMs > overlapMsMax) throw invalid('/overlap', 'Must be at most P7D.')
      const key = await lockVisible(tx, accountId, manager, keyId)
      if (key.clientId !== undefined)
        throw new Fault('forbidden', { detail: 'The client renews its access by itself. Revoke it to end it.' })
      if (key.userId !== manager.userId)
        throw new Fault('forbidden', {
          detail: 'Only the user for whom a key acts can rotate it. Revoke it, or ask that user to rotate it.',
        })
      const createdAt = now()
      await endSecrets(tx, accountId, key.id, overlapMs > 0 ? new Date(createdAt.getTime() + overlapMs) : undefined)
      const { text, secret } = mint()
      await insertSecret(tx, accountId, key.id, { secret, createdAt })
      return { key: { ...key, start: secret.prefix }, secret: text }
    },
  }
}

/** Locks a key that the manager may see; a Fault `not_found` for any other. */
async function lockVisible(tx: Executor, accountId: string, manager: KeyManager, keyId: string): Promise<ApiKey> {
  const key = await lockKey(tx, accountId, keyId)
  if (key === undefined || (key.userId !== manager.userId && !hasRole(manager.role, 'admin'))) throw new Fault('not_found')
  return key
}

function assertGrantable(scopes: readonly Scope[], role: Role): void {
  const ofRole = scopesOfRole(role)
  const beyond = scopes.filter((scope) => !ofRole.has(scope))
  if (beyond.length === 0) return
  throw new Fault('insufficient_role', { detail: `The role ${role} cannot give a key the scope ${beyond.join(', ')}. Leave it out.` })
}

function invalid(pointer: string, detail: string): Fault {
  return new Fault('request_invalid', { errors: [{ pointer, detail }] })
}
