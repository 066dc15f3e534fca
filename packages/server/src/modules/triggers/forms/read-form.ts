import { formYears, unlikelyValue } from '@millrace/contract'
import type { Json, JsonObject } from '@millrace/engine'
import { type FormField, type FormShape, isObject } from './form-fields.ts'
import { escapePointer, unescapePointer } from '#platform/json-pointer.ts'
import type { FormTexts } from './form-texts.ts'

/** What was filled in, by the names of the fields. */
export type Filled = ReadonlyMap<string, readonly string[]>

export interface ReadForm {
  /** With the types of the schema. */
  readonly input: JsonObject
  /** What cannot be read, by the name of the field. */
  readonly problems: ReadonlyMap<string, string>
}

type Read = { readonly value: Json } | { readonly problem: string } | undefined

/** Makes instants of times in a zone. */
export interface LocalTimes {
  /** Of a date and a time such as `2026-03-29T03:00`; undefined for another text. */
  readonly instant: (text: string) => string | undefined
  /** Of a time such as `03:00`. */
  readonly time: (text: string) => string | undefined
}

/** The texts of a form; what is no text, such as a file, is left out. */
export function filledOf(body: Json): Filled {
  const entries = isObject(body) ? Object.entries(body) : []
  return new Map(
    entries.map(([name, value]): [string, readonly string[]] => [
      name,
      (Array.isArray(value) ? value : [value]).filter((one: Json) => typeof one === 'string'),
    ]),
  )
}

/** What a new form shows. */
export function defaultsOf({ fields }: FormShape): Filled {
  return new Map(
    fields.map(({ name, schema: { default: value } }): [string, readonly string[]] => [
      name,
      (Array.isArray(value) ? value : [value ?? null]).filter((one: Json) => one !== null && typeof one !== 'object').map(String),
    ]),
  )
}

/** Turns texts into the input. */
export function readForm({ fields, constants }: FormShape, filled: Filled, texts: FormTexts, times: LocalTimes): ReadForm {
  const entries: [string, Json][] = Object.entries(constants)
  const problems = new Map<string, string>()
  for (const [group, members] of Map.groupBy(fields, (field) => field.group)) {
    // An object that may be absent is so while none of its fields is filled in.
    if (group !== undefined && !group.required && !members.some(({ name }) => isFilled(filled.get(name)))) continue
    const found: [string, Json][] = Object.entries(group?.constants ?? {})
    for (const field of members) {
      const read = readField(field, filled.get(field.name) ?? [], texts, times)
      if (read === undefined) continue
      if ('problem' in read) problems.set(field.name, read.problem)
      else found.push([field.member, read.value])
    }
    if (group === undefined) entries.push(...found)
    else entries.push([group.name, Object.fromEntries(found)])
  }
  return { input: Object.fromEntries(entries), problems }
}

function isFilled(given: readonly string[] | undefined): boolean {
  return given?.some((text) => text.trim() !== '') === true
}

/** The value of a field in an input. */
export function valueOf({ group, member }: Pick<FormField, 'group' | 'member'>, input: Json | undefined): Json | undefined {
  const object = group === undefined ? input : isObject(input) && Object.hasOwn(input, group.name) ? input[group.name] : undefined
  return isObject(object) && Object.hasOwn(object, member) ? object[member] : undefined
}

/** The field that a pointer into the input names; of an object its first one. */
export function fieldAt({ fields }: Pick<FormShape, 'fields'>, pointer: string): FormField | undefined {
  const [, , first = '', second] = pointer.split('/').map(unescapePointer)
  const group = fields.filter((field) => field.group?.name === first)
  return (
    fields.find((field) => field.group === undefined && field.member === first) ?? group.find(({ member }) => member === second) ?? group[0]
  )
}

/** The pointer of a field, below that of the input. */
export function pointerOf({ group, member }: Pick<FormField, 'group' | 'member'>): string {
  return group === undefined ? `/${escapePointer(member)}` : `/${escapePointer(group.name)}/${escapePointer(member)}`
}

function readField(field: FormField, given: readonly string[], texts: FormTexts, times: LocalTimes): Read {
  const { kind, options, required, nullable } = field
  if (kind === 'check') return { value: given.some((text) => text === 'true' || text === 'on') }
  if (kind === 'choices') {
    const values = given.map((text) => options.find((option) => option.text === text)?.value)
    if (values.includes(undefined)) return { problem: texts.chooseOne }
    return values.length === 0 && !required ? undefined : { value: values.filter((value) => value !== undefined) }
  }
  const raw = given[0] ?? ''
  const text = kind === 'lines' || kind === 'password' ? raw.replaceAll(/\r\n?/g, '\n') : raw.trim()
  const needed = kind === 'file' ? texts.chooseFile : texts.needed
  if (text.trim() === '') return !required ? undefined : nullable ? { value: null } : { problem: needed }
  if (kind === 'choice') {
    const option = options.find((one) => one.text === text)
    return option === undefined ? { problem: texts.chooseOne } : { value: option.value }
  }
  if (kind === 'number' || kind === 'integer') return readNumber(text, kind, texts)
  if (kind === 'date-time' || kind === 'time') {
    const value = kind === 'time' ? times.time(text) : times.instant(text)
    return value === undefined ? { problem: texts.time } : likely(field, value, texts)
  }
  return likely(field, text, texts)
}

function likely({ schema }: FormField, value: string, texts: FormTexts): Read {
  const unlikely = unlikelyValue(schema, value)
  if (unlikely === undefined) return { value }
  return { problem: unlikely === 'email' ? texts.email : texts.year(formYears.first, formYears.last) }
}

function readNumber(given: string, kind: 'number' | 'integer', texts: FormTexts): Read {
  const text = given.replaceAll(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x0660)).replace('٫', '.')
  const value = Number(text)
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i.test(text) || !Number.isFinite(value)) return { problem: texts.number }
  return kind === 'integer' && !Number.isInteger(value) ? { problem: texts.integer } : { value }
}

/** What is wrong with a value that the validator refused, in the words of the form; undefined if the form has none for it. */
export function wordsOf({ kind, schema }: FormField, value: Json | undefined, texts: FormTexts): string | undefined {
  const number = (name: string) => (typeof schema[name] === 'number' ? schema[name] : undefined)
  if (kind === 'check') return value === true ? undefined : texts.tick
  if (kind === 'choice') return texts.chooseOne
  if (Array.isArray(value)) {
    const [least = 0, most = value.length] = [number('minItems'), number('maxItems')]
    return value.length < least ? texts.more(least) : value.length > most ? texts.fewer(most) : undefined
  }
  if (typeof value === 'number') {
    const [least = value, most = value] = [number('minimum'), number('maximum')]
    return value < least ? texts.least(least) : value > most ? texts.most(most) : undefined
  }
  if (typeof value !== 'string') return undefined
  const length = [...value].length
  const [least = 0, most = length] = [number('minLength'), number('maxLength')]
  if (length < least) return texts.longer(least)
  if (length > most) return texts.shorter(most)
  if (schema['pattern'] !== undefined) return texts.pattern
  const byKind: Readonly<Record<string, string>> = {
    email: texts.email,
    url: texts.url,
    date: texts.time,
    'date-time': texts.time,
    time: texts.time,
  }
  return byKind[kind]
}
