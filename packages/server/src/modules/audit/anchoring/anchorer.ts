import { sign } from 'node:crypto'
import {
  type AnchorProof,
  checkpointText,
  hashAnchor,
  hashAnchored,
  type NoteKey,
  proveInclusion,
  rootOfLeaves,
  signedNote,
  toHex,
} from '@millrace/contract/transparency'
import { createLoop } from '@millrace/engine'
import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { GuardedFetch } from '#platform/net/guarded-fetch.ts'
import { type EvidenceKeys, noteKeyOf, sha256 } from '#modules/audit/log/evidence-keys.ts'
import {
  attestedSize,
  findAnchored,
  insertAnchor,
  insertAttestation,
  lastCompleteAt,
  latestAnchor,
  listAnchorHashes,
  listAttestations,
  listBatch,
  listNewestCheckpoints,
  lockAnchors,
} from './anchor-store.ts'
import { requestTimeStamp } from './time-stamp.ts'
import { requestCosignature } from './witness.ts'

export interface AnchorerDeps {
  readonly db: Kysely<Rows>
  readonly keys: Pick<EvidenceKeys, 'signer'>
  readonly http: Pick<GuardedFetch, 'request'>
  /** An authority of RFC 3161; undefined for none. */
  readonly timeStampUrl: string | undefined
  readonly witnesses: readonly { readonly url: string; readonly key: NoteKey }[]
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly onError: (error: unknown) => void
  /** Checkpoints that one anchor has at most. */
  readonly batchMax?: number
}

const intervalMs = 10 * 60_000
const idleMs = 30_000
const batchMaxDefault = 100_000
/** A checkpoint that was made before the last anchor and committed after it is looked for this far back. */
const overlapMs = 60 * 60_000
const timeStampSource = 'time-stamp'

export type Anchorer = ReturnType<typeof createAnchorer>

/** Collects the checkpoints of all logs in the anchor log, and has it time-stamped and co-signed. */
export function createAnchorer(deps: AnchorerDeps) {
  const { db, keys, now, onError, batchMax = batchMaxDefault } = deps
  const closing = new AbortController()

  async function extend(): Promise<void> {
    const key = await keys.signer('checkpoint')
    await db.transaction().execute(async (tx) => {
      if (!(await lockAnchors(tx))) return
      const last = await latestAnchor(tx)
      if (last !== undefined && now() - last.made_at.getTime() < intervalMs) return
      const complete = await lastCompleteAt(tx, batchMax)
      const since = complete === undefined ? undefined : new Date(complete.getTime() - overlapMs)
      const newest = await listNewestCheckpoints(tx, since, batchMax)
      if (newest.length === 0) return
      const checkpoints = newest.map(({ note, ...of }) => ({ ...of, hash: hashAnchored(sha256, note) }))
      const batchRoot = rootOfLeaves(
        sha256,
        checkpoints.map(({ hash }) => hash),
      )
      const hash = hashAnchor(sha256, checkpoints.length, batchRoot)
      const hashes = [...(await listAnchorHashes(tx)), hash]
      const root = rootOfLeaves(sha256, hashes)
      const text = checkpointText({ origin: `${key.name}/audit/anchors`, size: hashes.length, root })
      const note = signedNote(sha256, noteKeyOf(key), text, sign(null, Buffer.from(text), key.privateKey))
      await insertAnchor(tx, { index: hashes.length - 1, at: new Date(now()), batchRoot, hash, note, checkpoints })
    })
  }

  /** Asks for what the newest anchor has not got yet. Two processes that ask at a time cost a request more, and nothing else. */
  async function attest(): Promise<void> {
    const anchor = await latestAnchor(db)
    if (anchor === undefined) return
    const known = new Set((await listAttestations(db, anchor.index)).map(({ source }) => source))
    const keep = (source: string, statement: string) =>
      insertAttestation(db, { anchor: anchor.index, source, statement, at: new Date(now()) })
    const asks: Promise<void>[] = []
    const { timeStampUrl } = deps
    if (timeStampUrl !== undefined && !known.has(timeStampSource))
      asks.push(requestTimeStamp(deps.http, timeStampUrl, anchor.note, closing.signal).then((token) => keep(timeStampSource, token)))
    const hashes = await listAnchorHashes(db, anchor.index + 1)
    for (const { url, key } of deps.witnesses) {
      if (known.has(key.name)) continue
      const oldSize = await attestedSize(db, key.name)
      const wanted = { url, key, note: anchor.note, hashes, oldSize }
      asks.push(requestCosignature(deps.http, wanted, closing.signal).then((line) => keep(key.name, line)))
    }
    for (const result of await Promise.allSettled(asks)) if (result.status === 'rejected' && !closing.signal.aborted) onError(result.reason)
  }

  async function pass(): Promise<boolean> {
    try {
      await extend()
      await attest()
    } catch (error) {
      onError(error)
    }
    return false
  }

  const loop = createLoop(idleMs, pass)
  return {
    pass,
    start: () => loop.start(),
    stop: () => {
      closing.abort()
      return loop.stop()
    },
  }
}

/** The proof that the newest anchored checkpoint of a day is in the anchor log; null if none is. */
export async function anchorOf(tx: Kysely<Rows>, accountId: string, day: string): Promise<AnchorProof | null> {
  const found = await findAnchored(tx, accountId, day)
  if (found === undefined) return null
  const [batch, hashes, attestations] = [
    await listBatch(tx, found.anchor),
    await listAnchorHashes(tx, found.noted + 1),
    await listAttestations(tx, found.noted),
  ]
  return {
    size: found.size,
    place: found.place,
    batchSize: batch.length,
    batchPath: proveInclusion(sha256, batch, found.place).map(toHex),
    index: found.anchor,
    path: proveInclusion(sha256, hashes, found.anchor).map(toHex),
    note: found.note,
    cosignatures: attestations.flatMap(({ source, statement }) => (source === timeStampSource ? [] : [statement])),
    timeStamp: attestations.find(({ source }) => source === timeStampSource)?.statement ?? null,
  }
}
