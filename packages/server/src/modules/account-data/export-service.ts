import { Fault } from '@millrace/contract'
import type { StoredFile } from '#platform/files/file-store.ts'
import type { Files } from '#platform/files/files.ts'
import type { Tx } from '#platform/http/index.ts'
import { type AccountExport, failExport, insertExport, lockLatest } from './export-store.ts'
import { exportedTables, exportLifeMs } from './make-export.ts'

export interface ExportsDeps {
  readonly files: Files
  readonly now: () => number
  readonly newId: () => string
  /** Sends the job that makes the file, in the transaction of the export. */
  readonly prepare: (tx: Tx, target: { readonly accountId: string; readonly exportId: string }) => Promise<void>
}

/** A preparation that has not ended after this time is taken for lost. */
const stuckMs = 6 * 60 * 60 * 1000

export type Exports = ReturnType<typeof createExports>

/** Exports of accounts. */
export function createExports({ files, now, newId, prepare }: ExportsDeps) {
  const isUsable = ({ state, createdAt }: AccountExport, fresh: boolean) => {
    const age = now() - createdAt.getTime()
    return state === 'preparing' ? age < stuckMs : state === 'ready' && !fresh && age < exportLifeMs
  }
  return {
    open: files.open,

    /** The current export, or a new one. */
    async request(tx: Tx, accountId: string, fresh: boolean) {
      const latest = await lockLatest(tx, accountId)
      if (latest !== undefined && isUsable(latest, fresh)) {
        const file = latest.fileId === undefined ? undefined : await files.find(tx, accountId, latest.fileId)
        if (latest.state === 'preparing') return { of: latest, file: undefined, link: undefined }
        if (file !== undefined) return { of: latest, file, link: await files.link(tx, accountId, file.id) }
      }
      if (latest?.state === 'preparing') await failExport(tx, accountId, latest.id, 'It took too long.', new Date(now()))
      const of = await insertExport(tx, accountId, newId(), exportedTables.size, new Date(now()))
      await prepare(tx, { accountId, exportId: of.id })
      return { of, file: undefined, link: undefined }
    },

    /** The file behind a link, which works once. */
    async download(token: string): Promise<StoredFile> {
      const file = await files.follow(token, 'export')
      if (file === undefined)
        throw new Fault('not_found', {
          detail: 'This link does not exist, has expired, or was used. Request the export again for a new one.',
        })
      return file
    },
  }
}
