/** Milliseconds for which a walk keeps the page busy at a time. */
const sliceMs = 12
const fuel = 20_000
/** One expression may take so long. */
const interruptMs = 3000

interface Turn {
  fuel: number
  readonly interruptMs: number
  isOver(): boolean
  readonly elapsed: () => number
  tryBegin(): boolean
}

/** Walks to the end in short slices, so that the page answers meanwhile. Rejects for an expression that takes too long here. */
export async function inSlices<T, S extends { readonly kind: string }>(
  begin: (turn: Turn) => Generator<S, T, undefined>,
  elapsed = () => performance.now(),
): Promise<T> {
  let endsAt = elapsed() + sliceMs
  const turn: Turn = {
    fuel: 0,
    interruptMs,
    isOver() {
      turn.fuel = fuel
      return elapsed() > endsAt
    },
    elapsed,
    tryBegin: () => true,
  }
  const walk = begin(turn)
  for (let step = walk.next(); ; step = walk.next()) {
    if (step.done === true) return step.value
    if (step.value.kind === 'compute') throw new Error('an expression takes too long for this device')
    await new Promise((resolve) => setTimeout(resolve))
    endsAt = elapsed() + sliceMs
  }
}
