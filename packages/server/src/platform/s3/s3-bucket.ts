import { S3mini } from 's3mini'
import type { GuardedFetch } from '#platform/net/guarded-fetch.ts'

export interface S3Settings {
  /** Of the service; the bucket is the first segment of the path. */
  readonly url: string
  readonly region: string
  readonly bucket: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

const timeoutMs = 60_000
const bytesMax = 8 * 1024 * 1024

/** A bucket of an S3-compatible store, reached by the guarded fetch. */
export function openBucket(settings: S3Settings, http: Pick<GuardedFetch, 'request'>, signal: AbortSignal): S3mini {
  const { url, region, bucket, accessKeyId, secretAccessKey } = settings
  return new S3mini({
    endpoint: `${url.replace(/\/+$/, '')}/${bucket}`,
    region,
    accessKeyId,
    secretAccessKey,
    fetch: async (input, init = {}) => {
      const { method = 'GET', headers, body } = init
      const given = body === undefined || body === null ? {} : { body: typeof body === 'string' ? body : await bytesOf(body) }
      const reply = await http.request(
        {
          method,
          url: input instanceof Request ? input.url : String(input),
          headers: Object.fromEntries(new Headers(headers)),
          ...given,
          followRedirects: false,
          timeoutMs,
          maxResponseBytes: bytesMax,
        },
        signal,
      )
      const isEmpty = method === 'HEAD' || reply.status === 204 || reply.status === 304
      return new Response(isEmpty ? null : Buffer.from(reply.body), { status: reply.status, headers: { ...reply.headers } })
    },
  })
}

async function bytesOf(body: NonNullable<RequestInit['body']>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(body).arrayBuffer())
}
