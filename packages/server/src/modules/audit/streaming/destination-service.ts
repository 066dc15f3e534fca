import { Fault } from '@millrace/contract'
import { latestDay } from '#modules/audit/log/log-store.ts'
import type { SecretBox } from '#platform/auth/secret-box.ts'
import type { Database, Tx } from '#platform/db/database.ts'
import { toTypeId } from '#platform/ids.ts'
import type { GuardedFetch } from '#platform/net/guarded-fetch.ts'
import { requireReachable } from '#platform/net/require-reachable.ts'
import { secretText } from '#platform/net/webhook-signature.ts'
import { type AuditDestination, type AuditTarget, destinationsMax, type LogPosition } from './destination.ts'
import {
  countDestinations,
  deleteDestination,
  findDestination,
  insertDestination,
  listDestinations,
  resumeDestination,
} from './destination-store.ts'
import { openSecret, sealSecret } from './destination-secret.ts'
import { type Failure, sendBatch, type SendBatchDeps } from './send-batch.ts'

export interface DestinationsDeps extends SendBatchDeps {
  readonly http: Pick<GuardedFetch, 'request' | 'refusalOf'>
  readonly database: Pick<Database, 'account'>
  readonly box: SecretBox
  readonly newId: () => string
  readonly randomBytes: (size: number) => Uint8Array
  /** Aborts when the server closes. */
  readonly closing: AbortSignal
}

export interface WantedDestination {
  readonly name: string
  readonly target: AuditTarget
  /** Of a target that needs one. */
  readonly secretAccessKey: string | undefined
  /** The first day to send; from now on without it. */
  readonly from: string | undefined
}

export type Destinations = ReturnType<typeof createDestinations>

const secretBytes = 32
const testEvent = 'audit_destination.test'

/** Manages the destinations of an account's audit log. */
export function createDestinations(deps: DestinationsDeps) {
  return {
    list: listDestinations,

    async create(tx: Tx, accountId: string, { name, target, from, secretAccessKey }: WantedDestination, actor: string) {
      if ((await countDestinations(tx, accountId)) >= destinationsMax)
        throw new Fault('conflict', { detail: `Destination limit reached (${destinationsMax}). Delete one that is not needed.` })
      if (target.kind === 'syslog') requireReachable(deps.http, target.host, '/target/host')
      else requireReachable(deps.http, new URL(target.url).hostname, '/target/url')
      const id = deps.newId()
      if ((target.kind === 's3') !== (secretAccessKey !== undefined))
        throw new Fault('request_invalid', { errors: [{ pointer: '/secretAccessKey', detail: 'Is required for `s3`, and only there.' }] })
      const signing = target.kind === 'http' ? deps.randomBytes(secretBytes) : undefined
      const secret = secretAccessKey === undefined ? signing : Buffer.from(secretAccessKey, 'utf8')
      const createdAt = new Date(deps.now())
      const position = from === undefined ? await endOfLog(tx, accountId, createdAt) : { day: from, index: 0 }
      const sealed = secret === undefined ? undefined : sealSecret(deps.box, id, secret)
      await insertDestination(tx, accountId, { id, name, target, secret: sealed, position, createdAt, createdBy: actor })
      return { destination: await find(tx, accountId, id), secret: signing === undefined ? undefined : secretText(signing) }
    },

    async remove(tx: Tx, accountId: string, id: string): Promise<void> {
      if (!(await deleteDestination(tx, accountId, id))) throw notFound()
    },

    async resume(tx: Tx, accountId: string, id: string): Promise<AuditDestination> {
      await find(tx, accountId, id)
      await resumeDestination(tx, accountId, id)
      return find(tx, accountId, id)
    },

    /** Sends one message. No transaction is open while it sends. @returns undefined for a success. */
    async test(accountId: string, id: string): Promise<Failure | undefined> {
      const destination = await deps.database.account(accountId, (tx) => find(tx, accountId, id))
      const at = new Date(deps.now()).toISOString()
      const message = 'Audit events of this account arrive here.'
      const content = { at, event: testEvent, account: toTypeId('acct', accountId), target: toTypeId('adst', id), message }
      const lines = [{ at, event: testEvent, text: JSON.stringify(content) }]
      const { target } = destination
      const key = target.kind === 's3' ? `${target.prefix}${toTypeId('acct', accountId)}/test.jsonl` : ''
      const batch = { id: `test.${deps.newId()}`, accountId, target, key, secret: openSecret(deps.box, destination), lines }
      return sendBatch(deps, batch, deps.closing).catch((cause: unknown) => {
        throw deps.closing.aborted ? new Fault('overloaded', { detail: 'The server is shutting down. Try again later.', cause }) : cause
      })
    },
  }
}

/** The place of the next event of the log. */
async function endOfLog(tx: Tx, accountId: string, at: Date): Promise<LogPosition> {
  const last = await latestDay(tx, accountId)
  return last === undefined ? { day: at.toISOString().slice(0, 10), index: 0 } : { day: last.day, index: last.size }
}

async function find(tx: Tx, accountId: string, id: string): Promise<AuditDestination> {
  const destination = await findDestination(tx, accountId, id)
  if (destination === undefined) throw notFound()
  return destination
}

function notFound(): Fault {
  return new Fault('not_found', { detail: 'There is no such destination.' })
}
