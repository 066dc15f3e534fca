import zlib from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { decodeContent } from './content-decoding.ts'

const plain = Buffer.from('hello '.repeat(100))

const decode = (coding: string, body: Buffer, bytesMax = 10_000): ReturnType<typeof decodeContent> =>
  decodeContent({ status: 200, headers: { 'content-encoding': coding, 'content-length': String(body.length), 'x-a': '1' }, body }, bytesMax)

describe('encodings', () => {
  test.each([
    ['gzip', zlib.gzipSync(plain)],
    ['x-gzip', zlib.gzipSync(plain)],
    ['GZIP', zlib.gzipSync(plain)],
    ['deflate', zlib.deflateSync(plain)],
    ['deflate', zlib.deflateSync(plain, { level: 0 })],
    ['deflate', zlib.deflateRawSync(plain)],
    ['br', zlib.brotliCompressSync(plain)],
    ['zstd', zlib.zstdCompressSync(plain)],
    ['identity', plain],
    ['', plain],
    ['deflate, gzip', zlib.gzipSync(zlib.deflateSync(plain))],
    ['gzip, gzip, gzip', zlib.gzipSync(zlib.gzipSync(zlib.gzipSync(plain)))],
    ['gzip, identity, br', zlib.brotliCompressSync(zlib.gzipSync(plain))],
  ])('%s is undone', async (coding, body) => {
    expect((await decode(coding, body)).body).toEqual(plain)
  })

  test('the headers then speak of the decoded body', async () => {
    expect((await decode('gzip', zlib.gzipSync(plain))).headers).toEqual({ 'x-a': '1' })
  })

  test('an empty body, as HEAD has, is left alone', async () => {
    const reply = { status: 200, headers: { 'content-encoding': 'gzip', 'content-length': '500' }, body: Buffer.alloc(0) }
    expect(await decodeContent(reply, 10)).toBe(reply)
  })

  test('a reply without encoding is left alone', async () => {
    const reply = { status: 200, headers: {}, body: plain }
    expect(await decodeContent(reply, 10)).toBe(reply)
  })
})

describe('what is refused', () => {
  test.each(['gzip', 'deflate', 'br', 'zstd'])('a body that is not %s', async (coding) => {
    await expect(decode(coding, Buffer.from('certainly not'))).rejects.toMatchObject({ reason: 'protocol' })
  })

  test('a body that ends too early', async () => {
    await expect(decode('gzip', zlib.gzipSync(plain).subarray(0, 20))).rejects.toMatchObject({ reason: 'protocol' })
  })

  test('an unknown encoding, also one that is the name of a property', async () => {
    await expect(decode('compress', plain)).rejects.toMatchObject({ reason: 'protocol', message: expect.stringContaining('"compress"') })
    await expect(decode('toString', plain)).rejects.toMatchObject({ reason: 'protocol' })
  })

  test('encodings without end', async () => {
    await expect(decode('gzip, gzip, gzip, gzip', plain)).rejects.toMatchObject({ reason: 'protocol' })
  })

  test.each([
    ['gzip', zlib.gzipSync(Buffer.alloc(50_000_000))],
    ['br', zlib.brotliCompressSync(Buffer.alloc(50_000_000), { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } })],
    ['zstd', zlib.zstdCompressSync(Buffer.alloc(50_000_000))],
    ['gzip, gzip', zlib.gzipSync(zlib.gzipSync(Buffer.alloc(50_000_000)))],
  ])('a bomb of %s that unfolds to more than is allowed', async (coding, bomb) => {
    await expect(decode(coding, bomb, 100_000)).rejects.toMatchObject({ reason: 'too-large' })
  })

  test('a decoded body one byte over the limit is refused, and one at the limit is accepted', async () => {
    const body = zlib.gzipSync(plain)
    await expect(decode('gzip', body, plain.length - 1)).rejects.toMatchObject({ reason: 'too-large' })
    expect((await decode('gzip', body, plain.length)).body).toEqual(plain)
  })
})
