import type { AccountFiles } from '#modules/files/index.ts'

type AccountFile = Awaited<ReturnType<AccountFiles['find']>>

/** A file as functions give it. */
export const fileView = ({ name, bytes, media, sha256, updatedAt, expiresAt }: AccountFile) => ({
  name,
  size: bytes,
  contentType: media,
  sha256,
  updatedAt: updatedAt.toISOString(),
  expiresAt: expiresAt?.toISOString() ?? null,
})
