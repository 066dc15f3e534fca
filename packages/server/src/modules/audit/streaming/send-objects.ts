import { createHash } from 'node:crypto'
import type { GuardedFetch } from '#platform/net/guarded-fetch.ts'
import { NetError } from '#platform/net/net-error.ts'
import { openBucket } from '#platform/s3/s3-bucket.ts'
import { s3Refusal } from '#platform/s3/s3-status.ts'
import type { AuditTarget, LogPosition } from './destination.ts'

export interface LogObject {
  readonly target: Extract<AuditTarget, { readonly kind: 's3' }>
  readonly secret: Uint8Array
  readonly key: string
  readonly body: string
}

const type = 'application/x-ndjson'

/** Writes an object and reads it again. @returns why it failed; undefined for a success. */
export async function writeObject(
  http: Pick<GuardedFetch, 'request'>,
  object: LogObject,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { target, secret, key, body } = object
  const bucket = openBucket({ ...target, secretAccessKey: Buffer.from(secret).toString('utf8') }, http, signal)
  try {
    await bucket.putObject(key, Buffer.from(body), type)
    const reply = await bucket.getObjectResponse(key)
    if (reply === null) return `the object ${key} was written and does not exist`
    return digestOf(Buffer.from(await reply.arrayBuffer())) === digestOf(body)
      ? undefined
      : `the object ${key} has other content than was written`
  } catch (error) {
    if (error instanceof NetError) throw error
    const refusal = s3Refusal(error)
    if (refusal !== undefined) return `the service refused: ${refusal.code} (${refusal.status})`
    const { cause } = error instanceof Error ? error : {}
    if (cause instanceof NetError) throw cause
    throw error
  }
}

/**
 * The name of the object that begins at a place of the log: its day and number. A batch that is sent again has the same name, so that the object is
 * replaced by one that has its lines and perhaps more.
 */
export function objectKey({ prefix }: LogObject['target'], account: string, { day, index }: LogPosition): string {
  return `${prefix}${account}/${day}/${String(index).padStart(indexDigits, '0')}.jsonl`
}

/** So that names are in the order of the log. */
const indexDigits = 10

function digestOf(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex')
}
