import { createHash, createPublicKey } from 'node:crypto'
import { usageFailure } from '#command/failure.ts'

/** The id of a key of receipts, given as its id or as the public key itself (base64 or PEM). */
export function receiptKeyId(given: string): string {
  const text = given.trim()
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase()
  if (/^[^+]+\+[0-9a-f]{8}\+/.test(text))
    throw usageFailure(`--receipt-key: ${brief(text)} is a key of checkpoints or of a witness. ${advice}`)
  if (/^[0-9a-f]+$/i.test(text))
    throw usageFailure(`--receipt-key: ${brief(text)} has ${text.length} digits, and the id of a key has 64. ${advice}`)
  const der = Buffer.from(text.replaceAll(/-----(?:BEGIN|END) PUBLIC KEY-----|\s/g, ''), 'base64')
  const type = typeOf(der)
  if (type === undefined) throw usageFailure(`--receipt-key: ${brief(text)} is neither the id of a key nor a public key. ${advice}`)
  if (type !== 'ec') throw usageFailure(`--receipt-key: ${brief(text)} is a public key of another kind (${type}). ${advice}`)
  return createHash('sha256').update(der).digest('hex')
}

const advice = 'Give the "keyId" or the "publicKey" of the key with the purpose "receipt" of GET /api/v1/audit/keys.'

const brief = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : `"${text}"`)

function typeOf(der: Buffer): string | undefined {
  try {
    return createPublicKey({ key: der, format: 'der', type: 'spki' }).asymmetricKeyType
  } catch {
    return undefined
  }
}
