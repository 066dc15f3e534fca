import type { ErrorData } from './error.ts'
import { pointerSegment } from './json-pointer.ts'
import { isArray, type Json, type JsonObject, textsIn } from './json.ts'

/** Stands in the place of a secret. */
export const masked = '***'

/** Stands in a timeline in the place of a value that cannot be computed without a secret. */
export const notShown = '(uses a secret: not shown)'

/** Stands in a walk in the place of a value that cannot be computed since data of a person was erased. */
export const notComputed = '(computed from erased data: not shown)'

/** Shorter texts are not masked: they occur by chance everywhere, and masking those occurrences would reveal them. */
export const SECRET_LENGTH_MIN = 4
/** Shorter texts are masked only as words: ordinary words contain `read` or `root`, and workflows use the masked data. */
const ANYWHERE_LENGTH_MIN = 8
/** Shorter parts of a base64 text occur by chance in files of some megabytes. */
const BASE64_LENGTH_MIN = 6

/** Replaces the secrets that it knows in stored or printed texts. */
export interface TextMask {
  add(secret: string): void
  text(value: string): string
}

/** Replaces the secrets of one execution in stored or printed data. */
export interface SecretMask {
  text(text: string): string
  /** Member names as well as values. */
  json(value: Json): Json
  object(value: JsonObject): JsonObject
  error(error: ErrorData): ErrorData
}

/**
 * Makes a mask of texts that are secret. A text is masked in the forms in which it travels: as it is, percent-encoded, form-encoded, as part of a
 * JSON text, and within whatever was encoded in base64 or base64url; also without blanks at its ends, which headers of HTTP lose.
 */
export function createTextMask(secrets: readonly string[]): TextMask {
  const known = new Set(secrets.flatMap(maskedFormsOf))
  let replacements: readonly Replacement[] | undefined
  return {
    add(secret) {
      for (const form of maskedFormsOf(secret)) known.add(form)
      replacements = undefined
    },
    text(value) {
      replacements ??= replacementsOf(known)
      let text = value
      for (const { form, pattern } of replacements) if (text.includes(form)) text = text.replaceAll(pattern, masked)
      return text
    },
  }
}

const maskedFormsOf = (secret: string): readonly string[] => [secret, secret.trim()].filter(isMaskable)

function isMaskable(secret: string): boolean {
  return secret.length >= SECRET_LENGTH_MIN
}

/** JSON Pointers of the texts in a secret that are too short to be masked. */
export function unmaskableIn(secret: Json, pointer = ''): readonly string[] {
  if (typeof secret === 'string') return isMaskable(secret) ? [] : [pointer]
  if (typeof secret !== 'object' || secret === null) return []
  return Object.entries(secret).flatMap(([name, member]: [string, Json]) => unmaskableIn(member, `${pointer}/${pointerSegment(name)}`))
}

/** Masks every text within secrets; `undefined` when there is nothing to mask. */
export function createSecretMask(secrets: JsonObject): SecretMask | undefined {
  const texts = textsIn(secrets).filter(isMaskable)
  if (texts.length === 0) return undefined
  const { text } = createTextMask(texts)
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

interface Replacement {
  readonly form: string
  readonly pattern: string | RegExp
}

function replacementsOf(secrets: ReadonlySet<string>): readonly Replacement[] {
  const patterns = new Map<string, string | RegExp>()
  for (const secret of secrets) {
    const isWord = secret.length < ANYWHERE_LENGTH_MIN
    for (const form of textForms(secret)) patterns.set(form, isWord ? wordPattern(form) : form)
    for (const form of base64Forms(secret)) patterns.set(form, form)
  }
  // Longest first: a secret that contains another would otherwise leave its rest behind.
  return [...patterns].map(([form, pattern]) => ({ form, pattern })).toSorted((one, other) => other.form.length - one.form.length)
}

function textForms(secret: string): readonly string[] {
  const wellFormed = secret.toWellFormed()
  return [
    secret,
    encodeURIComponent(wellFormed),
    new URLSearchParams([['', wellFormed]]).toString().slice(1),
    JSON.stringify(wellFormed).slice(1, -1),
  ]
}

const LETTER = String.raw`[\p{L}\p{N}]`

/** Matches the text where no letter or digit continues it. The last character of an escape, as in `%3D` or `\n`, continues nothing. */
function wordPattern(text: string): RegExp {
  const starts = startsWithLetter.test(text) ? String.raw`(?<!(?<!\\|%[\dA-Fa-f])${LETTER})` : ''
  const ends = endsWithLetter.test(text) ? `(?!${LETTER})` : ''
  return new RegExp(`${starts}${text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)}${ends}`, 'gu')
}

const startsWithLetter = new RegExp(`^${LETTER}`, 'u')
const endsWithLetter = new RegExp(`${LETTER}$`, 'u')

function base64Forms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, 'utf8')
  const within = [0, 1, 2].map((offset) => insideBase64(bytes, offset)).filter(({ length }) => length >= BASE64_LENGTH_MIN)
  return [bytes.toString('base64'), ...within].flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')])
}

/** The part of a longer text's base64 for bytes that begin there at `offset` modulo three, without the letters at both ends, which neighbours share. */
function insideBase64(bytes: Buffer, offset: number): string {
  const whole = Buffer.concat([Buffer.alloc(offset), bytes])
  return whole.toString('base64').slice(Math.ceil((offset * 4) / 3), Math.floor((whole.length * 4) / 3))
}
