import { pause } from '@millrace/engine'
import type { findChanged } from './change-store.ts'

export interface ChangeFeedDeps {
  readonly findChanged: (accountIds: readonly string[], from: bigint) => ReturnType<typeof findChanged>
  /** Extends the watch of an account. */
  readonly renew: (accountId: string) => Promise<unknown>
  readonly everyMs: number
  readonly renewMs: number
  readonly now: () => number
}

/** One stream that follows the changes of an account. */
export interface Follower {
  /** Transactions below this one have ended. */
  readonly settled: bigint
  /** Resolves when the account has changed since `from`, after `ms`, or when the signal aborts. */
  changed(from: bigint, ms: number, signal: AbortSignal): Promise<void>
  close(): void
}

export type ChangeFeed = ReturnType<typeof createChangeFeed>

interface Following {
  readonly accountId: string
  /** The last transaction below which this account had new changes. */
  changedTo: bigint
  wake: (() => void) | undefined
}

/** Looks for changes of all watched accounts in one statement at a time, and only while any is watched. */
export function createChangeFeed({ findChanged: find, renew, everyMs, renewMs, now }: ChangeFeedDeps) {
  const followers = new Set<Following>()
  const never = new AbortController().signal
  let settled = 0n
  let polling = false
  let renewedAt = now()

  async function poll(): Promise<void> {
    polling = true
    while (followers.size > 0) {
      await pause(everyMs, never)
      // While the database cannot be reached, streams stay open and the server's health shows the cause.
      await look().catch(() => undefined)
    }
    polling = false
  }

  async function look(): Promise<void> {
    const accountIds = [...new Set([...followers].map(({ accountId }) => accountId))]
    if (accountIds.length === 0) return
    if (now() - renewedAt >= renewMs) {
      renewedAt = now()
      await Promise.all(accountIds.map((accountId) => renew(accountId)))
    }
    const found = await find(accountIds, settled)
    settled = found.settled
    const [asked, changed] = [new Set(accountIds), new Set(found.changed)]
    for (const follower of followers) {
      // One that came meanwhile was not asked about, and may have changes up to here: it has to look itself.
      if (asked.has(follower.accountId) && !changed.has(follower.accountId)) continue
      follower.changedTo = settled
      follower.wake?.()
    }
  }

  return {
    /** Follows an account that is watched; `from` is a transaction below which all had ended. */
    follow(accountId: string, from: bigint): Follower {
      const following: Following = { accountId, changedTo: from, wake: undefined }
      followers.add(following)
      if (!polling) {
        settled = from
        void poll()
      }
      return {
        get settled() {
          return settled
        },
        async changed(since, ms, signal) {
          if (following.changedTo > since) return
          const woken = new AbortController()
          following.wake = () => woken.abort()
          await pause(ms, AbortSignal.any([woken.signal, signal]))
          following.wake = undefined
        },
        close: () => void followers.delete(following),
      }
    },
  }
}
