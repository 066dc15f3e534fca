import { cosignedAt, type NoteKey, parseCheckpoint, proveConsistency } from '@millrace/contract/transparency'
import type { GuardedFetch } from '#platform/net/guarded-fetch.ts'
import { sha256, verifyEd25519 } from '#modules/audit/log/evidence-keys.ts'

export interface CosignRequest {
  /** The prefix before `/add-checkpoint`. */
  readonly url: string
  readonly key: NoteKey
  readonly note: string
  /** The hashes of all leaves at the checkpoint. */
  readonly hashes: readonly Uint8Array[]
  /** The size that the witness has seen last, as far as it is known here. */
  readonly oldSize: number
}

const timeoutMs = 20_000
const maxResponseBytes = 64 * 1024

/** Asks a witness to co-sign a checkpoint, with the proof that it continues the one before. @returns the line of the co-signature. Source: C2SP tlog-witness. */
export async function requestCosignature(http: Pick<GuardedFetch, 'request'>, wanted: CosignRequest, signal: AbortSignal): Promise<string> {
  const first = await post(http, wanted, wanted.oldSize, signal)
  // Its state is newer or older than the one that we know.
  const reply = first.status === 409 ? await post(http, wanted, conflictSize(first.text, wanted), signal) : first
  if (reply.status !== 200) throw new Error(`the witness ${wanted.key.name} replied with status ${reply.status}`)
  const text = parseCheckpoint(wanted.note)?.text ?? ''
  const line = reply.text.split('\n').find((one) => cosignedAt(sha256, verifyEd25519, wanted.key, text, one) !== undefined)
  if (line === undefined) throw new Error(`the reply of the witness ${wanted.key.name} has no valid co-signature`)
  return line
}

/** A witness that has seen more than there is has seen another history, or this database was restored from a backup. */
function conflictSize(text: string, { key, hashes }: CosignRequest): number {
  const size = /^\d{1,15}\n?$/.test(text) ? Number(text) : Number.NaN
  if (size <= hashes.length) return size
  throw new Error(`the witness ${key.name} has seen ${text.trim().slice(0, 20)} anchors, and there are ${hashes.length}`)
}

async function post(http: Pick<GuardedFetch, 'request'>, { url, note, hashes }: CosignRequest, oldSize: number, signal: AbortSignal) {
  const proof = oldSize === 0 ? [] : proveConsistency(sha256, hashes, oldSize)
  const lines = [`old ${oldSize}`, ...proof.map((hash) => Buffer.from(hash).toString('base64'))]
  const { status, body } = await http.request(
    {
      method: 'POST',
      url: `${url}/add-checkpoint`,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: `${lines.join('\n')}\n\n${note}`,
      followRedirects: false,
      timeoutMs,
      maxResponseBytes,
    },
    signal,
  )
  return { status, text: Buffer.from(body).toString('utf8') }
}
