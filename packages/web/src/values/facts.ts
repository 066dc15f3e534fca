import { calendarKind, readableName } from '@millrace/contract'
import { m } from '#src/messages/messages.ts'
import { day, exactTime, readableNumber } from '#src/values/format.ts'

/** A value of some data as people read it. */
interface Fact {
  readonly path: string
  readonly label: string
  readonly value: unknown
}

/** The members of an object, those of objects in it by their path. Undefined for other values and for an object with lists of lists or of objects. */
export function factsOf(data: unknown): readonly Fact[] | undefined {
  const facts = isObject(data) ? membersOf(data, '', '') : []
  return facts.length === 0 || facts.some(({ value }) => isNested(value)) ? undefined : facts
}

function membersOf(data: object, path: string, label: string): readonly Fact[] {
  return Object.entries(data).flatMap(([name, value]: [string, unknown]) => {
    const fact: Fact = { path: `${path}/${name}`, label: label === '' ? readableName(name) : `${label} › ${readableName(name)}`, value }
    const inner = isObject(value) ? membersOf(value, fact.path, fact.label) : []
    return inner.length === 0 ? [isObject(value) ? { ...fact, value: null } : fact] : inner
  })
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)
const isNested = (value: unknown): boolean => Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null)

/** A value without objects for people: dates and times by their calendar and clock, numbers with few decimals. */
export function readableValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(readableValue).join(', ') || '–'
  if (value === null || value === '') return '–'
  if (typeof value === 'boolean') return value ? m.common.yes : m.common.no
  if (typeof value === 'number') return readableNumber(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const kind = calendarKind(text)
  return kind === undefined ? text : kind === 'date' ? day(text) : exactTime(text)
}
