import { createRequire } from 'node:module'
import type * as undici from 'undici'

type Undici = Pick<typeof undici, 'fetch' | 'Pool'>

let loaded: Undici | undefined

/** Loads undici, a hundred files, at the first request to the outside: a server starts without it. */
export function loadUndici(): Undici {
  if (loaded !== undefined) return loaded
  const library: Undici = createRequire(import.meta.url)('undici')
  loaded = library
  return library
}
