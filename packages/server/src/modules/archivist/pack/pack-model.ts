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

/** The owner of the file of a pack and of its parts. */
export const ownerOf = (packId: string) => `pack:${packId}`
