/** The fields of a cron expression in order, with their bounds and the names that stand for numbers. */
const fields = [
  { name: 'minute', min: 0, max: 59, names: [] },
  { name: 'hour', min: 0, max: 23, names: [] },
  { name: 'day of month', min: 1, max: 31, names: [] },
  { name: 'month', min: 1, max: 12, names: ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'] },
  { name: 'day of week', min: 0, max: 7, names: ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] },
] as const

type Field = (typeof fields)[number]

const nicknames: ReadonlySet<string> = new Set(['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'])

export interface CronProblem {
  readonly message: string
  readonly hint: string
}

/** What is wrong with a cron expression of five fields (POSIX, with names, ranges, steps and nicknames), or undefined. */
export function cronProblem(expression: string): CronProblem | undefined {
  const trimmed = expression.trim()
  if (nicknames.has(trimmed)) return undefined
  const parts = trimmed.split(/\s+/)
  if (trimmed === '' || parts.length !== fields.length) {
    const hint = 'Write minute, hour, day of month, month and day of week, for example "0 6 * * MON-FRI", or a nickname such as @daily.'
    return { message: `A cron expression has five fields, and this has ${trimmed === '' ? 0 : parts.length}.`, hint }
  }
  for (const [index, field] of fields.entries()) {
    for (const entry of (parts[index] ?? '').split(',')) {
      const found = entryProblem(field, entry)
      if (found !== undefined) return found
    }
  }
  return undefined
}

function entryProblem(field: Field, entry: string): CronProblem | undefined {
  const hint = `The ${field.name} takes ${field.min} to ${field.max}${field.names.length > 0 ? `, ${field.names[0]} to ${field.names.at(-1)}` : ''}, *, ranges such as ${field.min}-${field.min + 4} and steps such as */2.`
  const match = /^(?:(\*)|(\w+)(?:-(\w+))?)(?:\/(\d+))?$/.exec(entry)
  if (match === null) return { message: `${JSON.stringify(entry)} is not an entry of the field ${field.name}.`, hint }
  const [, star, low, high, step] = match
  if (step !== undefined && (Number(step) < 1 || Number(step) > field.max))
    return { message: `The step /${step} of the field ${field.name} is out of range.`, hint }
  if (star !== undefined) return undefined
  const [from, to] = [numberOf(field, low ?? ''), high === undefined ? undefined : numberOf(field, high)]
  if (from === undefined || (high !== undefined && to === undefined)) {
    return { message: `${JSON.stringify(entry)} is outside of the field ${field.name}.`, hint }
  }
  if (to !== undefined && to < from)
    return { message: `The range ${JSON.stringify(entry)} of the field ${field.name} runs backwards.`, hint }
  return undefined
}

function numberOf(field: Field, written: string): number | undefined {
  const named = field.names.findIndex((name) => name === written.toUpperCase())
  if (named !== -1) return named + field.min
  const value = /^\d{1,2}$/.test(written) ? Number(written) : -1
  return value >= field.min && value <= field.max ? value : undefined
}
