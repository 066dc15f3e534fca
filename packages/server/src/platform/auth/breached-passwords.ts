import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { Fault } from '@millrace/contract'
import type { GuardedFetch } from '#platform/net/guarded-fetch.ts'

/** Where breached passwords are looked up: a file with their hashes, or a service that knows them. */
export type BreachedSource = { readonly kind: 'file'; readonly path: string } | { readonly kind: 'service'; readonly url: string }

/** Whether a password is in a set of breached ones. Throws a Fault `overloaded` when that cannot be found out. */
export type IsBreached = (password: string) => Promise<boolean>

export function createBreachedPasswords(
  source: BreachedSource,
  http: Pick<GuardedFetch, 'request'>,
  onError: (error: unknown) => void,
): IsBreached {
  const find =
    source.kind === 'file' ? (hash: string) => isInFile(source.path, hash) : (hash: string) => isAtService(source.url, hash, http)
  return async (password) => {
    const hash = createHash('sha1').update(password).digest('hex').toUpperCase()
    try {
      return await find(hash)
    } catch (error) {
      onError(error)
      throw new Fault('overloaded', {
        detail: 'Millrace cannot check now whether this password was breached. Try again later. The log of the server says why.',
        retryAfterSeconds: 30,
        cause: error,
      })
    }
  }
}

const prefixLength = 5
const serviceTimeoutMs = 10_000
const serviceBytesMax = 1024 * 1024

/**
 * Asks a range service, as that of Have I Been Pwned is: it learns the first 5 of 40 digits of the hash, and answers with the rest of every hash that begins so.
 * Added rows with the count 0 hide how many there are.
 */
async function isAtService(url: string, hash: string, http: Pick<GuardedFetch, 'request'>): Promise<boolean> {
  const request = {
    method: 'GET',
    url: `${url.replace(/\/$/, '')}/${hash.slice(0, prefixLength)}`,
    headers: { 'add-padding': 'true', 'user-agent': 'millrace' },
    followRedirects: false,
    timeoutMs: serviceTimeoutMs,
    maxResponseBytes: serviceBytesMax,
  }
  const { status, body } = await http.request(request, AbortSignal.timeout(serviceTimeoutMs))
  if (status !== 200) throw new Error(`the service of breached passwords responded ${status}`)
  const rest = hash.slice(prefixLength)
  return Buffer.from(body)
    .toString('latin1')
    .split('\n')
    .some((line) => {
      const [suffix = '', count = ''] = line.trim().split(':')
      return suffix.toUpperCase() === rest && count !== '0'
    })
}

/** Longer than a line: 40 digits, a colon, a count, the end of the line. */
const lineBytesMax = 128

/** Searches lines of `HASH` or `HASH:COUNT` that are ordered by hash. It reads some 30 blocks of a file of any size. */
async function isInFile(path: string, hash: string): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    let low = 0
    let high = (await file.stat()).size
    // The line that begins at or after `low` and before `high` is searched.
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const line = await lineFrom(file, middle)
      if (line === undefined || line.start >= high) {
        high = middle
        continue
      }
      if (line.hash === hash) return true
      if (line.hash < hash) low = line.start + line.hash.length
      else high = middle
    }
    return false
  } finally {
    await file.close()
  }
}

/** The first line that begins at an offset or after it; `undefined` after the last one. */
async function lineFrom(file: FileHandle, offset: number): Promise<{ readonly start: number; readonly hash: string } | undefined> {
  // One byte earlier, to see whether a line begins exactly at the offset.
  const from = Math.max(0, offset - 1)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(2 * lineBytesMax), 0, 2 * lineBytesMax, from)
  const text = buffer.toString('latin1', 0, bytesRead)
  const begins = offset === 0 ? 0 : text.indexOf('\n') + 1
  if (offset > 0 && begins === 0) return undefined
  const found = /^[0-9A-Fa-f]{40}(?=[:\r\n]|$)/.exec(text.slice(begins))?.[0]
  if (found !== undefined) return { start: from + begins, hash: found.toUpperCase() }
  if (text.slice(begins).trim() === '') return undefined
  throw new Error('the file of breached passwords has a line that does not begin with a SHA-1 in hexadecimal')
}
