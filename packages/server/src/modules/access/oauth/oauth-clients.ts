import { Fault } from '@millrace/contract'
import type { Database } from '#platform/db/database.ts'
import type { GuardedFetch } from '#platform/net/guarded-fetch.ts'
import { fetchClientDocument, isDocumentId } from './client-document.ts'
import { invalidClient } from './invalid-client.ts'
import type { OAuthClient } from './oauth-client.ts'
import { OAuthError } from './oauth-error.ts'
import { deleteOldestUnused, findClient, pruneClients, saveClient } from './oauth-store.ts'
import { isRedirectUri } from './redirect-uri.ts'

export interface OAuthClientsDeps {
  readonly database: Pick<Database, 'system'>
  /** Reaches the addresses that clients have as ids. */
  readonly http: Pick<GuardedFetch, 'request'>
  readonly now: () => Date
  readonly newId: () => string
}

export type OAuthClients = ReturnType<typeof createOAuthClients>

const registeredUrisMax = 10
const unusedMs = 7 * 24 * 60 * 60 * 1000
const clientsMax = 5_000

/** The programs that users can allow: those that registered (RFC 7591), and those whose id is the address of a document about them. */
export function createOAuthClients({ database, http, now, newId }: OAuthClientsDeps) {
  /** Those who ask for a client at the same time share the answer, so that its document is fetched once. */
  const lookUps = new Map<string, Promise<OAuthClient>>()

  async function makeRoom(): Promise<boolean> {
    // Anyone can be a client: those who become ones without end replace each other, and others can still connect.
    const count = await pruneClients(database.system, new Date(now().getTime() - unusedMs))
    return count < clientsMax || deleteOldestUnused(database.system)
  }

  async function fetchAndSave(id: string, isKnown: boolean): Promise<OAuthClient> {
    const { client, freshMs } = await fetchClientDocument(http, id, new AbortController().signal)
    const at = now()
    if (!isKnown && !(await makeRoom())) throw new Fault('overloaded', { detail: 'Too many clients are connected. Try again later.' })
    await saveClient(database.system, client, { at, freshUntil: new Date(at.getTime() + freshMs) })
    return client
  }

  async function lookUp(id: string): Promise<OAuthClient> {
    const stored = await findClient(database.system, id)
    if (stored !== undefined && (stored.freshUntil === undefined || stored.freshUntil > now())) return stored
    if (!isDocumentId(id)) throw invalidClient('There is no such client. Connect it again.')
    return fetchAndSave(id, stored !== undefined)
  }

  return {
    /** Registers a public client. */
    async register(name: string, redirectUris: readonly string[]): Promise<OAuthClient> {
      const wrong = redirectUris.find((uri) => !isRedirectUri(uri))
      if (redirectUris.length === 0 || redirectUris.length > registeredUrisMax || wrong !== undefined)
        throw new OAuthError(
          'invalid_redirect_uri',
          `redirect_uris must be 1 to ${registeredUrisMax} addresses with https, or with http of this computer.`,
        )
      if (!(await makeRoom())) throw new OAuthError('temporarily_unavailable', 'Too many clients have registered. Try again later.')
      const client = { id: newId(), name, redirectUris }
      await saveClient(database.system, client, { at: now(), freshUntil: undefined })
      return client
    },

    /** A client by its id; its document is fetched unless it was a short time ago. Fault `request_invalid`. */
    find(id: string): Promise<OAuthClient> {
      const lookingUp = lookUps.get(id) ?? lookUp(id).finally(() => lookUps.delete(id))
      lookUps.set(id, lookingUp)
      return lookingUp
    },
  }
}
