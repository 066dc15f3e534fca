/** Draws the same values for the same seed. */
export interface Random {
  /** From 0 up to `below`, which it never is. */
  int(below: number): number
  chance(probability: number): boolean
  pick<T>(values: readonly [T, ...T[]]): T
}

/** Makes draws for one of many cases: each is the same however many come before it. Source: mulberry32 by T. Ettinger (public domain). */
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
