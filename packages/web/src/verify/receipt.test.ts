import { generateKeyPairSync, sign } from 'node:crypto'
import { toHex } from '@millrace/contract/transparency'
import { expect, test } from 'vitest'
import { checkReceipt, type Envelope, type EvidenceKey } from './receipt.ts'
import { sha256 } from './sha256.ts'

const payloadType = 'application/vnd.in-toto+json'
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const spki = publicKey.export({ type: 'spki', format: 'der' })
const keyId = toHex(sha256(spki))
const key: EvidenceKey = {
  purpose: 'receipt',
  name: 'receipts',
  keyId,
  algorithm: 'ECDSA P-256 with SHA-256',
  publicKey: spki.toString('base64'),
  verifierKey: null,
  createdAt: '2026-01-01T00:00:00.000Z',
}

function envelopeOf(state: string): Envelope {
  const payload = Buffer.from(JSON.stringify({ predicate: { execution: { id: 'exec_1', state }, audit: null } }))
  const message = Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `), payload])
  const sig = sign('sha256', message, privateKey).toString('base64')
  return { payload: payload.toString('base64'), payloadType, signatures: [{ keyid: keyId, sig }] }
}

test('a receipt verifies with the key that signed it, however long the numbers of its signature are', async () => {
  const verdicts = await Promise.all(Array.from({ length: 20 }, (_, n) => checkReceipt(envelopeOf(`state ${n}`), [key])))
  expect(verdicts.map(({ signed }) => signed)).toEqual(verdicts.map(() => true))
})

test('a receipt whose statement was changed does not verify', async () => {
  const { signed } = await checkReceipt({ ...envelopeOf('faulted'), payload: envelopeOf('completed').payload }, [key])
  expect(signed).toBe(false)
})

test('a receipt does not verify with a key whose id is another', async () => {
  const { signed } = await checkReceipt(envelopeOf('completed'), [
    { ...key, publicKey: Buffer.concat([spki, Buffer.of(0)]).toString('base64') },
  ])
  expect(signed).toBe(false)
})
