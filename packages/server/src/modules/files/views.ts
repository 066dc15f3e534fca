import type { files, Reply } from '@millrace/contract'
import { toTypeId } from '#platform/ids.ts'
import type { AccountFile } from './model.ts'

export function fileView({
  id,
  name,
  media,
  bytes,
  sha256,
  writtenBy,
  createdAt,
  updatedAt,
  expiresAt,
}: AccountFile): Reply<typeof files.get> {
  return {
    id: toTypeId('file', id),
    name,
    contentType: media,
    size: bytes,
    sha256,
    writtenBy,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
  }
}
