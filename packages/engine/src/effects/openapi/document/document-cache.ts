import { HttpCallError } from '#effects/http/http-call-error.ts'
import type { OpenApiDocument } from './document.ts'

/** A document with its validators for a conditional request, and its size. */
export interface LoadedDocument {
  readonly document: OpenApiDocument
  readonly etag: string | undefined
  /** Bytes of its text; the parsed form is a small multiple of it. */
  readonly bytes: number
}

/** Loads a document; gets the one that was there last, to give it back when it has not changed. */
export type LoadDocument = (stale: LoadedDocument | undefined) => Promise<LoadedDocument>

/** Documents that were read already. */
export interface DocumentCache {
  /**
   * Callers who ask for one document at once share one load and the error that it ends in, but not the fate of the caller who is
   * loading: when that one is cancelled, each loads for itself.
   */
  take(key: string, signal: AbortSignal, load: LoadDocument): Promise<OpenApiDocument>
}

export interface DocumentCacheOptions {
  readonly freshMs: number
  readonly entriesMax: number
  readonly bytesMax: number
}

export const defaultDocumentCache: DocumentCacheOptions = { freshMs: 300_000, entriesMax: 100, bytesMax: 16 * 1024 * 1024 }

interface Entry extends LoadedDocument {
  readonly freshUntilMs: number
}

/** Makes a cache in memory, of which the document longest unused goes first. A failed load is not kept. */
export function createDocumentCache(clock: () => number, options: DocumentCacheOptions = defaultDocumentCache): DocumentCache {
  const entries = new Map<string, Entry>()
  const loading = new Map<string, Promise<Entry>>()
  const put = (key: string, entry: Entry): void => {
    entries.delete(key)
    entries.set(key, entry)
    let bytes = [...entries.values()].reduce((sum, cached) => sum + cached.bytes, 0)
    for (const [oldest, cached] of entries) {
      if (entries.size <= options.entriesMax && bytes <= options.bytesMax) break
      entries.delete(oldest)
      bytes -= cached.bytes
    }
  }
  const load = async (key: string, make: LoadDocument): Promise<Entry> => {
    const entry = { ...(await make(entries.get(key))), freshUntilMs: clock() + options.freshMs }
    put(key, entry)
    return entry
  }
  const lead = (key: string, make: LoadDocument): Promise<Entry> => {
    const underway = load(key, make).finally(() => {
      if (loading.get(key) === underway) loading.delete(key)
    })
    loading.set(key, underway)
    return underway
  }
  return {
    take: async (key, signal, make) => {
      const present = entries.get(key)
      if (present !== undefined && present.freshUntilMs > clock()) {
        put(key, present)
        return present.document
      }
      const underway = loading.get(key)
      const shared = underway === undefined ? undefined : await outcomeOf(underway, signal)
      return (shared ?? (await lead(key, make))).document
    },
  }
}

/** The result of another caller's load; undefined when that was aborted. A cancelled caller does not wait for it. */
async function outcomeOf(underway: Promise<Entry>, signal: AbortSignal): Promise<Entry | undefined> {
  signal.throwIfAborted()
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const stop = () => resolve(undefined)
  signal.addEventListener('abort', stop, { once: true })
  try {
    const entry = await Promise.race([underway.catch(unlessCallFailed), promise])
    signal.throwIfAborted()
    return entry
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

function unlessCallFailed(error: unknown): undefined {
  if (error instanceof HttpCallError) throw error
}
