import type { ErrorData } from '#core/error.ts'
import { isArray, type Json, type JsonObject, textsIn } from '#core/json.ts'

/** Takes secrets out of what is kept or shown. */
export interface SecretMask {
  text(text: string): string
  /** Member names as well as values. */
  json(value: Json): Json
  object(value: JsonObject): JsonObject
  error(error: ErrorData): ErrorData
}

const shown = '***'

/** Shorter texts occur by chance (`admin`, `true`): taking those out would spoil what workflows work with, and tell what they are. */
const lengthMin = 8

/**
 * Masks every text within secrets in the forms in which it travels: as it is, percent-encoded, form-encoded, as it stands in a JSON text, and within
 * whatever was encoded in base64 or base64url. `undefined` when there is nothing to mask.
 */
export function createSecretMask(secrets: JsonObject): SecretMask | undefined {
  const texts = textsIn(secrets).filter(({ length }) => length >= lengthMin)
  const forms = new Set(texts.flatMap(formsOf))
  if (forms.size === 0) return undefined
  // Longest first: a secret that contains another would otherwise leave its rest behind.
  const ordered = [...forms].toSorted((a, b) => b.length - a.length)
  const text = (given: string) => ordered.reduce((masked, form) => (masked.includes(form) ? masked.replaceAll(form, shown) : masked), given)
  const json = (value: Json): Json => {
    if (typeof value === 'string') return text(value)
    if (typeof value !== 'object' || value === null) return value
    if (isArray(value)) return value.map(json)
    return object(value)
  }
  const object = (value: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(value).map(([name, member]) => [text(name), json(member)]))
  const error = ({ type, title, detail, ...rest }: ErrorData): ErrorData => ({
    ...rest,
    type: text(type),
    title: text(title),
    ...(detail === undefined ? {} : { detail: text(detail) }),
  })
  return { text, json, object, error }
}

const masks = new WeakMap<JsonObject, { readonly mask: SecretMask | undefined }>()

/** The mask for the secrets of an execution, made once for each set of them. */
export function maskFor(secrets: JsonObject): SecretMask | undefined {
  const known = masks.get(secrets)
  if (known !== undefined) return known.mask
  const mask = createSecretMask(secrets)
  masks.set(secrets, { mask })
  return mask
}

function formsOf(secret: string): readonly string[] {
  const wellFormed = secret.toWellFormed()
  const bytes = Buffer.from(secret, 'utf8')
  return [
    secret,
    encodeURIComponent(wellFormed),
    new URLSearchParams([['', wellFormed]]).toString().slice(1),
    ...[0, 1, 2].map((offset) => insideBase64(bytes, offset)).flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]),
    JSON.stringify(wellFormed).slice(1, -1),
  ]
}

/** What stands in the base64 of a longer text for bytes that begin there at `offset` modulo three; the letters at both ends, which neighbours share, are left out. */
function insideBase64(bytes: Buffer, offset: number): string {
  const whole = Buffer.concat([Buffer.alloc(offset), bytes])
  return whole.toString('base64').slice(Math.ceil((offset * 4) / 3), Math.floor((whole.length * 4) / 3))
}
