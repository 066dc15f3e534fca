import { crc32, deflateSync } from 'node:zlib'
import { encode } from 'uqr'
import { toText } from './decimal.ts'
import type { Calculated } from './model.ts'

export interface QrCode {
  /** Base64. */
  readonly tlv: string
  /** PNG in base64. */
  readonly png: string
}

const valueBytesMax = 255
const modulePixels = 6
const quietModules = 4

/** The texts of the QR code: seller, identifier of VAT, time, total with tax, tax. Signed documents add hash, signature and public key. */
export function qrFields({ source, sums, decimals }: Calculated, issuedAt: Date): readonly string[] {
  const { name, vatId = '' } = source.seller
  const time = issuedAt.toISOString().replace(/\.\d+Z$/, 'Z')
  return [name, vatId, time, toText(sums.taxInclusive, decimals), toText(sums.tax, decimals)]
}

/** Writes values as tag, length and value, each tag and length one byte, as the Saudi QR codes do. */
export function tlvOf(values: readonly (string | Uint8Array)[]): Buffer {
  return Buffer.concat(
    values.flatMap((value, index) => {
      const bytes = typeof value === 'string' ? shortened(value) : value
      if (bytes.length > valueBytesMax) throw new Error('A value of a QR code is too long.')
      return [Buffer.of(index + 1, bytes.length), bytes]
    }),
  )
}

/** The longest beginning that fits without half a character. */
function shortened(text: string): Buffer {
  let kept = ''
  for (const character of text) {
    if (Buffer.byteLength(kept + character) > valueBytesMax) break
    kept += character
  }
  return Buffer.from(kept)
}

export function qrCodeOf(tlv: Buffer): QrCode {
  const text = tlv.toString('base64')
  const { data } = encode(text, { border: quietModules, ecc: 'L' })
  return { tlv: text, png: pngOf(data).toString('base64') }
}

/** A PNG (ISO/IEC 15948) in one bit for each pixel; true is black. */
function pngOf(modules: readonly (readonly boolean[])[]): Buffer {
  const size = modules.length * modulePixels
  const rows = modules.flatMap((row) => {
    const bytes = Buffer.alloc(1 + Math.ceil(size / 8))
    for (let x = 0; x < size; x++) {
      const isDark = row[Math.floor(x / modulePixels)] === true
      const at = 1 + (x >> 3)
      if (!isDark) bytes[at] = (bytes[at] ?? 0) | (0x80 >> (x & 7))
    }
    return Array.from({ length: modulePixels }, () => bytes)
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header[8] = 1
  const signature = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.concat(rows))), chunk('IEND', Buffer.alloc(0))])
}

function chunk(name: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(name), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(content))
  return Buffer.concat([length, content, check])
}
