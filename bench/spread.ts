/** Minimum, median and maximum of several rounds. */
export interface Spread {
  readonly min: number
  readonly median: number
  readonly max: number
}

export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (index: number) => sorted[index] ?? Number.NaN
  return { min: at(0), median: at(Math.floor(sorted.length / 2)), max: at(sorted.length - 1) }
}

export function showRate({ min, median, max }: Spread): string {
  return `${Math.round(median)}/s (${Math.round(min)} to ${Math.round(max)})`
}

export function showMs({ min, median, max }: Spread): string {
  return `${median.toFixed(2)} ms (${min.toFixed(2)} to ${max.toFixed(2)})`
}
