import { createHash } from 'node:crypto'
import { Fault, packExecutionsMax } from '@millrace/contract'
import { isTerminal } from '@millrace/engine'
import type { ExecutionReader } from '@millrace/engine/storage'
import type { AuditReading } from '#modules/audit/index.ts'
import type { Database, Tx } from '#platform/db/database.ts'
import type { StoredFile } from '#platform/files/file-store.ts'
import type { Files } from '#platform/files/files.ts'
import { idOf } from '#platform/ids.ts'
import { type CountedSelection, packLifeMs, type RequestedPack } from './pack-model.ts'
import { countPacks, deletePack, findBySelection, findPack, insertPack, listPacks, type Pack, type Selection } from './pack-store.ts'

export interface PacksDeps {
  readonly database: Pick<Database, 'account'>
  readonly files: Pick<Files, 'find' | 'follow' | 'link' | 'open'>
  /** Sends the job that makes the file, in the transaction of the pack. */
  readonly prepare: (tx: Tx, pack: { readonly accountId: string; readonly packId: string }) => Promise<void>
  /** Fault `quota_exceeded` when the account may store no more. */
  readonly assertStorage: (accountId: string) => Promise<void>
  readonly audit: Pick<AuditReading, 'endedExecutions'>
  readonly reader: Pick<ExecutionReader, 'executions'>
  readonly now: () => number
  readonly newId: () => string
}

export interface AskedSelection {
  readonly from: string | undefined
  readonly to: string | undefined
  readonly executions: string | undefined
}

const dayMs = 24 * 60 * 60 * 1000
const periodDaysDefault = 30
const periodDaysMax = 366
const packsMax = 20

/** Makes packs and serves their files. */
export function createPacks({ database, files, prepare, assertStorage, audit, reader, now, newId }: PacksDeps) {
  return {
    open: files.open,

    /** What a pack of a selection would have. */
    async count(accountId: string, asked: AskedSelection): Promise<CountedSelection> {
      const selection = selectionOf(asked, now())
      if ('executions' in selection) {
        const ids = selection.executions
        const found = await reader.executions(ids.map((id) => ({ accountId, id })))
        const missing = ids.filter((_, index) => !isTerminal(found[index]?.state ?? 'pending'))
        return { period: undefined, executions: ids.length - missing.length, isTooLarge: false, missing }
      }
      const { ofPeriod } = packExecutionsMax
      const ended = await audit.endedExecutions(accountId, new Date(selection.from), new Date(selection.to), ofPeriod + 1)
      return { period: selection, executions: Math.min(ended.length, ofPeriod), isTooLarge: ended.length > ofPeriod, missing: [] }
    },

    /** The packs whose files are not deleted yet, each with its file when it is ready. */
    list(accountId: string): Promise<readonly Pick<RequestedPack, 'pack' | 'file'>[]> {
      return database.account(accountId, async (tx) => {
        const listed: Pick<RequestedPack, 'pack' | 'file'>[] = []
        for (const pack of await listPacks(tx, accountId, new Date(now() - packLifeMs)))
          listed.push({ pack, file: pack.fileId === undefined ? undefined : await files.find(tx, accountId, pack.fileId) })
        return listed
      })
    },

    /** Finds the pack of a selection or begins one. `onNew` runs in the transaction of a new one. */
    async request(accountId: string, asked: AskedSelection, onNew: (tx: Tx, pack: Pack) => Promise<void>): Promise<RequestedPack> {
      const selection = selectionOf(asked, now())
      const hash = createHash('sha256').update(JSON.stringify(selection)).digest()
      return database.account(accountId, async (tx) => {
        const existing = await findBySelection(tx, accountId, hash)
        const isUsable = existing !== undefined && existing.state !== 'failed' && existing.createdAt.getTime() > now() - packLifeMs
        if (existing !== undefined && isUsable) return { pack: existing, isNew: false, ...(await fileOf(tx, existing)) }
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
        return { pack, isNew: inserted, ...(await fileOf(tx, pack)) }
      })
    },

    /** The file behind a link, which works once. */
    async download(token: string): Promise<StoredFile> {
      const file = await files.follow(token, 'pack')
      if (file === undefined)
        throw new Fault('not_found', {
          detail: 'This link does not exist, has expired, or was used. Request the pack again for a new one.',
        })
      return file
    },
  }

  async function fileOf(tx: Tx, { accountId, fileId }: Pack): Promise<Pick<RequestedPack, 'file' | 'link'>> {
    const file = fileId === undefined ? undefined : await files.find(tx, accountId, fileId)
    return { file, link: file === undefined ? undefined : await files.link(tx, accountId, file.id) }
  }
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
  if (from.getUTCFullYear() < 1970) throw invalid('/from', 'Must not be before 1970.')
  if (from >= to) throw invalid('/from', `Must be before ${to.toISOString()}, the end of the period.`)
  if (to.getTime() - from.getTime() > daysMax * dayMs) throw invalid('/from', `The period must have at most ${daysMax} days.`)
  return { from, to }
}

function invalid(pointer: string, detail: string): Fault {
  return new Fault('request_invalid', { errors: [{ pointer, detail, in: 'query' }] })
}
