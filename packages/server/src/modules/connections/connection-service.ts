import { Fault } from '@millrace/contract'
import type { Changed } from '#platform/changed.ts'
import { isTaken } from '#platform/db/is-taken.ts'
import type { Tx } from '#platform/http/index.ts'
import { assertRevision } from '#platform/validation/assert-revision.ts'
import { checkSecrets } from './check-secrets.ts'
import type { ConnectionSecretsBox } from './connection-secrets.ts'
import {
  type ConnectionFilter,
  connectionNameConstraint,
  countConnections,
  deleteConnection,
  findConnection,
  insertConnection,
  listConnections,
  type SealedConnection,
  updateConnection,
  updateState,
} from './connection-store.ts'
import { deleteAuthorizations } from './oauth/authorization-store.ts'
import { loseConnection, type PauseDependents } from './lose-connection.ts'
import { type Connection, type ConnectionSecrets, connectionsMax, type Settings, type TestResult, type UsableConnection } from './model.ts'

export interface ConnectionsDeps {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly newId: () => string
  readonly secrets: ConnectionSecretsBox
  /** A transaction of its own, bound to the account. */
  readonly transaction: <T>(accountId: string, fn: (tx: Tx) => Promise<T>) => Promise<T>
  /** Connects to the service; never throws. */
  readonly test: (accountId: string, connection: Omit<UsableConnection, 'accessToken'>) => Promise<TestResult>
  /** Continues what waits for a connection of that name, which works now. */
  readonly onReady: (tx: Tx, accountId: string, name: string) => Promise<unknown>
  readonly onLost: PauseDependents
  /** Tests a stored connection, with its tokens. */
  readonly testStored: (accountId: string, id: string) => Promise<TestResult>
}

export interface NewConnection extends Pick<Connection, 'name' | 'description' | 'settings' | 'expiresAt'> {
  readonly secrets: ConnectionSecrets
}

/** Members that are `undefined` stay; an end of `null` is removed. */
export interface ConnectionChange {
  readonly name: string | undefined
  readonly description: string | undefined
  readonly settings: Settings | undefined
  readonly secrets: ConnectionSecrets | undefined
  readonly expiresAt: Date | null | undefined
}

export interface ConnectionUpdate {
  readonly change: ConnectionChange
  /** By `prepareUpdate`. */
  readonly tested: Tested | undefined
  /** As `kind:id`. */
  readonly actor: string
  readonly ifMatch: readonly number[] | undefined
}

/** What a test of a connection at a revision found. */
export interface Tested {
  readonly revision: number
  readonly result: TestResult
}

/** What a test of a stored connection found. */
export interface StoredTest extends Tested {
  /** Whether it had tokens of OAuth when the test began. */
  readonly hadTokens: boolean
}

export type Connections = ReturnType<typeof createConnections>

