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
 * the workflow are. A request that the service refuses because of an old token of OAuth is sent once more with a new one: the effect itself is not
 * repeated, since other requests of it may have had their consequences.
 */
export function createUseConnection({ access, httpOf }: UseConnectionDeps) {
  return async (
    call: EffectCall,
    kinds: readonly ConnectionKind[],
    perform: (connection: ConnectionInUse, call: EffectCall) => Promise<Json>,
  ): Promise<Json> => {
    const name = membersOf(call.arguments)['connection']
    if (typeof name !== 'string') throw standardError('validation', '"connection" must be the name of a connection of the account.')
    const connection = await access.open(call.accountId, { name })
    assertKind(connection, kinds)
    const texts = [...secretTexts(connection)]
    const port = renewingPort(httpOf(call), connection, async () => {
      const renewed = await access.open(call.accountId, { name }, connection.accessToken)
      texts.push(...secretTexts(renewed))
      return renewed
    })
    // Texts of a new token are added while the effect is performed.
    const withSecrets = () => ({ ...call, secrets: { ...call.secrets, [member]: [...texts] } })
    const performing = perform({ ...connection, http: port }, withSecrets())
    const isDone = await performing.then(
      () => true,
      () => false,
    )
    if (isDone && !port.isRefused()) access.accept(connection.id)
    const failure = port.failure()
    if (!isDone && failure !== undefined) throw failure
    return withMaskedOutcomes(() => performing)(withSecrets())
  }
}

interface RenewingPort extends Http {
  /** Whether the service has refused a request for good. */
  readonly isRefused: () => boolean
  /** Why there is no new token. */
  readonly failure: () => unknown
}

/** An HTTP client that sends a request once more if the service refuses its token, and all further ones with the new token. */
function renewingPort(http: Http, connection: UsableConnection, renew: () => Promise<UsableConnection>): RenewingPort {
  const state: { renewing: Promise<UsableConnection | undefined> | undefined; isRefused: boolean; failure: unknown } = {
    renewing: undefined,
    isRefused: false,
    failure: undefined,
  }
  const renewed = () =>
    (state.renewing ??= renew().catch((error: unknown) => {
      state.failure = error
      return undefined
    }))
  return {
    isRefused: () => state.isRefused,
    failure: () => state.failure,
    async request(request, signal) {
      const used = (await state.renewing) ?? connection
      const first = await authorisedPort(http, used).request(request, signal)
      if (first.status !== 401) return first
      const next = used.accessToken === undefined || signal.aborted ? undefined : await renewed()
      const second =
        next === undefined || next.accessToken === used.accessToken ? first : await authorisedPort(http, next).request(request, signal)
      if (second.status === 401) state.isRefused = true
      return second
    },
  }
}

function assertKind({ name, settings: { kind } }: UsableConnection, kinds: readonly ConnectionKind[]): void {
  if (kinds.includes(kind)) return
  throw standardError('configuration', `The connection "${name}" has the kind ${kind}; this function takes ${kinds.join(', ')}.`)
}
