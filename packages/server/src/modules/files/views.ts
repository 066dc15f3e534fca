import type { files, Reply } from '@millrace/contract'
import { isPicture } from '#platform/http/index.ts'
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

/** A file for those who read the data that name it. */
export function shownFileView({ id, name, media, bytes }: AccountFile): Reply<typeof files.ofExecution>['files'][number] {
  return { id: toTypeId('file', id), name, contentType: media, size: bytes, isPicture: isPicture(media) }
}
