import { Fault } from '@millrace/contract'
import type { Tx } from '#platform/db/database.ts'
import type { StoredFile } from '#platform/files/file-store.ts'
import type { Files } from '#platform/files/files.ts'
import type { Sealing } from '#platform/sealing/sealing.ts'
import { deleteReport, findReport, insertReport, listReports, lockPreparing, type Report, type ReportLocale } from './report-store.ts'
import { ownerOf, placeOf, reportLifeMs } from './report-values.ts'

export interface ReportsDeps {
  readonly files: Pick<Files, 'find' | 'link' | 'follow' | 'open' | 'delete' | 'deleteParts'>
  readonly sealing: Pick<Sealing, 'seal'>
  /** Sends the job that makes the file, in the transaction of the report. */
  readonly prepare: (tx: Tx, target: { readonly accountId: string; readonly reportId: string }) => Promise<void>
  readonly now: () => number
  readonly newId: () => string
}

export interface ReportRequest {
  readonly values: readonly string[]
  readonly note: string | undefined
  readonly locale: ReportLocale
  readonly includesForms: boolean
  readonly by: string
}

export type Reports = ReturnType<typeof createReports>

const preparingMax = 10

/** Reports about persons. */
export function createReports({ files, sealing, prepare, now, newId }: ReportsDeps) {
  async function get(tx: Tx, accountId: string, id: string): Promise<Report> {
    const report = await findReport(tx, accountId, id)
    if (report === undefined) throw new Fault('not_found', { detail: 'There is no such report.' })
    return report
  }

  return {
    get,
    list: listReports,
    open: files.open,

    async request(tx: Tx, accountId: string, { values, note, locale, includesForms, by }: ReportRequest): Promise<Report> {
      if ((await lockPreparing(tx, accountId)) >= preparingMax)
        throw new Fault('conflict', { detail: `${preparingMax} reports are being made. Wait until one of them is ready.` })
      const id = newId()
      const report = await insertReport(tx, accountId, {
        id,
        sealed: await sealing.seal(tx, accountId, placeOf(id), Buffer.from(JSON.stringify(values))),
        given: values.length,
        note,
        locale,
        includesForms,
        createdAt: new Date(now()),
        createdBy: by,
        expiresAt: new Date(now() + reportLifeMs),
      })
      await prepare(tx, { accountId, reportId: id })
      return report
    },

    /** A link for one download. Fault `conflict` for a report that has no file. */
    async link(tx: Tx, accountId: string, id: string) {
      const { state, fileId } = await get(tx, accountId, id)
      const file = fileId === undefined ? undefined : await files.find(tx, accountId, fileId)
      if (file !== undefined) return files.link(tx, accountId, file.id)
      throw new Fault('conflict', {
        detail: state === 'preparing' ? 'The report is not ready yet.' : 'The report has no file any more. Make a new one.',
      })
    },

    async remove(tx: Tx, accountId: string, id: string): Promise<void> {
      const { fileId } = await get(tx, accountId, id)
      await deleteReport(tx, accountId, id)
      await files.deleteParts(tx, accountId, ownerOf(id))
      if (fileId !== undefined) await files.delete(tx, accountId, fileId)
    },

    /** The file behind a link, which works once. */
    async download(token: string): Promise<StoredFile> {
      const file = await files.follow(token, 'report')
      if (file !== undefined) return file
      throw new Fault('not_found', { detail: 'This link does not exist, has expired, or was used. Make a new one.' })
    },
  }
}
