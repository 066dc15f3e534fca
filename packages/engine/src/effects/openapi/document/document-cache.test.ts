import { describe, expect, test } from 'vitest'
import { HttpCallError } from '#effects/http/http-call-error.ts'
import type { OpenApiDocument } from './document.ts'
import { createDocumentCache, type LoadedDocument } from './document-cache.ts'

const live = new AbortController().signal
const document = (url: string): OpenApiDocument => ({ version: 3, root: {}, url, operations: new Map(), unresolvedPaths: [] })
const loaded = (url: string, bytes = 10): LoadedDocument => ({ document: document(url), etag: `"${url}"`, bytes })

function cacheOf(options: { entriesMax?: number; bytesMax?: number } = {}) {
  const clock = { now: 0 }
  const loads: string[] = []
  const cache = createDocumentCache(() => clock.now, { freshMs: 100, entriesMax: 3, bytesMax: 100, ...options })
  const take = async (key: string, bytes = 10) => {
    const taken = await cache.take(key, live, async () => {
      loads.push(key)
      return loaded(key, bytes)
    })
    return taken.url
  }
  return { clock, loads, cache, take }
}

test('a document is loaded once while it is fresh, and again after', async () => {
  const { clock, loads, take } = cacheOf()
  await take('a')
  clock.now = 99
  await take('a')
  expect(loads).toEqual(['a'])
  clock.now = 100
  await take('a')
  expect(loads).toEqual(['a', 'a'])
})

test('the load gets what was there, and what it gives back is fresh again', async () => {
  const { clock, cache } = cacheOf()
  const first = loaded('a')
  await cache.take('a', live, async () => first)
  clock.now = 150
  let stale: LoadedDocument | undefined
  const load = async (cached: LoadedDocument | undefined) => {
    stale = cached
    return cached ?? loaded('other')
  }
  expect(await cache.take('a', live, load)).toBe(first.document)
  expect(stale?.etag).toBe('"a"')
  clock.now = 249
  await cache.take('a', live, () => Promise.reject(new Error('it was loaded although it is fresh')))
})

test('of too many documents the one longest unused goes', async () => {
  const { loads, take } = cacheOf()
  for (const key of ['a', 'b', 'c', 'a', 'd', 'a', 'b']) await take(key)
  expect(loads).toEqual(['a', 'b', 'c', 'd', 'b'])
})

test('of too many bytes the documents longest unused go', async () => {
  const { loads, take } = cacheOf()
  await take('a', 40)
  await take('b', 40)
  await take('c', 60)
  await take('b')
  await take('c')
  await take('a')
  expect(loads).toEqual(['a', 'b', 'c', 'a'])
})

test('a document larger than all that is kept is given and not kept', async () => {
  const { loads, take } = cacheOf()
  expect(await take('a', 101)).toBe('a')
  await take('a', 101)
  expect(loads).toEqual(['a', 'a'])
})

describe('callers at once', () => {
  const open = () => {
    const { promise, resolve, reject } = Promise.withResolvers<LoadedDocument>()
    return { promise, resolve, reject }
  }

  test('share one load', async () => {
    const { cache } = cacheOf()
    const gate = open()
    const first = cache.take('a', live, () => gate.promise)
    const second = cache.take('a', live, () => Promise.reject(new Error('a second load')))
    gate.resolve(loaded('a'))
    expect(await second).toBe(await first)
  })

  test('share the error that a call ends in', async () => {
    const { cache } = cacheOf()
    const gate = open()
    const first = cache.take('a', live, () => gate.promise)
    const second = cache.take('a', live, () => Promise.reject(new Error('a second load')))
    gate.reject(new HttpCallError('communication', 'gone'))
    await expect(first).rejects.toThrow('gone')
    await expect(second).rejects.toThrow('gone')
  })

  test('do not share that the one who loads is cancelled', async () => {
    const { cache } = cacheOf()
    const gate = open()
    const first = cache.take('a', live, () => gate.promise)
    const second = cache.take('a', live, async () => loaded('b'))
    gate.reject(new Error('cancelled'))
    await expect(first).rejects.toThrow('cancelled')
    expect((await second).url).toBe('b')
  })

  test('do not wait when they are cancelled themselves', async () => {
    const { cache } = cacheOf()
    const gate = open()
    const controller = new AbortController()
    const first = cache.take('a', live, () => gate.promise)
    const second = cache.take('a', controller.signal, () => Promise.reject(new Error('a second load')))
    controller.abort(new Error('cancelled'))
    await expect(second).rejects.toThrow('cancelled')
    gate.resolve(loaded('a'))
    expect((await first).url).toBe('a')
  })

  test('for different documents load each its own', async () => {
    const { loads, take } = cacheOf()
    await Promise.all([take('a'), take('b')])
    expect(loads).toEqual(['a', 'b'])
  })
})

test('a failed load is tried again by the next', async () => {
  const { cache, take } = cacheOf()
  await expect(cache.take('a', live, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await take('a')).toBe('a')
})
