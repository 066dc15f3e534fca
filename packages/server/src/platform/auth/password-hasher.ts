import { hash, verify } from '@node-rs/argon2'
import { Fault } from '@millrace/contract'

/** Cost of Argon2id: memory in KiB, passes, lanes. */
export interface PasswordCost {
  readonly memoryKib: number
  readonly passes: number
  readonly lanes: number
}

/** Above OWASP's least (19 MiB, 2 passes) and beside RFC 9106's second choice (64 MiB, 3 passes): 57 ms on our machine of measurement. */
export const passwordCostDefault: PasswordCost = { memoryKib: 64 * 1024, passes: 3, lanes: 1 }

export interface PasswordHasherOptions {
  readonly cost?: PasswordCost
  /** Hashes computed at the same time: each takes `memoryKib` and a thread. */
  readonly concurrencyMax?: number
  /** Callers that may wait for their turn; beyond, a Fault `overloaded`. */
  readonly waitingMax?: number
}

/** Hashes passwords and checks them. */
export interface PasswordHasher {
  hash(password: string): Promise<string>
  /** Without a hash (no such user, or one without a password) it works as long and answers false. */
  verify(hash: string | undefined, password: string): Promise<boolean>
  /** True when a hash was made with another cost than today's. */
  isOutdated(hash: string): boolean
}

/** Makes a hasher of Argon2id. The password is taken as it came: no trimming, no folding, no truncation. */
export function createPasswordHasher(options: PasswordHasherOptions = {}): PasswordHasher {
  const { cost = passwordCostDefault, concurrencyMax = 2, waitingMax = 64 } = options
  const settings = { memoryCost: cost.memoryKib, timeCost: cost.passes, parallelism: cost.lanes }
  const head = `$argon2id$v=19$m=${cost.memoryKib},t=${cost.passes},p=${cost.lanes}$`
  const gate = createGate(concurrencyMax, waitingMax)
  let decoy: Promise<string> | undefined

  return {
    hash: (password) => gate(() => hash(password, settings)),
    async verify(known, password) {
      // Made beforehand for both cases, so that the first request of a process for an unknown address takes no longer either.
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
      await new Promise<void>((resolve) => waiting.push(resolve)) // Whoever ends hands its place over.
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
