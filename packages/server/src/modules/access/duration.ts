const unitsMs = { W: 604_800_000, D: 86_400_000, H: 3_600_000, M: 60_000, S: 1000 }

/** Milliseconds of a duration as the contract lets it through: weeks, or days and time, without years and months. */
export function durationMs(iso: string): number {
  let sum = 0
  for (const [, amount, unit] of iso.matchAll(/(\d+(?:\.\d+)?)([WDHMS])/g)) {
    if (unit === 'W' || unit === 'D' || unit === 'H' || unit === 'M' || unit === 'S') sum += Number(amount) * unitsMs[unit]
  }
  return sum
}
