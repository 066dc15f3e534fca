const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Calendar units have no length of their own: a month counts 30 days and a year 365 (docs/dsl.md). */
const isoUnits = [365 * day, 30 * day, 7 * day, day, hour, minute, second] as const

const isoPattern =
  /^P(?!$)(?:(\d+(?:\.\d+)?)Y)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)W)?(?:(\d+(?:\.\d+)?)D)?(?:T(?=\d)(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/

const partUnits = {
  days: day,
  hours: hour,
  minutes: minute,
  seconds: second,
  milliseconds: 1,
} as const

/** The names of the parts of a duration that is written as an object. */
export type DurationPart = keyof typeof partUnits

/**
 * A duration in milliseconds, rounded to whole ones.
 *
 * Takes an ISO 8601 duration or an object of parts; a runtime expression must be evaluated first. Throws RangeError for anything else.
 */
export function parseDuration(duration: string | { readonly [Part in DurationPart]?: number }): number {
  const milliseconds = durationMs(duration)
  if (milliseconds === undefined) throw new RangeError(`${JSON.stringify(duration)} is not a duration; write PT30S or { seconds: 30 }.`)
  return milliseconds
}

/** The same for data of unknown shape; undefined when it is not a duration, or too long to be counted exactly. */
export function durationMs(value: unknown): number | undefined {
  if (typeof value === 'string') return isoMs(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const parts = Object.entries(value)
  let total = 0
  for (const [name, amount] of parts) {
    const unit = isPartName(name) ? partUnits[name] : undefined
    if (unit === undefined || typeof amount !== 'number' || !Number.isInteger(amount) || amount < 0) return undefined
    total += amount * unit
  }
  return parts.length > 0 && Number.isSafeInteger(total) ? total : undefined
}

const shortUnits: Readonly<Record<string, (amount: number) => string>> = {
  ms: (amount) => `PT${amount / 1000}S`,
  s: (amount) => `PT${amount}S`,
  m: (amount) => `PT${amount}M`,
  h: (amount) => `PT${amount}H`,
  d: (amount) => `P${amount}D`,
  w: (amount) => `P${amount}W`,
}

/** The ISO 8601 duration that a text or a number most likely means, such as PT30S for `30s` and PT5M30S for `P5M30S`; undefined when it means none. */
export function meantDuration(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isInteger(value) && value > 0 && value <= 600 ? `PT${value}S` : undefined
  if (typeof value !== 'string' || value.length > 40) return undefined
  const [, amount, unit = 's'] = /^(\d{1,9}) ?(ms|[smhdw]|(?:sec|min|hr|hour|day|week|second|minute)s?)?$/i.exec(value) ?? []
  if (amount !== undefined) return shortUnits[unit.toLowerCase() === 'ms' ? 'ms' : unit.charAt(0).toLowerCase()]?.(Number(amount))
  const [, days = '', times] = /^PT?(\d+D)?T?((?:\d+[HMS])+)$/.exec(value.toUpperCase()) ?? []
  const repaired = times === undefined ? value.toUpperCase() : `P${days}T${times}`
  return isoMs(repaired) === undefined || isoMs(value) !== undefined ? undefined : repaired
}

function isPartName(name: string): name is DurationPart {
  return Object.hasOwn(partUnits, name)
}

function isoMs(text: string): number | undefined {
  const match = isoPattern.exec(text)
  if (match === null) return undefined
  let total = 0
  for (const [index, unit] of isoUnits.entries()) total += Number(match[index + 1] ?? 0) * unit
  const rounded = Math.round(total)
  return Number.isSafeInteger(rounded) ? rounded : undefined
}
