import { type EffectCall, type Json, membersOf, standardError, withMaskedOutcomes } from '@millrace/engine'
import { authorisedPort, type Http } from './authorised-port.ts'
import type { ConnectionAccess } from './connection-access.ts'
import type { ConnectionKind, UsableConnection } from './model.ts'
import { secretTexts } from './secret-texts.ts'

/** A connection in one call, with an HTTP client that adds its credentials. */
export interface ConnectionInUse extends UsableConnection {
  readonly http: Http
}

export type UseConnection = ReturnType<typeof createUseConnection>

/** A member of the secrets of a call that no definition can name. */
const member = ' connection'

export interface UseConnectionDeps {
  readonly access: Pick<ConnectionAccess, 'open' | 'accept'>
  /** The requests of one execution. */
  readonly httpOf: (call: EffectCall) => Http
}

/**
 * Performs effects with the connection that their argument `connection` names. The secrets of the connection are masked in what comes back, as those of
 * the workflow are. A call that the service refuses because of an old token of OAuth is performed once more with a new one.
 */
export function createUseConnection({ access, httpOf }: UseConnectionDeps) {
  return async (
    call: EffectCall,
    kinds: readonly ConnectionKind[],
    perform: (connection: ConnectionInUse, call: EffectCall) => Promise<Json>,
  ): Promise<Json> => {
    const name = membersOf(call.arguments)['connection']
    if (typeof name !== 'string') throw standardError('validation', '"connection" must be the name of a connection of the account.')
    const attempt = async (connection: UsableConnection) => {
      let isRejected = false
      const port = authorisedPort(httpOf(call), connection, () => {
        isRejected = true
      })
      const secrets = { ...call.secrets, [member]: [...secretTexts(connection)] }
      const performed = withMaskedOutcomes((inner) => perform({ ...connection, http: port }, inner))({ ...call, secrets })
      return performed.then(
        (value) => ({ ok: true as const, value, isRejected }),
        (error: unknown) => ({ ok: false as const, error, isRejected }),
      )
    }
    const connection = await access.open(call.accountId, { name })
    assertKind(connection, kinds)
    const first = await attempt(connection)
    if (first.ok && !first.isRejected) access.accept(connection.id)
    if (first.ok) return first.value
    if (!first.isRejected || connection.accessToken === undefined || call.signal.aborted) throw first.error
    const second = await attempt(await access.open(call.accountId, { name }, connection.accessToken))
    if (second.ok) return second.value
    throw second.error
  }
}

function assertKind({ name, settings: { kind } }: UsableConnection, kinds: readonly ConnectionKind[]): void {
  if (kinds.includes(kind)) return
  throw standardError('configuration', `The connection "${name}" has the kind ${kind}; this function takes ${kinds.join(', ')}.`)
}

/** The kinds that are for requests over HTTP. */
export const httpKinds = ['api-key', 'bearer', 'basic', 'oauth2', 'mutual-tls'] as const satisfies readonly ConnectionKind[]
