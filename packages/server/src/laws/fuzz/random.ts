/** A source of pseudo-random values that depend only on its seed. */
export interface Random {
  /** An integer of at least 0 and less than `below`. */
  int(below: number): number
  chance(probability: number): boolean
  pick<T>(values: readonly [T, ...T[]]): T
}

/** Makes the source for one of many cases, independent of all others. Algorithm: mulberry32 by T. Ettinger (public domain). */
export function createRandom(seed: number, index: number): Random {
  let state = Math.imul(seed ^ Math.imul(index + 1, 0x9e37_79b1), 0x85eb_ca6b) >>> 0
  const next = (): number => {
    state = (state + 0x6d2b_79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (below: number) => Math.floor(next() * below)
  return {
    int,
    chance: (probability) => next() < probability,
    pick: (values) => values[int(values.length)] ?? values[0],
  }
}

/** The same source in which nothing unlikely happens: requests made from it are valid as far as the description says what is valid. */
export function likelyOnly(random: Random): Random {
  return { ...random, chance: (probability) => probability > 0.5 }
}
