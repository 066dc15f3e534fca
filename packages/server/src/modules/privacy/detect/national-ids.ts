import { createRequire } from 'node:module'
import type { Validator } from 'stdnum'
import { findAll, type Finding, hasContext } from './finding.ts'
import { isLuhn } from './patterns.ts'

interface NationalId {
  readonly country: string
  /** Name in stdnum, or of an own rule. */
  readonly name: string
  /** The whole number, with its usual separators. */
  readonly form: RegExp
  /** Words beside the number. Without them only a number whose form alone is distinctive is found. */
  readonly words: RegExp
  readonly isDistinctive?: boolean
}

const general = String.raw`national (?:id|identity|number)|identity (?:card|number)|\bid (?:card|number|no)|personal (?:id|code|number)|tax (?:id|number)|social (?:security|insurance)`
const id = (country: string, name: string, form: RegExp, words: string, isDistinctive = false): NationalId => ({
  country,
  name,
  form,
  words: new RegExp(`${words}|${general}`, 'iu'),
  isDistinctive,
})

/** Numbers of persons. Check digits are verified by stdnum; for AE and SA by the rules below. */
export const nationalIds: readonly NationalId[] = [
  id('AE', 'eid', /^784-?\d{4}-?\d{7}-?\d$/, 'emirates id|هوية|الهوية', true),
  id('SA', 'nid', /^[12]\d{9}$/, String.raw`iqama|saudi id|national id|هوية|الهوية|إقامة|اقامة`),
  id('AR', 'dni', /^\d{1,2}\.?\d{3}\.?\d{3}$/, String.raw`\bdni\b`),
  id('BE', 'nn', /^\d{2}\.?\d{2}\.?\d{2}-?\d{3}\.?\d{2}$/, String.raw`rijksregister|registre national|\bniss\b|\binsz\b`),
  id('BG', 'egn', /^\d{10}$/, String.raw`\begn\b|егн`),
  id('BR', 'cpf', /^\d{3}\.\d{3}\.\d{3}-\d{2}$|^\d{11}$/, String.raw`\bcpf\b`),
  id('CA', 'sin', /^\d{3}[ -]?\d{3}[ -]?\d{3}$/, String.raw`\bsin\b|social insurance`),
  id('CH', 'ssn', /^756\.?\d{4}\.?\d{4}\.?\d{2}$/, String.raw`\bahv\b|\bavs\b`, true),
  id('CL', 'rut', /^\d{1,2}\.?\d{3}\.?\d{3}-[\dkK]$/, String.raw`\brut\b|\brun\b`, true),
  id('CN', 'ric', /^\d{17}[\dXx]$/, '身份证', true),
  id('CZ', 'rc', /^\d{6}\/?\d{3,4}$/, 'rodn[eé]|birth number'),
  id('DE', 'idnr', /^\d{2} ?\d{3} ?\d{3} ?\d{3}$/, String.raw`steuer|\bidnr\b|identifikationsnummer`),
  id('DK', 'cpr', /^\d{6}-?\d{4}$/, String.raw`\bcpr\b`),
  id('DO', 'cedula', /^\d{3}-?\d{7}-?\d$/, 'c[eé]dula'),
  id('EC', 'ci', /^\d{10}$/, 'c[eé]dula'),
  id('EE', 'ik', /^[1-6]\d{10}$/, 'isikukood|personal code'),
  id('ES', 'dni', /^\d{8}-?[A-Za-z]$/, String.raw`\bdni\b|\bnif\b`, true),
  id('ES', 'nie', /^[XYZxyz]-?\d{7}-?[A-Za-z]$/, String.raw`\bnie\b`, true),
  id('FI', 'hetu', /^\d{6}[-+A-FU-Y]\d{3}[0-9A-FHJ-NPR-Y]$/i, String.raw`hetu|henkil`, true),
  id('FR', 'nir', /^[12] ?\d{2} ?\d{2} ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}$/i, String.raw`s[eé]curit[eé] sociale|\bnir\b`, true),
  id('GB', 'nino', /^[A-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D]$/i, 'national insurance|nino', true),
  id('GR', 'amka', /^\d{11}$/, 'amka|αμκα'),
  id('HR', 'oib', /^\d{11}$/, String.raw`\boib\b`),
  id('HU', 'anum', /^\d{8}-?\d-?\d{2}$/, 'ad[oó]sz[aá]m'),
  id('IE', 'pps', /^\d{7}[A-W][A-IW]?$/i, String.raw`\bpps\b`, true),
  id('IL', 'idnr', /^\d{9}$/, 'teudat|תעודת'),
  id('IN', 'aadhaar', /^[2-9]\d{3}[ -]?\d{4}[ -]?\d{4}$/, 'aadhaar|aadhar|आधार'),
  id('IN', 'pan', /^[A-Z]{3}[ABCFGHLJPTK][A-Z]\d{4}[A-Z]$/, String.raw`\bpan\b`, true),
  id('IS', 'kennitala', /^\d{6}-?\d{4}$/, 'kennitala'),
  id('IT', 'codicefiscale', /^[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]$/i, 'codice fiscale', true),
  id('KR', 'rrn', /^\d{6}-?[1-4]\d{6}$/, '주민등록'),
  id('LT', 'asmens', /^[1-6]\d{10}$/, 'asmens kod'),
  id('LV', 'pvm', /^\d{6}-?\d{5}$/, 'personas kod'),
  id('MX', 'curp', /^[A-Z]{4}\d{6}[HM][A-Z]{5}[A-Z0-9]\d$/i, 'curp', true),
  id('MY', 'nric', /^\d{6}-\d{2}-\d{4}$|^\d{12}$/, String.raw`nric|mykad`),
  id('NL', 'bsn', /^\d{9}$|^\d{3}\.?\d{3}\.?\d{3}$/, String.raw`\bbsn\b|burgerservice|sofinummer`),
  id('NO', 'fodselsnummer', /^\d{6} ?\d{5}$/, 'f[oø]dselsn'),
  id('PE', 'cui', /^\d{8}-?\d?$/, String.raw`\bdni\b|\bcui\b`),
  id('PK', 'cnic', /^\d{5}-\d{7}-\d$|^\d{13}$/, 'cnic'),
  id('PL', 'pesel', /^\d{11}$/, 'pesel'),
  id('PT', 'nif', /^\d{9}$/, String.raw`\bnif\b|contribuinte`),
  id('RO', 'cnp', /^[1-9]\d{12}$/, String.raw`\bcnp\b|cod numeric`),
  id('RS', 'jmbg', /^\d{13}$/, 'jmbg|јмбг'),
  id('SE', 'personnummer', /^(?:\d{2})?\d{6}[-+]\d{4}$|^\d{12}$/, 'personnummer|samordningsnummer'),
  id('SK', 'rc', /^\d{6}\/?\d{3,4}$/, 'rodn[eé]'),
  id('TH', 'idnr', /^\d-?\d{4}-?\d{5}-?\d{2}-?\d$/, 'บัตรประชาชน'),
  id('TR', 'tckimlik', /^[1-9]\d{10}$/, 'kimlik|tckn|t\\.?c\\.? no'),
  id('TW', 'natid', /^[A-Z][12]\d{8}$/i, '身分證', true),
  id('UA', 'rntrc', /^\d{10}$/, 'рнокпп|ідентифікаційний'),
  id('US', 'ssn', /^\d{3}-\d{2}-\d{4}$|^\d{9}$/, String.raw`\bssn\b|social security`),
  id('ZA', 'idnr', /^\d{13}$|^\d{6} \d{4} \d{3}$/, 'south african id|rsa id'),
]

