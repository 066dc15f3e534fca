import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { Fault, packExecutionsMax } from '@millrace/contract'
import type { Database, Tx } from '#platform/db/database.ts'
import type { ByteRange } from '#platform/http/index.ts'
import { idOf } from '#platform/ids.ts'
import { packLifeMs, type RequestedPack } from './pack-model.ts'
import {
  deletePack,
  findBySelection,
  findPack,
  countPacks,
  insertLink,
  insertPack,
  type Pack,
  chunkSizes,
  readChunk,
  type Selection,
  useLink,
} from './pack-store.ts'

export interface PacksDeps {
  readonly database: Pick<Database, 'account' | 'system'>
  /** Sends the job that makes the file, in the transaction of the pack. */
  readonly prepare: (tx: Tx, pack: { readonly accountId: string; readonly packId: string }) => Promise<void>
  /** Fault `quota_exceeded` when the account may store no more. */
  readonly assertStorage: (accountId: string) => Promise<void>
  readonly now: () => number
  readonly newId: () => string
  readonly randomBytes: (size: number) => Buffer
}

export interface AskedSelection {
  readonly from: string | undefined
  readonly to: string | undefined
  readonly executions: string | undefined
}

export interface DownloadedPack {
  readonly pack: Pack
  readonly bytes: number
  readonly sha256: string
  readonly open: (range: ByteRange) => Readable
}

const dayMs = 24 * 60 * 60 * 1000
const linkLifeMs = 15 * 60 * 1000
const periodDaysDefault = 30
const periodDaysMax = 366
const packsMax = 20

/** Makes packs and serves their files. */
export function createPacks({ database, prepare, assertStorage, now, newId, randomBytes }: PacksDeps) {
  return {
    /** Finds the pack of a selection or begins one. `onNew` runs in the transaction of a new one. */
    async request(accountId: string, asked: AskedSelection, onNew: (tx: Tx, pack: Pack) => Promise<void>): Promise<RequestedPack> {
      const selection = selectionOf(asked, now())
      const hash = createHash('sha256').update(JSON.stringify(selection)).digest()
      return database.account(accountId, async (tx) => {
        const existing = await findBySelection(tx, accountId, hash)
        const isUsable = existing !== undefined && existing.state !== 'failed' && existing.createdAt.getTime() > now() - packLifeMs
        if (existing !== undefined && isUsable) return { pack: existing, isNew: false, link: await linkTo(tx, existing) }
        if (existing !== undefined) await deletePack(tx, accountId, existing.id)
        if ((await countPacks(tx, accountId)) >= packsMax)
          throw new Fault('conflict', {
            detail: `The account has ${packsMax} packs of the last day. Repeat one of their requests, or wait.`,
          })
        await assertStorage(accountId)
        const id = newId()
        const inserted = await insertPack(tx, accountId, { id, hash, selection, at: new Date(now()) })
        const pack = inserted ? await findPack(tx, accountId, id) : await findBySelection(tx, accountId, hash)
        if (pack === undefined) throw new Error('a pack that was just inserted does not exist')
        if (inserted) {
          await prepare(tx, { accountId, packId: id })
          await onNew(tx, pack)
        }
        return { pack, isNew: inserted, link: await linkTo(tx, pack) }
      })
    },

    /** The file behind a link, which works once. */
    async download(token: string): Promise<DownloadedPack> {
      const used = await useLink(database.system, hashOf(token), new Date(now()))
      const pack = used && (await findPack(database.system, used.accountId, used.packId))
      if (pack?.state !== 'ready' || pack.bytes === undefined || pack.sha256 === undefined)
        throw new Fault('not_found', {
          detail: 'This link does not exist, has expired, or was used. Request the pack again for a new one.',
        })
      const { bytes, sha256 } = pack
      return { pack, bytes, sha256, open: (range) => Readable.from(contentOf(pack, range), { objectMode: false }) }
    },
  }

  async function linkTo(tx: Tx, pack: Pack) {
    if (pack.state !== 'ready') return undefined
    const token = randomBytes(32).toString('base64url')
    const expiresAt = new Date(now() + linkLifeMs)
    await insertLink(tx, pack.accountId, { tokenHash: hashOf(token), packId: pack.id, expiresAt })
    return { token, expiresAt }
  }

  async function* contentOf({ accountId, id }: Pack, { from, to }: ByteRange) {
    let at = 0
    for (const [index, size] of (await chunkSizes(database.system, accountId, id)).entries()) {
      const [first, last] = [Math.max(from - at, 0), Math.min(to - at, size)]
      at += size
      if (first >= last) continue
      const bytes = await readChunk(database.system, accountId, id, index)
      if (bytes === undefined) throw new Error('the file of a pack was deleted while it was sent')
      yield bytes.subarray(first, last)
    }
  }
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Faults `request_invalid` for a selection that contradicts itself or is too large. */
function selectionOf({ from, to, executions }: AskedSelection, now: number): Selection {
  if (executions !== undefined) {
    if (from !== undefined || to !== undefined) throw invalid('/executions', 'Name executions or a period, not both.')
    const ids = [...new Set(executions.split(','))].toSorted()
    if (ids.length > packExecutionsMax.named) throw invalid('/executions', `Must name at most ${packExecutionsMax.named} executions.`)
    return { executions: ids.map((id) => idOf('exec', id)) }
  }
  const period = periodOf({ from, to }, now, periodDaysMax)
  return { from: period.from.toISOString(), to: period.to.toISOString() }
}

/** A period, by default the 30 days before today (UTC). */
export function periodOf(asked: { readonly from: string | undefined; readonly to: string | undefined }, now: number, daysMax: number) {
  const to = asked.to === undefined ? new Date(Math.floor(now / dayMs) * dayMs) : new Date(asked.to)
  const from = asked.from === undefined ? new Date(to.getTime() - periodDaysDefault * dayMs) : new Date(asked.from)
  if (from >= to) throw invalid('/from', `Must be before ${to.toISOString()}, the end of the period.`)
  if (to.getTime() - from.getTime() > daysMax * dayMs) throw invalid('/from', `The period must have at most ${daysMax} days.`)
  return { from, to }
}

function invalid(pointer: string, detail: string): Fault {
  return new Fault('request_invalid', { errors: [{ pointer, detail, in: 'query' }] })
}
