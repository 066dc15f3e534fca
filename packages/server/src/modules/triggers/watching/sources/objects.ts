import { standardError } from '@millrace/engine'
import { type LookDeps, withConnection } from '#modules/triggers/watching/look.ts'
import type { Look, Looked, WatchOf } from '#modules/triggers/watching/model.ts'
import { unseen } from '#modules/triggers/watching/seen.ts'
import { openBucket } from '#platform/s3/s3-bucket.ts'
import { listPage, type S3Object } from '#platform/s3/list-page.ts'
import { s3Refusal } from '#platform/s3/s3-status.ts'

const pageSize = 1_000
const pagesMax = 10

/** New and replaced objects below a prefix, the oldest first. */
export function lookAtObjects(deps: LookDeps, look: Look<WatchOf<'objects'>>): Promise<Looked> {
  const { connection: name, prefix } = look.settings
  return withConnection(deps, look, { name, kinds: ['s3'] }, async ({ settings, secrets, http }) => {
    if (settings.kind !== 's3') throw standardError('configuration', 'The connection is not for S3.')
    const bucket = openBucket({ ...settings, secretAccessKey: secrets['secretAccessKey'] ?? '' }, http, look.signal)
    const objects = await all(bucket, prefix).catch((error: unknown) => {
      const refusal = s3Refusal(error)
      throw refusal === undefined ? error : standardError('communication', `The service refused: ${refusal.code}.`)
    })
    const items = objects
      .toSorted((one, other) => (one.modifiedAt ?? '').localeCompare(other.modifiedAt ?? ''))
      .map((object) => ({ id: JSON.stringify([object.key, object.etag, object.modifiedAt]), data: { ...object } }))
    return unseen(look, items)
  })
}

async function all(bucket: ReturnType<typeof openBucket>, prefix: string): Promise<readonly S3Object[]> {
  const objects: S3Object[] = []
  let token: string | undefined
  for (let page = 0; page < pagesMax; page++) {
    const found = await listPage(bucket, { prefix, limit: pageSize, token })
    if (found === undefined) throw standardError('communication', 'The bucket does not exist.')
    objects.push(...found.objects)
    token = found.nextToken
    if (token === undefined) return objects
  }
  throw standardError(
    'configuration',
    `More than ${pageSize * pagesMax} objects are below the prefix. Choose a longer one, or move away old objects.`,
  )
}
