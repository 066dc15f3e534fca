import { createHmac, timingSafeEqual } from 'node:crypto'
import { base32nopad } from '@scure/base'

const stepSeconds = 30
const digits = 6
/** Codes of the steps before and after are accepted as well, for clocks that differ (RFC 6238, section 5.2). */
const steps = [0, -1, 1] as const

export const totpSecretBytes = 20

/** The code of a time step (RFC 6238 with SHA-1, RFC 4226). */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0xf
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** digits).padStart(digits, '0')
}

/** The time step whose code this is; `undefined` for a wrong code. */
export function totpStepOf(secret: Uint8Array, code: string, at: Date): number | undefined {
  const current = Math.floor(at.getTime() / 1000 / stepSeconds)
  const given = Buffer.from(code.replaceAll(/\D/g, ''))
  return steps
    .map((delta) => current + delta)
    .find((step) => given.length === digits && timingSafeEqual(Buffer.from(totpCode(secret, step)), given))
}

export function totpText(secret: Uint8Array): string {
  return base32nopad.encode(secret)
}

/** The key in the form that authenticator apps read. */
export function totpUri(secret: Uint8Array, { issuer, email }: { readonly issuer: string; readonly email: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`
  return `otpauth://totp/${label}?secret=${totpText(secret)}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${digits}&period=${stepSeconds}`
}
