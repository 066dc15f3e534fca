import { calendarKind, readableName } from '@millrace/contract'
import { isObject, type Json, type JsonObject } from '@millrace/engine'
import { type MailReader, mailDay, mailTime } from '#platform/mail/templates/mail-time.ts'

type Fact = readonly [name: string, value: string]

const words = { en: { yes: 'yes', no: 'no', details: 'Details' }, ar: { yes: 'نعم', no: 'لا', details: 'التفاصيل' } } as const

/** Details as fields for people: members of objects by their path, elements of lists numbered, times by the clock of the reader. */
export function detailFacts(details: Json, reader: MailReader): readonly Fact[] {
  return factsOf('', details, reader)
}

function factsOf(name: string, value: Json, reader: MailReader): readonly Fact[] {
  const label = name === '' ? words[reader.locale].details : name
  if (isObject(value)) {
    const members = Object.entries(value)
    if (members.length === 0) return [[label, '–']]
    return members.flatMap(([member, inner]) => factsOf(pathTo(name, member), inner ?? null, reader))
  }
  if (!Array.isArray(value)) return [[label, scalarText(value, reader)]]
  if (value.every((item: Json) => !isNested(item))) return [[label, value.map((item: Json) => scalarText(item, reader)).join(', ') || '–']]
  return value.map((item: Json, index): Fact => [`${label} ${index + 1}`, lineOf(item, reader)])
}

const pathTo = (name: string, member: string): string => (name === '' ? readableName(member) : `${name} › ${readableName(member)}`)

/** A nested value on one line. */
function lineOf(value: Json, reader: MailReader): string {
  if (Array.isArray(value)) return value.map((item: Json) => inner(item, reader)).join(', ')
  return isObject(value) ? membersLine(value, reader) : scalarText(value, reader)
}

const membersLine = (value: JsonObject, reader: MailReader): string =>
  Object.entries(value)
    .map(([member, item]) => `${readableName(member)}: ${inner(item ?? null, reader)}`)
    .join(', ')

const inner = (value: Json, reader: MailReader): string => (isNested(value) ? `(${lineOf(value, reader)})` : scalarText(value, reader))

const isNested = (value: Json): boolean => Array.isArray(value) || isObject(value)

function scalarText(value: Json, reader: MailReader): string {
  const { yes, no } = words[reader.locale]
  if (value === null || value === '') return '–'
  if (typeof value === 'boolean') return value ? yes : no
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const kind = calendarKind(text)
  if (kind === undefined) return text
  return (kind === 'date' ? mailDay : mailTime)(new Date(text), reader)
}
