import { type DestinationStream, type Logger, pino } from 'pino'
import type { LogLevel } from '#config/read-config.ts'

export type { Logger }

const secretMembers = ['password', 'token', 'accessToken', 'refreshToken', 'secret', 'authorization', 'cookie', 'apiKey', 'idempotencyKey']

/** Writes lines of JSON. What is named like a secret is masked wherever it stands, and so are passwords within addresses and bearer tokens. */
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

/** What pg hangs on its errors is the whole connection, with the key by which its queries can be cancelled; no line is for that. */
const connectionMembers: ReadonlySet<string> = new Set(['client', 'connection', 'secretKey', '_events'])

function maskedError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  return Object.fromEntries(Object.entries(pino.stdSerializers.errWithCause(error)).filter(([name]) => !connectionMembers.has(name)))
}

/** The last look at a line, for what stands inside of texts: `postgres://user:password@host`, `Bearer …`, and keys and tokens of ours. */
function maskText(line: string): string {
  return line
    .replaceAll(/([a-z][a-z0-9+.-]*:\/\/[^\s:/@"]*):[^\s@"]+@/gi, '$1:[secret]@')
    .replaceAll(/\b(Bearer|Basic) [\w.~+/=-]{8,}/gi, '$1 [secret]')
    .replaceAll(/\b(mlr_|mrt_|mla_|mlr-operator-)[\w-]{8,}/g, '$1[secret]')
    .replaceAll(/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, '[secret]')
}
