import { type DestinationStream, type Logger, pino } from 'pino'
import type { LogLevel } from '#config/read-config.ts'

export type { Logger }

const secretMembers = ['password', 'token', 'accessToken', 'refreshToken', 'secret', 'authorization', 'cookie', 'apiKey', 'idempotencyKey']

/** Writes lines of JSON. Masks members with names of secrets at every depth, passwords in URLs, and bearer tokens. */
export function createLogger(level: LogLevel, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: secretMembers.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `*.*.*.${name}`]), censor: '[secret]' },
    serializers: { err: maskedError, error: maskedError, cause: maskedError },
    hooks: { streamWrite: maskText },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}

/** pg attaches the connection to its errors, with the key that cancels its queries; they are not logged. */
const connectionMembers: ReadonlySet<string> = new Set(['client', 'connection', 'secretKey', '_events'])

function maskedError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  return Object.fromEntries(Object.entries(pino.stdSerializers.errWithCause(error)).filter(([name]) => !connectionMembers.has(name)))
}

/** Masks secrets within strings of a finished line: `postgres://user:password@host`, `Bearer …`, and our keys and tokens. */
function maskText(line: string): string {
  return line
    .replaceAll(/([a-z][a-z0-9+.-]*:\/\/[^\s:/@"]*):[^\s@"]+@/gi, '$1:[secret]@')
    .replaceAll(/\b(Bearer|Basic) [\w.~+/=-]{8,}/gi, '$1 [secret]')
    .replaceAll(/\b(mlr_|mrt_|mla_|mlr-operator-)[\w-]{8,}/g, '$1[secret]')
    .replaceAll(/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, '[secret]')
}
