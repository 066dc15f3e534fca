import { createHash } from 'node:crypto'
import { Fault } from '@millrace/contract'
import { rateSubject } from '#platform/http/rate-limit/rate-limit.ts'
import type { Executor } from './store.ts'
import { forgiveAttempt, type Forgiven, takeAttempt, type ThrottleRule } from './throttle-store.ts'

const daySeconds = 24 * 60 * 60
const delays = { delaySecondsFirst: 1, delaySecondsMax: 15 * 60, forgetSeconds: daySeconds }

/** An address may be shared by a whole office, so it has more free failures than an account. */
export interface ThrottleRules {
  readonly address: ThrottleRule
  readonly account: ThrottleRule
}

export const throttleRulesDefault: ThrottleRules = {
  address: { ...delays, freeFailures: 20 },
  account: { ...delays, freeFailures: 5 },
}

/** One attempt to sign in. */
export interface Attempt {
  /** Normalised; counted whether or not a user has it. */
  readonly email: string
  readonly ip: string
  /** Whether the user has signed in from this address before. */
  readonly isFamiliar: boolean
}

/** Throttles password guessing by address and by account. */
export interface Throttle {
  /** Counts an attempt before it is made; a Fault `rate_limited` when there were too many. */
  take(attempt: Attempt): Promise<void>
  /** Removes the count of a successful attempt. */
  forgive(attempt: Attempt): Promise<void>
  /** What `forgive` removes, for a statement that does more. */
  forgiven(attempt: Attempt): Forgiven
}

export interface ThrottleDeps {
  readonly db: Executor
  readonly now: () => Date
  readonly rules?: ThrottleRules
}

/**
 * Makes a throttle that counts in the database, so that restarts and further processes do not reset it.
 *
 * From an address where the user has signed in before, the account is counted for that address only, so that guessing from elsewhere cannot lock
 * the user out (ASVS 5.0, 6.1.1).
 */
export function createThrottle({ db, now, rules = throttleRulesDefault }: ThrottleDeps): Throttle {
  return {
    async take(attempt) {
      const at = now()
      const { address, account } = subjectsOf(attempt)
      const counted = [
        { subject: address, rule: rules.address },
        { subject: account, rule: rules.account },
      ]
      const { isCounted, until } = await takeAttempt(db, counted, at)
      if (!isCounted) throw tooMany(until === undefined ? 1000 : until.getTime() - at.getTime())
    },
    // The address keeps its other failures: otherwise an attacker could reset them by signing in to an account of their own between guesses.
    forgiven: (attempt) => ({ ...subjectsOf(attempt), at: now() }),
    forgive: (attempt) => forgiveAttempt(db, { ...subjectsOf(attempt), at: now() }),
  }
}

function subjectsOf({ email, ip, isFamiliar }: Attempt): { readonly address: string; readonly account: string } {
  const address = rateSubject(ip)
  const digest = createHash('sha256').update(email).digest('base64url')
  return { address: `address:${address}`, account: isFamiliar ? `account:${digest}:${address}` : `account:${digest}` }
}

function tooMany(waitMs: number): Fault {
  return new Fault('rate_limited', {
    detail: 'Too many failed sign-ins. Repeat after `Retry-After` seconds.',
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
  })
}
