import type { StoredFile } from '#platform/files/file-store.ts'
import type { Pack } from './pack-store.ts'

/** How long a file is kept. */
export const packLifeMs = 24 * 60 * 60 * 1000

export interface RequestedPack {
  readonly pack: Pack
  readonly isNew: boolean
  /** When it is ready. */
  readonly file: StoredFile | undefined
  /** A link for one download, when the file is ready. */
  readonly link: { readonly token: string; readonly expiresAt: Date } | undefined
}

/** What a pack of a selection would have. */
export interface CountedSelection {
  /** Undefined for named executions. */
  readonly period: { readonly from: string; readonly to: string } | undefined
  /** How many have ended. */
  readonly executions: number
  readonly isTooLarge: boolean
  /** Ids of named executions that do not exist or have not ended. */
  readonly missing: readonly string[]
}

/** The owner of the file of a pack and of its parts. */
export const ownerOf = (packId: string) => `pack:${packId}`
