/** What the reference takes, in milliseconds of processor time, on the machine whose figures the tests name. */
const referenceMs = 12

/**
 * Measures processor time of this thread.
 * @returns gives the milliseconds since the call, as on the machine whose figures the tests name: on a slower or busier one a reference takes longer as well, and
 * the figure is divided by how much longer
 */
export function startProcessorTime(): () => number {
  const before = slowness()
  const started = process.threadCpuUsage()
  return () => {
    const { user } = process.threadCpuUsage(started)
    return user / 1_000 / Math.max(1, before, slowness())
  }
}

/** How many times as long as on that machine this thread needs now. */
export function slowness(): number {
  const started = process.threadCpuUsage()
  reference()
  return process.threadCpuUsage(started).user / 1_000 / referenceMs
}

/** Works as interpreters do: it makes small objects, and finds them again. */
function reference(): number {
  const known = new Map<string, { readonly at: number }>()
  let sum = 0
  for (let at = 0; at < 200_000; at++) {
    const key = `key ${at % 5_000}`
    sum += known.get(key)?.at ?? 0
    known.set(key, { at })
  }
  return sum
}
