/** Steps to compile one character of a pattern; more with case folding. */
const characterSteps = 5
/** Steps for one instruction of a counted repetition. */
const copySteps = 5
/** Steps for a class of the Unicode tables. */
const tableSteps = 800
/** Case folding looks at the characters of a range one by one; so many looks count as a step. */
const foldsPerStep = 8

interface Level {
  /** Instructions of everything in the group but the last atom. */
  total: number
  last: number
}

/**
 * Estimates from its source how long the engine takes to compile a pattern. Counted repetitions are written out, so `(a{100}){10}` is
 * a thousand instructions.
 */
export interface PatternCost {
  /** One more atom: a character, a class or an anchor. */
  atom(): void
  open(): void
  close(): void
  /** The last atom so many times. */
  repeat(count: number): void
  /** A class out of the tables of Unicode. */
  table(): void
  /** A range inside a class. */
  range(from: number, to: number): void
  steps(): number
}

export function createPatternCost(folds: boolean): PatternCost {
  const factor = folds ? 2 : 1
  const levels: Level[] = []
  let top: Level = { total: 0, last: 0 }
  let steps = 16
  const add = (instructions: number): void => {
    top.total += top.last
    top.last = instructions
    steps += characterSteps * factor
  }
  const close = (): void => {
    const inner = top.total + top.last
    top = levels.pop() ?? { total: 0, last: 0 }
    add(inner)
  }
  return {
    atom: () => add(1),
    open() {
      levels.push(top)
      top = { total: 0, last: 0 }
      steps += characterSteps
    },
    close,
    repeat(count) {
      steps += copySteps * Math.max(count - 1, 0) * (top.last + 1)
      top.last *= Math.max(count, 1)
    },
    table() {
      steps += tableSteps * factor
    },
    range(from, to) {
      if (folds && to > from) steps += (to - from) / foldsPerStep
    },
    steps: () => Math.ceil(steps),
  }
}
