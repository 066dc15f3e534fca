import { createHash, createPublicKey, verify } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { checkpointText, noteKeyId, parseCheckpoint, parseVerifierKey, signedNote, toHex, verifierKey } from './checkpoint.ts'
import {
  emptyTree,
  type Hash,
  hashLeaf,
  proveConsistency,
  proveInclusion,
  rootOf,
  rootOfLeaves,
  verifyConsistency,
  verifyInclusion,
} from './merkle.ts'

const hash: Hash = (bytes) => createHash('sha256').update(bytes).digest()
const leaves = Array.from({ length: 33 }, (_, index) => hashLeaf(hash, Uint8Array.of(index)))
const root = (size: number) => rootOfLeaves(hash, leaves.slice(0, size))

test('the root of an empty tree is the hash of nothing, and that of one leaf is the leaf', () => {
  expect(toHex(rootOf(hash, emptyTree))).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  // Source: RFC 6962 test vectors of certificate-transparency, an empty leaf.
  expect(toHex(hashLeaf(hash, new Uint8Array(0)))).toBe('6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d')
})

test('every leaf of trees of 1 to 33 leaves has a proof that verifies at its index only', () => {
  for (let size = 1; size <= leaves.length; size++)
    for (let index = 0; index < size; index++) {
      const path = proveInclusion(hash, leaves.slice(0, size), index)
      const claim = { leaf: leaves[index] ?? Buffer.alloc(0), index, size, path, root: root(size) }
      expect(verifyInclusion(hash, claim)).toBe(true)
      expect(verifyInclusion(hash, { ...claim, index: (index + 1) % (size + 1) })).toBe(false)
      expect(verifyInclusion(hash, { ...claim, path: [...path, root(1)] })).toBe(false)
      expect(verifyInclusion(hash, { ...claim, leaf: root(33) })).toBe(false)
    }
})

test('every beginning of trees of 1 to 33 leaves is proved consistent, and no other tree of its size', () => {
  for (let size = 1; size <= leaves.length; size++)
    for (let oldSize = 1; oldSize <= size; oldSize++) {
      const proof = proveConsistency(hash, leaves.slice(0, size), oldSize)
      const claim = { oldSize, oldRoot: root(oldSize), size, root: root(size), proof }
      expect(verifyConsistency(hash, claim)).toBe(true)
      expect(verifyConsistency(hash, { ...claim, oldRoot: hash(root(oldSize)) })).toBe(false)
      expect(verifyConsistency(hash, { ...claim, proof: [...proof, root(1)] })).toBe(false)
    }
  expect(verifyConsistency(hash, { oldSize: 0, oldRoot: root(1), size: 3, root: root(3), proof: [] })).toBe(false)
})

test('a signed note has the form of C2SP and is read again', () => {
  const key = { name: 'example.com/log', publicKey: hash(new Uint8Array(0)) }
  const text = checkpointText({ origin: 'example.com/log', size: 3, root: root(3) })
  const note = signedNote(hash, key, text, new Uint8Array(64))
  expect(parseCheckpoint(note)).toMatchObject({ origin: 'example.com/log', size: 3, text, signatures: [{ keyId: noteKeyId(hash, key) }] })
  expect(parseVerifierKey(hash, verifierKey(hash, key))?.name).toBe(key.name)
  expect(parseVerifierKey(hash, verifierKey(hash, key).replace('log+', 'other+'))).toBeUndefined()
  for (const broken of [note.slice(0, -1), note.replace('\n3\n', '\n03\n'), note.replace('\n\n', '\n'), '', `${note}x`])
    expect(parseCheckpoint(broken), broken).toBeUndefined()
})

describe('the log of Tessera', () => {
  const provided = inject('conformance')
  const folder = 'folder' in provided ? join(provided.folder, 'tlog/log') : ''
  const bundle = join(folder, 'tile/entries/000.p/15')
  // The public key of the log's test data: transparency-dev/tessera, testdata/log.
  const publishedKey = 'example.com/log/testdata+33d7b496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx'

  test.skipIf(!existsSync(bundle))('has the roots and signatures that follow from its 15 entries', () => {
    const entries = readEntries(readFileSync(bundle))
    expect(entries).toHaveLength(15)
    const key = parseVerifierKey(hash, publishedKey)
    expect(key?.name).toBe('example.com/log/testdata')
    const x = Buffer.from(key?.publicKey ?? []).toString('base64url')
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    for (let size = 0; size <= 15; size++) {
      const checkpoint = parseCheckpoint(readFileSync(join(folder, `checkpoint.${size}`), 'utf8'))
      expect(checkpoint?.size).toBe(size)
      expect(Buffer.from(checkpoint?.root ?? []).toString('hex')).toBe(
        toHex(
          rootOfLeaves(
            hash,
            entries.slice(0, size).map((entry) => hashLeaf(hash, entry)),
          ),
        ),
      )
      const [signature] = checkpoint?.signatures ?? []
      expect(verify(null, Buffer.from(checkpoint?.text ?? ''), publicKey, signature?.signature ?? Buffer.alloc(0))).toBe(true)
    }
  })
})

/** A bundle of entries: each a length of two bytes and as many bytes (C2SP tlog-tiles). */
function readEntries(bytes: Buffer): Buffer[] {
  const entries: Buffer[] = []
  for (let offset = 0; offset < bytes.length; ) {
    const end = offset + 2 + bytes.readUInt16BE(offset)
    entries.push(bytes.subarray(offset + 2, end))
    offset = end
  }
  return entries
}