const candidate = /(?<![\p{L}\d.,/+-])[A-Za-z]{0,6}\d(?:[\dA-Za-z]|[ ./+-](?=[\dA-Za-z])){5,21}(?![\p{L}\d]|[.,/-]\d)/gu
const licence = /(?:driv(?:er|ing)'?s? licen[cs]e|licen[cs]e number|passport|f[uü]hrerschein|permis de conduire|pasaporte|reisepass|جواز)/iu

/** Numbers of identity cards, social insurance and tax of persons, and behind their words driving licences and passports. */
export function findNationalIds(text: string): Finding[] {
  const found: Finding[] = []
  for (const match of text.matchAll(candidate)) {
    // A word may follow the number behind a space: cut until a form matches.
    for (const value of shortened(match[0])) {
      const finding = identify(text, value, match.index)
      if (finding === undefined) continue
      found.push(finding)
      break
    }
  }
  const document = /(?<![\p{L}\d])(?=[A-Za-z0-9]*\d{3})[A-Za-z0-9]{6,16}(?![\p{L}\d])/gu
  const behind = findAll(text, document, { kind: 'national_id', rule: 'national_id.document' }, (_match, start) =>
    licence.test(text.slice(Math.max(0, start - 45), start)) ? 0.7 : 0,
  )
  return [...found, ...behind]
}

function shortened(text: string): readonly string[] {
  const parts = text.split(' ')
  return parts.map((_part, index) => parts.slice(0, parts.length - index).join(' ')).slice(0, 4)
}

function identify(text: string, value: string, start: number): Finding | undefined {
  const span = { start, end: start + value.length }
  let best: Finding | undefined
  for (const entry of nationalIds) {
    if (!entry.form.test(value)) continue
    const near = hasContext(text, span, entry.words)
    if (!near && entry.isDistinctive !== true && !isUsSsn(entry, value)) continue
    if (!isValid(entry, value)) continue
    const named =
      near && new RegExp(entry.words.source.slice(0, -general.length - 1), 'iu').test(text.slice(Math.max(0, start - 60), span.end + 25))
    const score = named ? 0.95 : near ? 0.85 : 0.75
    if (best === undefined || score > best.score)
      best = { kind: 'national_id', rule: `national_id.${entry.country}.${entry.name}`, score, ...span }
  }
  return best
}

/** With its hyphens the form is distinctive, digits alone are not. */
function isUsSsn({ country, name }: NationalId, value: string): boolean {
  return country === 'US' && name === 'ssn' && value.includes('-')
}

function isValid({ country, name }: NationalId, value: string): boolean {
  if (country === 'AE') return isEmiratesId(value.replaceAll('-', ''))
  if (country === 'SA') return isSaudiId(value)
  return validatorsOf(country)[name]?.validate(value).isValid === true
}

type Validators = Readonly<Record<string, Validator>>

const loaded = new Map<string, Validators>()

/** The whole of stdnum is 300 files, a tenth of the time that the server takes to start: a country is loaded with the first number of its form. */
function validatorsOf(country: string): Validators {
  const present = loaded.get(country)
  if (present !== undefined) return present
  const validators: Validators = createRequire(import.meta.url)(`stdnum/lib/cjs/${country.toLowerCase()}/index.js`)
  loaded.set(country, validators)
  return validators
}

/** 784, the year of birth, seven digits and the check digit of Luhn. */
export function isEmiratesId(digits: string): boolean {
  return /^784(?:19|20)\d{10}$/.test(digits) && isLuhn(digits)
}

/** 1 for citizens, 2 for residents (iqama), eight digits and the check digit of Luhn. */
export function isSaudiId(digits: string): boolean {
  return /^[12]\d{9}$/.test(digits) && isLuhn(digits)
}