/** Manages the connections of an account. */
export function createConnections(deps: ConnectionsDeps) {
  const { now, newId, secrets: box } = deps
  const authorship = (by: string) => ({ at: new Date(now()), by })

  return {
    list: (tx: Tx, accountId: string, filter: ConnectionFilter) => listConnections(tx, accountId, filter),
    get: async (tx: Tx, accountId: string, id: string): Promise<Connection> => (await find(tx, accountId, id)).connection,

    /** Checks and tests a new connection; call it before the transaction of `create`. */
    async prepareCreate(accountId: string, { name, settings, secrets }: NewConnection): Promise<TestResult> {
      checkSecrets(settings, secrets)
      return deps.test(accountId, { name, settings, secrets })
    },

    async create(tx: Tx, accountId: string, wanted: NewConnection, tested: TestResult, actor: string): Promise<Connection> {
      if ((await countConnections(tx, accountId)) >= connectionsMax)
        throw new Fault('conflict', { detail: `Connection limit reached (${connectionsMax}). Delete one that is not needed.` })
      const id = newId()
      const { secrets, ...rest } = wanted
      const sealed = await box.seal(tx, accountId, id, 'sealed', secrets)
      const written = { ...rest, id, secretNames: Object.keys(secrets), sealed }
      await refusingTakenNames(wanted.name, () => insertConnection(tx, accountId, written, tested, authorship(actor)))
      if (tested.state === 'ready') await deps.onReady(tx, accountId, wanted.name)
      return (await find(tx, accountId, id)).connection
    },

    /** Checks and tests new settings and secrets, unless both stay; call it before the transaction of `update`. */
    async prepareUpdate(accountId: string, id: string, { settings, secrets }: ConnectionChange): Promise<Tested | undefined> {
      const { connection } = await deps.transaction(accountId, (tx) => find(tx, accountId, id))
      if (settings !== undefined && settings.kind !== connection.settings.kind)
        throw invalid('/settings/kind', `The connection has the kind ${connection.settings.kind} and keeps it. Create another one.`)
      if (settings !== undefined && secrets === undefined && connection.secretNames.length > 0)
        throw invalid('/secrets', 'Is required with new settings, so that kept secrets are not sent to another place.')
      if (settings === undefined && secrets === undefined) return undefined
      const after = { name: connection.name, settings: settings ?? connection.settings, secrets: secrets ?? {} }
      checkSecrets(after.settings, after.secrets)
      return { revision: connection.revision, result: await deps.test(accountId, after) }
    },

    /** Fault `revision_mismatch` if the connection was changed since `prepareUpdate`, which may have judged other settings and secrets. */
    async update(
      tx: Tx,
      accountId: string,
      id: string,
      { change, tested, actor, ifMatch }: ConnectionUpdate,
    ): Promise<Changed<Connection>> {
      const before = await lock(tx, accountId, id, ifMatch)
      if (tested !== undefined) assertRevision('connection', before.connection.revision, [tested.revision])
      const { connection, sealed } = before
      const { secrets, expiresAt } = change
      const written = {
        id,
        name: change.name ?? connection.name,
        description: change.description ?? connection.description,
        settings: change.settings ?? connection.settings,
        expiresAt: expiresAt === undefined ? connection.expiresAt : (expiresAt ?? undefined),
        secretNames: secrets === undefined ? connection.secretNames : Object.keys(secrets),
        sealed: secrets === undefined ? sealed : await box.seal(tx, accountId, id, 'sealed', secrets),
      }
      if (tested !== undefined) await deleteAuthorizations(tx, accountId, id)
      const options = { keepsTokens: tested === undefined, tested: tested?.result }
      await refusingTakenNames(written.name, () => updateConnection(tx, accountId, written, options, authorship(actor)))
      const after = (await find(tx, accountId, id)).connection
      if (after.name !== connection.name) await loseConnection(tx, accountId, connection, { pause: deps.onLost, renamed: after.name })
      const isNew = tested !== undefined || after.name !== connection.name
      if (isNew && after.state === 'ready') await deps.onReady(tx, accountId, after.name)
      return { before: connection, after }
    },

    /** @returns it, and how many triggers were paused. */
    async remove(tx: Tx, accountId: string, id: string, ifMatch: readonly number[] | undefined) {
      const { connection } = await lock(tx, accountId, id, ifMatch)
      await deleteConnection(tx, accountId, id)
      return { connection, pausedTriggers: await loseConnection(tx, accountId, connection, { pause: deps.onLost, renamed: undefined }) }
    },

    /** Tests it; call it before the transaction of `recordTest`. */
    async prepareTest(accountId: string, id: string): Promise<StoredTest> {
      const { connection, tokens } = await deps.transaction(accountId, (tx) => find(tx, accountId, id))
      return { revision: connection.revision, hadTokens: tokens !== undefined, result: await deps.testStored(accountId, id) }
    },

    /** Fault `revision_mismatch` if the connection was changed since `prepareTest`. */
    async recordTest(tx: Tx, accountId: string, id: string, { revision, hadTokens, result }: StoredTest): Promise<Connection> {
      const { connection, tokens } = await lock(tx, accountId, id, [revision])
      // A person has authorized it meanwhile.
      if (!hadTokens && tokens !== undefined && result.state !== 'ready') return connection
      await updateState(tx, accountId, id, result, new Date(now()))
      if (result.state === 'ready') await deps.onReady(tx, accountId, connection.name)
      return (await find(tx, accountId, id)).connection
    },
  }
}

async function find(tx: Tx, accountId: string, id: string): Promise<SealedConnection> {
  return existing(await findConnection(tx, accountId, { id }, { lock: false }))
}

/** @param ifMatch the revisions at which the connection may be changed; undefined for any. */
async function lock(tx: Tx, accountId: string, id: string, ifMatch: readonly number[] | undefined): Promise<SealedConnection> {
  const found = existing(await findConnection(tx, accountId, { id }, { lock: true }))
  assertRevision('connection', found.connection.revision, ifMatch)
  return found
}

function existing(found: SealedConnection | undefined): SealedConnection {
  if (found === undefined) throw new Fault('not_found', { detail: 'There is no such connection.' })
  return found
}

function invalid(pointer: string, detail: string): Fault {
  return new Fault('request_invalid', { errors: [{ pointer, detail }] })
}

async function refusingTakenNames(name: string, write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (cause) {
    if (!isTaken(cause, connectionNameConstraint)) throw cause
    throw new Fault('conflict', { detail: `There is a connection with the name ${name} already.`, cause })
  }
}
