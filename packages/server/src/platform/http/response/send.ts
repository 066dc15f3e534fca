import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import type { HttpResponse } from './response.ts'

/** A smaller body fits into one packet, so compressing it saves nothing. */
const compressedBytesMin = 1400

const gzipAsync = promisify(gzip)
const brotliAsync = promisify(brotliCompress)

/** Sends a response, compressed if it is large enough and the caller accepts it. */
export async function sendResponse(reply: FastifyReply, acceptEncoding: string | undefined, response: HttpResponse): Promise<FastifyReply> {
  const { body } = response
  reply.code(response.status).headers(response.headers).header('content-type', response.contentType)
  if (typeof body !== 'string' || body.length < compressedBytesMin) return reply.send(body)
  reply.header('vary', 'accept-encoding')
  const encoding = encodingOf(acceptEncoding)
  if (encoding === undefined) return reply.send(body)
  return reply.header('content-encoding', encoding).send(await compress(encoding, body))
}

/** The preferred encoding among those that the caller accepts. */
export function encodingOf(acceptEncoding: string | undefined): 'br' | 'gzip' | undefined {
  if (acceptEncoding === undefined) return undefined
  const accepted = new Set<string>()
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';')
    if (!parameters.some((parameter) => /^\s*q\s*=\s*0(?:\.0*)?\s*$/.test(parameter))) accepted.add(name.trim())
  }
  if (accepted.has('br')) return 'br'
  return accepted.has('gzip') ? 'gzip' : undefined
}

export function compress(encoding: 'br' | 'gzip', body: string | Uint8Array): Promise<Buffer> {
  // Quality 4 is about as fast as gzip's default and compresses better.
  return encoding === 'br' ? brotliAsync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }) : gzipAsync(body)
}
