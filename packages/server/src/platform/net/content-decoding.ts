import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { tooLarge, type WireReply } from './exchange.ts'
import { NetError } from './net-error.ts'

export const acceptEncoding = 'gzip, deflate, br, zstd'

/**
 * Decodes the content encodings of a reply, and removes the headers that describe them.
 *
 * The output is bounded while it is decoded, so a small body that expands to gigabytes uses at most `bytesMax`.
 */
export async function decodeContent(reply: WireReply, bytesMax: number): Promise<WireReply> {
  const header = reply.headers['content-encoding']
  if (header === undefined || reply.body.length === 0) return reply
  const codings = header
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
  if (codings.length > 3) throw new NetError('protocol', 'the reply is encoded more than three times over')
  // The last coding was applied last, and is decoded first.
  const body = await codings.reduceRight(async (encoded, coding) => decode(coding, await encoded, bytesMax), Promise.resolve(reply.body))
  const { 'content-encoding': _, 'content-length': __, ...headers } = reply.headers
  return { ...reply, headers, body }
}

async function decode(coding: string, body: Buffer, bytesMax: number): Promise<Buffer> {
  const decoder = decoders[coding]
  if (decoder === undefined) throw new NetError('protocol', `the reply has the unknown content encoding ${JSON.stringify(coding)}`)
  try {
    return await decoder(body, { maxOutputLength: bytesMax })
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(bytesMax)
    throw new NetError('protocol', `the reply is not valid ${coding}`, { cause: error })
  }
}

type Decoder = (body: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>

const gunzip: Decoder = promisify(zlib.gunzip)
const inflate: Decoder = promisify(zlib.inflate)
const inflateRaw: Decoder = promisify(zlib.inflateRaw)

/** "deflate" means zlib, but many servers send raw deflate. Only the first byte of zlib has 8 in its low half and a small window in the high half. */
const deflate: Decoder = (body, options) => (((body[0] ?? 0) & 0x8f) === 0x08 ? inflate(body, options) : inflateRaw(body, options))

const decoders: Readonly<Record<string, Decoder>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  deflate,
  br: promisify(zlib.brotliDecompress),
  zstd: promisify(zlib.zstdDecompress),
}
