import { hash, verify } from '@node-rs/argon2'
import { Fault } from '@millrace/contract'
import type { IsBreached } from './breached-passwords.ts'

/** Cost of Argon2id: memory in KiB, passes, lanes. */
export interface PasswordCost {
  readonly memoryKib: number
  readonly passes: number
  readonly lanes: number
}

/** The second recommendation of RFC 9106 (64 MiB, 3 passes), above the minimum of OWASP (19 MiB, 2 passes): 57 ms on the machine of docs/performance.md. */
export const passwordCostDefault: PasswordCost = { memoryKib: 64 * 1024, passes: 3, lanes: 1 }

export interface PasswordHasherOptions {
  readonly cost?: PasswordCost
  /** Hashes computed concurrently; each uses `memoryKib` and one thread. */
  readonly concurrencyMax?: number
  /** Whether a new password is in a set of breached ones. Default: there is no such set. */
  readonly isBreached?: IsBreached
  /** Callers that may wait; any more get a Fault `overloaded`. */
  readonly waitingMax?: number
}

/** Hashes and verifies passwords. */
export interface PasswordHasher {
  hash(password: string): Promise<string>
  /** Hashes a password that a user has just chosen; a Fault `password_unacceptable` for one that was breached. */
  hashNew(password: string): Promise<string>
  /** Without a hash (an unknown user, or one without a password) it takes the same time and returns false. */
  verify(hash: string | undefined, password: string): Promise<boolean>
  /** Whether a hash was made with another cost than the configured one. */
  isOutdated(hash: string): boolean
}

/** Makes a hasher of Argon2id. The password is hashed unchanged: no trimming, folding or truncation. */
export function createPasswordHasher(options: PasswordHasherOptions = {}): PasswordHasher {
  const { cost = passwordCostDefault, concurrencyMax = 2, waitingMax = 64, isBreached } = options
  const settings = { memoryCost: cost.memoryKib, timeCost: cost.passes, parallelism: cost.lanes }
  const head = `$argon2id$v=19$m=${cost.memoryKib},t=${cost.passes},p=${cost.lanes}$`
  const gate = createGate(concurrencyMax, waitingMax)
  let decoy: Promise<string> | undefined
  const hashed = (password: string) => gate(() => hash(password, settings))

  return {
    hash: hashed,
    async hashNew(password) {
      if ((await isBreached?.(password)) === true)
        throw new Fault('password_unacceptable', {
          errors: [{ pointer: '/password', detail: 'Was found in data of a breach, which attackers try first. Choose another one.' }],
        })
      return await hashed(password)
    },
    async verify(known, password) {
      // Made first in both cases, so that the first request of a process takes the same time for known and unknown users.
      const dummy = await (decoy ??= hash('no password has this hash', settings))
      const matches = await gate(() => verify(known ?? dummy, password))
      return known !== undefined && matches
    },
    isOutdated: (known) => !known.startsWith(head),
  }
}

function createGate(runningMax: number, waitingMax: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= runningMax) {
      if (waiting.length >= waitingMax) throw new Fault('overloaded', { retryAfterSeconds: 5 })
      await new Promise<void>((resolve) => waiting.push(resolve)) // A finished call passes its slot to the next.
    } else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
