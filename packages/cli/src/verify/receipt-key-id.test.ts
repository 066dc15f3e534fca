import { createHash, generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { receiptKeyId } from './receipt-key-id.ts'

const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const der = publicKey.export({ format: 'der', type: 'spki' })
const id = createHash('sha256').update(der).digest('hex')

test.each([
  ['its id', id],
  ['its id in capitals', id.toUpperCase()],
  ['the public key in base64', der.toString('base64')],
  ['the public key in PEM', publicKey.export({ format: 'pem', type: 'spki' }).toString()],
])('a key of receipts is known by %s', (_case, given) => {
  expect(receiptKeyId(given)).toBe(id)
})

test.each([
  ['the key of checkpoints', `millrace+9fbe0c80+${'A'.repeat(44)}`, 'is a key of checkpoints'],
  ['a part of the id', id.slice(0, 12), 'has 12 digits, and the id of a key has 64'],
  [
    'a public key of another kind',
    generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    'of another kind (ed25519)',
  ],
  ['any other text', 'the key', '"the key" is neither the id of a key nor a public key'],
])('%s is refused as a key of receipts, with the reason', (_case, given, reason) => {
  expect(() => receiptKeyId(given)).toThrow(reason)
})
