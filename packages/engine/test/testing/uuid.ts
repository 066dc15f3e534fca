import { randomBytes } from 'node:crypto'

let lastMs = 0
let sequence = 0

/** A UUIDv7 of this moment, greater than the one before: a counter follows the milliseconds (RFC 9562, section 6.2, method 1). */
export function newUuid(): string {
  const nowMs = Date.now()
  sequence = nowMs > lastMs ? 0 : sequence + 1
  lastMs = Math.max(lastMs, nowMs)
  if (sequence > 0xfff) {
    sequence = 0
    lastMs += 1
  }
  const bytes = randomBytes(16)
  bytes.writeUIntBE(lastMs, 0, 6)
  bytes[6] = 0x70 | (sequence >> 8)
  bytes[7] = sequence & 0xff
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
