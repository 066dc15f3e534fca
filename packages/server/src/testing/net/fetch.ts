import { afterEach } from 'vitest'
import { createGuardedFetch, type GuardedFetch, type GuardedFetchOptions, type OutgoingRequest } from '#platform/net/guarded-fetch.ts'
import type { NetError } from '#platform/net/net-error.ts'

/** Closes whatever a test opened; used once at the top of a test file. */
export function closeAfterEach(): <T extends { close(): Promise<void> }>(resource: T) => T {
  const opened: { close(): Promise<void> }[] = []
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((resource) => resource.close()))
  })
  return (resource) => {
    opened.push(resource)
    return resource
  }
}

/** A guarded fetch that may reach loopback addresses, unless the options say otherwise. */
export function openFetch(options: Partial<GuardedFetchOptions> = {}): GuardedFetch {
  return createGuardedFetch({ allow: ['127.0.0.0/8'], ...options })
}

export function get(url: string, more: Partial<OutgoingRequest> = {}): OutgoingRequest {
  return { method: 'GET', url, headers: {}, followRedirects: false, timeoutMs: 5_000, maxResponseBytes: 100_000, ...more }
}

export const never = new AbortController().signal

/** The reason why a request failed; throws when it did not. */
export async function reasonOf(requesting: Promise<unknown>): Promise<NetError['reason'] | undefined> {
  const [outcome] = await Promise.allSettled([requesting])
  if (outcome.status === 'rejected') return Object(outcome.reason).reason
  throw new Error('the request did not fail', { cause: outcome.value })
}

export const text = (body: Uint8Array): string => Buffer.from(body).toString()
