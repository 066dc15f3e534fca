import type { FunctionManifest, JournalEntry, Json } from '@millrace/engine'
import * as z from 'zod'
import type { ReadExecution } from './erased.ts'
import { decodeCursor, encodeCursor } from '#platform/paging/cursor.ts'

/** What a version is compiled from. */
export interface VersionSources {
  readonly definition: Json
  /** Manifests of the functions that it calls. */
  readonly functions: readonly FunctionManifest[]
  /** Pinned documents by their URL. */
  readonly resources: Readonly<Record<string, Json>>
}

/** An execution with what a replay needs, and a page of its journal. */
export interface ExecutionRecord {
  readonly execution: ReadExecution
  readonly sources: VersionSources
  readonly journal: readonly JournalEntry[]
  readonly nextCursor: string | undefined
}

export interface RecordOptions {
  readonly limit: number
  readonly cursor: string | undefined
}

/** A page has fewer entries than requested where their values are large. */
const charactersMax = 4 * 1024 * 1024
const cursorShape = z.tuple([z.int().min(0)])

/** A page of a journal: as many entries as requested, and at least one. */
export function recordPage(
  journal: readonly JournalEntry[],
  { limit, cursor }: RecordOptions,
): Pick<ExecutionRecord, 'journal' | 'nextCursor'> {
  const from = cursor === undefined ? 0 : decodeCursor(cursor, cursorShape)[0]
  let characters = 0
  let to = from
  while (to < journal.length && to - from < limit && (to === from || characters < charactersMax)) {
    characters += JSON.stringify(journal[to]?.value).length
    to++
  }
  return { journal: journal.slice(from, to), nextCursor: to < journal.length ? encodeCursor([to]) : undefined }
}
