import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { Needle } from './needles.ts'

/** A file as erasures name it. */
export interface NamedFile {
  readonly id: string
  readonly name: string
  /** As `kind:id`. */
  readonly writtenBy: string
}

/** A file that was sent with an entry of a start form. */
export interface FormFile extends NamedFile {
  readonly createdAt: Date
  /** The execution that the entry has started. */
  readonly executionId: string | undefined
}

/** The files of accounts, as erasures need them. */
export interface ErasedFiles {
  /** Searches the contents of all files. */
  search(
    accountId: string,
    needles: readonly Needle[],
    signal: AbortSignal,
  ): Promise<{
    readonly matching: readonly NamedFile[]
    readonly unreadable: readonly NamedFile[]
    readonly unsearched: readonly NamedFile[]
  }>
  /** The files that were sent with one entry of a start form. */
  ofForm(db: Kysely<Rows>, accountId: string, folder: string): Promise<readonly FormFile[]>
  /** Deletes them. @returns how many. */
  removeForm(tx: Kysely<Rows>, accountId: string, folder: string): Promise<number>
}
