import type { S3mini } from 's3mini'

export interface S3Object {
  readonly key: string
  readonly size: number
  readonly modifiedAt: string | null
  readonly etag: string | null
}

export interface S3Page {
  readonly objects: readonly S3Object[]
  readonly nextToken: string | undefined
}

/** One page of the objects below a prefix; undefined if the bucket does not exist. */
export async function listPage(
  bucket: S3mini,
  { prefix, limit, token }: { readonly prefix: string; readonly limit: number; readonly token: string | undefined },
): Promise<S3Page | undefined> {
  const page = await bucket.listObjectsPaged('/', prefix, limit, token)
  if (page === null || page === undefined) return undefined
  const objects = (page.objects ?? []).map(({ Key, Size, LastModified, ETag }) => {
    const at = new Date(LastModified)
    return {
      key: plain(Key),
      size: Number.parseInt(plain(Size), 10),
      modifiedAt: Number.isNaN(at.getTime()) ? null : at.toISOString(),
      etag: ETag ?? null,
    }
  })
  return { objects, nextToken: page.nextContinuationToken ?? undefined }
}

/** A member of a list as the service wrote it, which the types of the library only promise. */
function plain(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
