import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listenLocally } from './listen-locally.ts'

export interface S3Credentials {
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

const hex = (text: string) => createHash('sha256').update(text).digest('hex')
const mac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const fault = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code><Message>No</Message></Error>`

/** A bucket that speaks the protocol of S3: signatures of version 4, objects and lists with pages. */
export async function startS3Server(bucket: string, credentials: S3Credentials) {
  const objects = new Map<string, { readonly body: Buffer; readonly type: string }>()
  const server = await listenLocally(async (incoming, outgoing) => {
    const url = new URL(incoming.url ?? '/', 'http://s3.invalid')
    const body = await buffer(incoming)
    if (!isSigned(incoming, url, credentials)) return answer(outgoing, 403, fault('SignatureDoesNotMatch'))
    const [, name, ...rest] = url.pathname.split('/').map(decodeURIComponent)
    const key = rest.join('/')
    if (name !== bucket) return answer(outgoing, 404, fault('NoSuchBucket'))
    if (key === '') return answer(outgoing, 200, listed(objects, url.searchParams))
    if (incoming.method === 'PUT') {
      objects.set(key, { body, type: incoming.headers['content-type'] ?? '' })
      outgoing.writeHead(200, { etag: `"${createHash('md5').update(body).digest('hex')}"` }).end()
      return
    }
    const found = objects.get(key)
    if (found === undefined) return answer(outgoing, 404, fault('NoSuchKey'))
    outgoing.writeHead(200, { 'content-type': found.type, etag: '"1"' }).end(found.body)
  })
  return { ...server, objects }
}

/** Source: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html. */
function isSigned({ method = '', headers }: IncomingMessage, url: URL, { region, accessKeyId, secretAccessKey }: S3Credentials): boolean {
  const given = /Credential=([^,]+), SignedHeaders=([^,]+), Signature=(\w+)$/.exec(headers.authorization ?? '')
  const [, scope = '', names = '', signature] = given ?? []
  const [id, day = ''] = scope.split('/')
  const query = [...url.searchParams].map((pair) => pair.map(encodeURIComponent).join('=')).toSorted((a, b) => (a < b ? -1 : 1))
  const lines = names.split(';').map((name) => `${name}:${String(headers[name] ?? '').trim()}\n`)
  const request = [method, url.pathname, query.join('&'), lines.join(''), names, String(headers['x-amz-content-sha256'])].join('\n')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], `${day}/${region}/s3/aws4_request`, hex(request)].join('\n')
  const key = mac(mac(mac(mac(`AWS4${secretAccessKey}`, day), region), 's3'), 'aws4_request')
  return id === accessKeyId && signature === mac(key, text).toString('hex')
}

function listed(objects: ReadonlyMap<string, { readonly body: Buffer }>, query: URLSearchParams): string {
  const after = query.get('continuation-token') ?? ''
  const keys = [...objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after).toSorted()
  const page = keys.slice(0, Number(query.get('max-keys') ?? 1_000))
  const entries = page.map(
    (key) =>
      `<Contents><Key>${escaped(key)}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>"1"</ETag><Size>${objects.get(key)?.body.length}</Size></Contents>`,
  )
  const rest =
    page.length < keys.length
      ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${escaped(page.at(-1) ?? '')}</NextContinuationToken>`
      : '<IsTruncated>false</IsTruncated>'
  return `<?xml version="1.0"?><ListBucketResult><KeyCount>${page.length}</KeyCount>${entries.join('')}${rest}</ListBucketResult>`
}

function answer(outgoing: ServerResponse, status: number, body: string): void {
  outgoing.writeHead(status, { 'content-type': 'application/xml' }).end(body)
}
