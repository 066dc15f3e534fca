/** The fields of a cron expression in order, with their bounds and the names of numbers. */
const fields = [
  { name: 'minute', min: 0, max: 59, names: [] },
  { name: 'hour', min: 0, max: 23, names: [] },
  { name: 'day of month', min: 1, max: 31, names: [] },
  { name: 'month', min: 1, max: 12, names: ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'] },
  { name: 'day of week', min: 0, max: 7, names: ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] },
] as const

type Field = (typeof fields)[number]

const nicknames: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
])

/** The times of a cron expression: the values of each field, ascending. */
export interface Cron {
  readonly minutes: readonly number[]
  readonly hours: readonly number[]
  readonly daysOfMonth: readonly number[]
  /** From 1. */
  readonly months: readonly number[]
  /** From 0, which is Sunday, to 6. */
  readonly daysOfWeek: readonly number[]
  /** `either` when neither field of days begins with `*`: a day must match one of them. Otherwise it must match `both` (as in Vixie's cron). */
  readonly days: 'both' | 'either'
}

export interface CronProblem {
  readonly code: 'invalid_cron' | 'impossible_cron'
  readonly message: string
  readonly hint: string
}

const zoneHint = 'Write the zone in the metadata of the document: document: { …, metadata: { timeZone: Europe/Berlin } }.'

/** Reads a cron expression of five fields (POSIX, with names, ranges, steps and nicknames), or returns its problem. */
export function readCron(expression: string): Cron | CronProblem {
  const trimmed = expression.trim()
  const parts = (nicknames.get(trimmed) ?? trimmed).split(/\s+/)
  if (trimmed === '' || parts.length !== fields.length) {
    const zone = /^(?:CRON_)?TZ=/.test(trimmed)
    if (zone) return { code: 'invalid_cron', message: 'A cron expression has no time zone.', hint: zoneHint }
    const hint = 'Write minute, hour, day of month, month and day of week, for example "0 6 * * MON-FRI", or a nickname such as @daily.'
    const message = `A cron expression has five fields, and this has ${trimmed === '' ? 0 : parts.length}.`
    return { code: 'invalid_cron', message, hint }
  }
  const values: number[][] = []
  for (const [index, field] of fields.entries()) {
    const read = readField(field, parts[index] ?? '')
    if ('message' in read) return { code: 'invalid_cron', ...read }
    values.push(read)
  }
  const [minutes = [], hours = [], daysOfMonth = [], months = [], daysOfWeek = []] = values
  const days = [parts[2], parts[4]].some((part) => part?.startsWith('*') === true) ? 'both' : 'either'
  const cron = { minutes, hours, daysOfMonth, months, daysOfWeek: ascending(daysOfWeek.map((day) => day % 7)), days } as const
  return occurs(cron) ? cron : impossible(expression)
}

/** The problem of a cron expression; undefined when it is valid. */
export function cronProblem(expression: string): CronProblem | undefined {
  const read = readCron(expression)
  return 'code' in read ? read : undefined
}

const longestMonths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Whether any day matches: every existing date falls on every day of the week in some year, 29 February as well. */
function occurs({ daysOfMonth, months, days }: Cron): boolean {
  return days === 'either' || months.some((month) => (daysOfMonth[0] ?? 1) <= (longestMonths[month - 1] ?? 31))
}

function impossible(expression: string): CronProblem {
  const shown = expression.length > 60 ? `${expression.slice(0, 57)}…` : expression
  const message = `${JSON.stringify(shown)} never comes: no month that it names has such a day.`
  return { code: 'impossible_cron', message, hint: 'Write a day of month that one of the months has.' }
}

type EntryProblem = Omit<CronProblem, 'code'>

function readField(field: Field, written: string): number[] | EntryProblem {
  const values: number[] = []
  for (const entry of written.split(',')) {
    const read = readEntry(field, entry)
    if ('message' in read) return read
    for (let value = read.from; value <= read.to; value += read.step) values.push(value)
  }
  return ascending(values)
}

function ascending(values: readonly number[]): number[] {
  return [...new Set(values)].toSorted((one, other) => one - other)
}

interface Entry {
  readonly from: number
  readonly to: number
  readonly step: number
}

function readEntry(field: Field, entry: string): Entry | EntryProblem {
  const hint = `The ${field.name} takes ${field.min} to ${field.max}${field.names.length > 0 ? `, ${field.names[0]} to ${field.names.at(-1)}` : ''}, *, ranges such as ${field.min}-${field.min + 4} and steps such as */2.`
  const match = /^(?:(\*)|(\w+)(?:-(\w+))?)(?:\/(\d+))?$/.exec(entry)
  if (match === null) return { message: `${JSON.stringify(entry)} is not an entry of the field ${field.name}.`, hint }
  const [, star, low, high, written] = match
  const step = Number(written ?? 1)
  if (step < 1 || step > field.max) return { message: `The step /${written} of the field ${field.name} is out of range.`, hint }
  // Sunday has two numbers in the day of week, which has seven days.
  if (star !== undefined) return { from: field.min, to: field.name === 'day of week' ? 6 : field.max, step }
  const [from, to] = [numberOf(field, low ?? ''), high === undefined ? undefined : numberOf(field, high)]
  if (from === undefined || (high !== undefined && to === undefined)) {
    return { message: `${JSON.stringify(entry)} is outside of the field ${field.name}.`, hint }
  }
  if (to !== undefined && to < from)
    return { message: `The range ${JSON.stringify(entry)} of the field ${field.name} runs backwards.`, hint }
  // A step after a single number counts from it to the end of the field.
  return { from, to: to ?? (written === undefined ? from : field.max), step }
}

function numberOf(field: Field, written: string): number | undefined {
  const named = field.names.findIndex((name) => name === written.toUpperCase())
  if (named !== -1) return named + field.min
  const value = /^\d{1,2}$/.test(written) ? Number(written) : -1
  return value >= field.min && value <= field.max ? value : undefined
}
