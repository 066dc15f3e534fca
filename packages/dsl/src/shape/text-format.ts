import type { DiagnosticCode } from '#src/diagnostics/codes.ts'
import { durationMs, meantDuration } from '#src/duration.ts'
import { isRuntimeExpression } from '#src/expression/runtime-expression.ts'
import { isTimeZone } from '#src/schedule/time-zone.ts'
import { intervalProblem } from './interval.ts'
import { cronProblem } from './cron.ts'

/** Formats of strings that the DSL defines; expressions are accepted by the caller where the place takes them. */
export type TextFormat =
  | 'semver'
  | 'dslVersion'
  | 'workflowVersion'
  | 'hostname'
  | 'host'
  | 'variable'
  | 'duration'
  | 'interval'
  | 'cron'
  | 'timeZone'
  | 'uri'
  | 'uriTemplate'
  | 'pointer'
  | 'timestamp'
  | 'scriptLanguage'
  | 'httpMethod'
  | 'expressionLanguage'

export interface FormatProblem {
  readonly code: DiagnosticCode
  readonly message: string
  readonly hint: string
}

/** The problem of a string of a format; undefined when it is valid. */
export function formatProblem(format: TextFormat, value: string): FormatProblem | undefined {
  return checks[format](value)
}

/** Semantic Versioning 2.0.0, the pattern of semver.org. */
const semver =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$/

/** One label of a host name, as RFC 1123 has it. */
const hostname = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$/
const host = /^[a-zA-Z0-9](?:[a-zA-Z0-9-.]{0,61}[a-zA-Z0-9])?$/
const variable = /^[A-Za-z_][A-Za-z0-9_]*$/
const pointer = /^(?:\/(?:[^~/]|~0|~1)*)*$/
const timestamp = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|[+-](\d\d)(?::?(\d\d))?)$/

const httpMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

const scriptLanguages: ReadonlySet<string> = new Set(['js', 'javascript', 'python'])

const checks: Readonly<Record<TextFormat, (value: string) => FormatProblem | undefined>> = {
  semver: versionProblem,
  dslVersion: dslVersionProblem,
  workflowVersion: (value) => (value === 'latest' ? undefined : versionProblem(value)),
  hostname: (value) =>
    hostname.test(value)
      ? undefined
      : problem(
          'invalid_name',
          value,
          'is not a valid name',
          'Use 1 to 63 letters, digits and hyphens, with a letter or digit first and last.',
        ),
  host: (value) =>
    host.test(value)
      ? undefined
      : problem('invalid_name', value, 'is not a host name', 'Write a host such as api.example.com, without scheme or port.'),
  variable: variableProblem,
  duration: (value) =>
    durationMs(value) === undefined ? problem('invalid_duration', value, 'is not an ISO 8601 duration', durationHint(value)) : undefined,
  interval: literalIntervalProblem,
  cron: cronProblem,
  timeZone: (value) =>
    isTimeZone(value)
      ? undefined
      : problem('invalid_value', value, 'is not a time zone', 'Write a name of the IANA database, such as Europe/Berlin or UTC.'),
  uri: uriProblem,
  uriTemplate: templateProblem,
  pointer: (value) =>
    pointer.test(value)
      ? undefined
      : problem('invalid_pointer', value, 'is not a JSON Pointer', 'Write the path with slashes, for example /do/0/name.'),
  timestamp: (value) =>
    isTimestamp(value)
      ? undefined
      : problem('invalid_timestamp', value, 'is not a timestamp', 'Write it as RFC 3339 has it, for example 2026-01-31T12:00:00Z.'),
  scriptLanguage: (value) =>
    scriptLanguages.has(value)
      ? undefined
      : problem('unsupported_feature', value, 'is not a language that scripts are run in', 'Write js (ES2024) or python.'),
  httpMethod: (value) =>
    httpMethods.includes(value.toUpperCase())
      ? undefined
      : problem('invalid_value', value, 'is not a method of HTTP', `Write one of ${httpMethods.join(', ')}.`),
  expressionLanguage: (value) =>
    value === 'jq'
      ? undefined
      : problem('unsupported_feature', value, 'is not a language that expressions are evaluated in', 'Write jq, or remove the property.'),
}

