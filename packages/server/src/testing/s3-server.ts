import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { SignatureV4 } from '@smithy/signature-v4'
import type { Checksum, SourceData } from '@smithy/types'
import { listenLocally } from './listen-locally.ts'

export interface S3Credentials {
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const etagOf = (body: Buffer) => `"${createHash('md5').update(body).digest('hex')}"`
const fault = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code><Message>No</Message></Error>`

/** A bucket that speaks the protocol of S3: signatures of version 4 as AWS makes them, objects and lists with pages. */
export async function startS3Server(bucket: string, credentials: S3Credentials) {
  const objects = new Map<string, { readonly body: Buffer; readonly type: string }>()
  const server = await listenLocally(async (incoming, outgoing) => {
    const url = new URL(incoming.url ?? '/', 'http://s3.invalid')
    const body = await buffer(incoming)
    if (!(await isSigned(incoming, url, body, credentials))) return answer(outgoing, 403, fault('SignatureDoesNotMatch'))
    const [, name, ...rest] = url.pathname.split('/').map(decodeURIComponent)
    const key = rest.join('/')
    if (name !== bucket) return answer(outgoing, 404, fault('NoSuchBucket'))
    if (key === '') return answer(outgoing, 200, listed(objects, url.searchParams))
    if (incoming.method === 'PUT') {
      objects.set(key, { body, type: incoming.headers['content-type'] ?? '' })
      outgoing.writeHead(200, { etag: etagOf(body) }).end()
      return
    }
    if (incoming.method === 'DELETE') {
      objects.delete(key)
      outgoing.writeHead(204).end()
      return
    }
    const found = objects.get(key)
    if (found === undefined) return answer(outgoing, 404, fault('NoSuchKey'))
    outgoing.writeHead(200, { 'content-type': found.type, etag: etagOf(found.body) }).end(found.body)
  })
  return { ...server, objects }
}

/**
 * Whether the signer of AWS makes the same signature of what was received. The path is encoded again from the name of the object, and the digest made again
 * from the body, so that what the client says of them is not trusted.
 */
async function isSigned({ method = '', headers }: IncomingMessage, url: URL, body: Buffer, credentials: S3Credentials): Promise<boolean> {
  const [, names = ''] = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '') ?? []
  const signed = new Set(names.split(';'))
  const at = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(String(headers['x-amz-date']))
  if (at === null || !['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => signed.has(name))) return false
  const [, year, month, day, hours, minutes, seconds] = at
  const isUnsigned = headers['x-amz-content-sha256'] === 'UNSIGNED-PAYLOAD'
  const kept = [...signed].filter((name) => name !== 'x-amz-content-sha256' || isUnsigned)
  const signer = new SignatureV4({ service: 's3', region: credentials.region, credentials, sha256: Sha256, uriEscapePath: false })
  const request = {
    method,
    protocol: 'http:',
    hostname: url.hostname,
    path: url.pathname.split('/').map(encoded).join('/'),
    query: Object.fromEntries(url.searchParams),
    headers: Object.fromEntries(kept.map((name) => [name, String(headers[name] ?? '')])),
    body,
  }
  const signingDate = new Date(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`)
  const expected = await signer.sign(request, { signingDate, signableHeaders: signed })
  return fieldsOf(expected.headers['authorization']) === fieldsOf(headers.authorization)
}

/** The fields of the header, whatever is between them. */
const fieldsOf = (header = '') => header.split(/[ ,]+/).join(' ')
const encoded = (segment: string) =>
  encodeURIComponent(decodeURIComponent(segment)).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** SHA-256 as the signer wants it. */
class Sha256 implements Checksum {
  readonly #hash: Hash | Hmac
  constructor(secret?: SourceData) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret))
  }
  update(data: Uint8Array) {
    this.#hash.update(data)
  }
  async digest() {
    return new Uint8Array(this.#hash.digest())
  }
  reset() {
    throw new Error('the signer resets no digest')
  }
}

function bytesOf(data: SourceData): string | Uint8Array {
  if (typeof data === 'string') return data
  return ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data)
}

function listed(objects: ReadonlyMap<string, { readonly body: Buffer }>, query: URLSearchParams): string {
  const after = query.get('continuation-token') ?? ''
  const keys = [...objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after).toSorted()
  const page = keys.slice(0, Number(query.get('max-keys') ?? 1_000))
  const entries = page.map((key) => {
    const body = objects.get(key)?.body ?? Buffer.alloc(0)
    return `<Contents><Key>${escaped(key)}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>${etagOf(body)}</ETag><Size>${body.length}</Size></Contents>`
  })
  const rest =
    page.length < keys.length
      ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${escaped(page.at(-1) ?? '')}</NextContinuationToken>`
      : '<IsTruncated>false</IsTruncated>'
  return `<?xml version="1.0"?><ListBucketResult><KeyCount>${page.length}</KeyCount>${entries.join('')}${rest}</ListBucketResult>`
}

function answer(outgoing: ServerResponse, status: number, body: string): void {
  outgoing.writeHead(status, { 'content-type': 'application/xml' }).end(body)
}
