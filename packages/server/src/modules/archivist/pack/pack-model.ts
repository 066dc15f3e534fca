import type { Pack } from './pack-store.ts'

/** How long a file is kept. */
export const packLifeMs = 24 * 60 * 60 * 1000

export interface RequestedPack {
  readonly pack: Pack
  readonly isNew: boolean
  /** A link for one download, when the file is ready. */
  readonly link: { readonly token: string; readonly expiresAt: Date } | undefined
}