function problem(code: DiagnosticCode, value: string, what: string, hint: string): FormatProblem {
  const shown = value.length > 60 ? `${value.slice(0, 57)}…` : value
  return { code, message: `${JSON.stringify(shown)} ${what}.`, hint }
}

function versionProblem(value: string): FormatProblem | undefined {
  return semver.test(value)
    ? undefined
    : problem('invalid_semver', value, 'is not a semantic version', 'Write three numbers, for example 1.0.0 or 1.0.0-beta.1.')
}

function dslVersionProblem(value: string): FormatProblem | undefined {
  const invalid = versionProblem(value)
  if (invalid !== undefined || value.startsWith('1.0.')) return invalid
  return problem(
    'unsupported_dsl_version',
    value,
    'is not a version of the DSL that is read here',
    "Write dsl: '1.0.3'; every 1.0.x is read.",
  )
}

function variableProblem(value: string): FormatProblem | undefined {
  if (variable.test(value)) return undefined
  const bare = value.startsWith('$') ? value.slice(1) : ''
  const hint = variable.test(bare)
    ? `Write ${bare}, without $; expressions then read it as $${bare}.`
    : 'Use letters, digits and underscores, not a digit first.'
  return problem('invalid_name', value, 'cannot be the name of a variable', hint)
}

/** A literal duration that is neither too short nor too long. */
function literalIntervalProblem(value: string): FormatProblem | undefined {
  const milliseconds = durationMs(value)
  if (milliseconds !== undefined) return intervalProblem(milliseconds)
  const isExpression = isRuntimeExpression(value)
  return problem(
    'invalid_duration',
    value,
    isExpression ? 'is an expression, and a schedule has no run that it could be evaluated in' : 'is not an ISO 8601 duration',
    durationHint(value),
  )
}

/** The duration that a text or a number most likely means, or examples. */
export function durationHint(value: unknown): string {
  const meant = meantDuration(value)
  return meant === undefined ? 'Write for example PT30S, PT5M, P1DT12H, or { minutes: 5 }.' : `Did you mean ${meant}?`
}

/** Absolute URIs and URI templates (RFC 3986, RFC 6570), as the official schema takes them. */
function uriProblem(value: string): FormatProblem | undefined {
  if (!/^[A-Za-z][A-Za-z0-9+\-.]*:\/\//.test(value)) {
    return problem('invalid_uri', value, 'is not an absolute URI', 'Begin with a scheme and ://, for example https://example.com/path.')
  }
  return templateProblem(value)
}

function templateProblem(value: string): FormatProblem | undefined {
  const forbidden = /[\s"<>\\^`|\p{Cc}]|%(?![0-9A-Fa-f]{2})/u.exec(value)
  if (forbidden !== null) {
    return problem(
      'invalid_uri',
      value,
      `has a character that a URI may not have: ${JSON.stringify(forbidden[0])}`,
      `Write it percent-encoded.`,
    )
  }
  if (/^[^{}]*(?:\{[^{}]+\}[^{}]*)*$/.test(value)) return undefined
  return problem(
    'invalid_uri',
    value,
    'has braces that do not belong together',
    'Write {name} for a property of the input, and %7B and %7D for plain braces.',
  )
}

function isTimestamp(value: string): boolean {
  const match = timestamp.exec(value)
  if (match === null) return false
  const [year, month, day, hours, minutes, seconds] = match.slice(1, 7).map(Number)
  if (year === undefined || month === undefined || day === undefined) return false
  if (month < 1 || month > 12 || day < 1 || day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return false
  return (hours ?? 0) < 24 && (minutes ?? 0) < 60 && (seconds ?? 0) < 61 && Number(match[7] ?? 0) < 24 && Number(match[8] ?? 0) < 60
}
