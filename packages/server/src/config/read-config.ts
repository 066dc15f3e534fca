import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type FlagSettings, readFlags } from './read-flags.ts'
import { type RateLimitSettings, readRateLimits } from './read-rate-limits.ts'
import { suggest } from '@millrace/dsl'
import { type AttestationSettings, readAttestation } from './read-attestation.ts'
import { type BillingSettings, readBilling } from './read-billing.ts'
import { type FormSettings, readForms } from './read-forms.ts'
import { type MailSettings, readMail } from './read-mail.ts'
import { readVault, type VaultSettings } from './read-vault.ts'
import { readSms, type SmsSettings } from './read-sms.ts'
import { readSignIn, type SignInSettings } from './read-sign-in.ts'
import { type ModelsSettings, readModels } from './read-models.ts'
import {
  gracePeriod,
  integer,
  listOf,
  longToken,
  network,
  oneOf,
  origin,
  postgresUrl,
  publicUrl,
  type HostRegion,
  hostRegion,
  regionCode,
  retention,
  secretKey,
} from './parse.ts'
import { createReader, type Environment, type Reader } from './reader.ts'
import { Secret } from './secret.ts'
import { isLoopback } from '#platform/net/loopback.ts'
import { variables } from './variables.ts'

export const roles = ['api', 'worker', 'scheduler'] as const
export type Role = (typeof roles)[number]

const dayMs = 24 * 60 * 60 * 1000

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** The validated configuration of an installation. */
export interface Config extends FlagSettings {
  /** Absolute path. */
  readonly home: string
  /** A country code, or EU. */
  readonly region: string | undefined
  /** Regions of destinations, as the operator knows them. */
  readonly hostRegions: readonly HostRegion[]
  /** Who attests the audit log. */
  readonly attestation: AttestationSettings
  readonly roles: ReadonlySet<Role>
  readonly http: HttpSettings
  readonly database: DatabaseSettings
  /** 32 bytes; `undefined` to use the key under MILLRACE_HOME. */
  readonly secretKey: Secret<Uint8Array> | undefined
  /** Whether a secret key other than the recorded one is accepted, for an installation whose key is lost. */
  readonly acceptNewKey: boolean
  readonly engine: EngineSettings
  /** Absolute path of the file with the secrets of accounts; `undefined` without one. */
  readonly secretsFile: string | undefined
  /** `undefined` without one. */
  readonly vault: VaultSettings | undefined
  /** The folder of pieces of Activepieces. */
  readonly pieces: string | undefined
  /** `undefined` when the installation sends no mail. */
  readonly mail: MailSettings | undefined
  readonly forms: FormSettings
  /** Keeps mails for `GET /dev/outbox` in place of sending them: without a mail server, when only this machine can reach the server. */
  readonly devOutbox: boolean
  /** Text messages with codes. */
  readonly sms: SmsSettings
  readonly billing: BillingSettings
  /** External sign-in. */
  readonly signIn: SignInSettings
  readonly models: ModelsSettings
  /** Addresses and ranges of private networks that workflows may reach. */
  readonly privateNetwork: readonly string[]
  /** How long executions are kept after their end, unless their account or workflow sets another time; `undefined` for ever. */
  readonly retentionMs: number | undefined
  /** How long a deleted account can be restored. */
  readonly deletionGraceMs: number
  readonly logLevel: LogLevel
  readonly shutdownMs: number
  /** Settings that work but are probably unintended; to be logged at the start. */
  readonly warnings: readonly string[]
}

export interface HttpSettings {
  readonly host: string
  readonly port: number
  /** Without a trailing slash. */
  readonly publicUrl: string | undefined
  readonly corsOrigins: readonly string[]
  readonly trustedProxies: readonly string[]
  /** Whether the installation is reached by HTTPS only. */
  readonly hsts: boolean
  /** Who may read `/metrics`: callers with the token, or everyone where the server listens on loopback only; `undefined` where it is not served. */
  readonly metrics: { readonly token: Secret | undefined } | undefined
  readonly rateLimits: RateLimitSettings
  /** Addresses and ranges whose requests are not counted. */
  readonly rateExempt: readonly string[]
}

export interface DatabaseSettings {
  /** `undefined` to start the built-in PostgreSQL. */
  readonly url: Secret | undefined
  readonly connectionsMax: number
}

export interface EngineSettings {
  readonly executionsMax: number
  readonly executionsPerAccountMax: number
  /** Limit of the journal of one execution, which is read whole when the execution is resumed. */
  readonly executionEntriesMax: number
  readonly executionBytesMax: number
}

/** The functions of the system that readConfig uses; tests replace them. */
export interface ConfigSystem {
  readonly readTextFile: (path: string) => string
  readonly workingDirectory: string
}

const thisSystem = (): ConfigSystem => ({ readTextFile: (path) => readFileSync(path, 'utf8'), workingDirectory: process.cwd() })

/** Reads the whole configuration from an environment. Throws one ConfigError with all faults. */
export function readConfig(env: Environment, system: ConfigSystem = thisSystem()): Config {
  const reader = createReader(env, system.readTextFile)
  const key = reader.secret('MILLRACE_SECRET_KEY', 'MILLRACE_SECRET_KEY_FILE', secretKey)
  const pathOf = (text: string) => resolve(system.workingDirectory, text)
  const executionsMax = reader.read('MILLRACE_EXECUTIONS_MAX', integer(1, 1_000_000), 1000)
  const http = readHttp(reader)
  const mail = readMail(reader)
  const config: Config = {
    region: reader.optional('MILLRACE_REGION', regionCode),
    hostRegions: reader.read('MILLRACE_HOST_REGIONS', listOf(hostRegion), []),
    attestation: readAttestation(reader),
    home: pathOf(reader.read('MILLRACE_HOME', String, '.millrace')),
    roles: new Set(reader.read('MILLRACE_ROLES', listOf(oneOf(roles)), roles)),
    ...readFlags(reader),
    http,
    database: readDatabase(reader),
    secretKey: key === undefined ? undefined : new Secret(key),
    acceptNewKey: false,
    engine: {
      executionsMax,
      executionsPerAccountMax: reader.read(
        'MILLRACE_EXECUTIONS_PER_ACCOUNT',
        integer(1, 1_000_000),
        Math.max(1, Math.floor(executionsMax / 2)),
      ),
      executionEntriesMax: reader.read('MILLRACE_EXECUTION_ENTRIES_MAX', integer(100, 1_000_000_000), 1_000_000),
      executionBytesMax: reader.read('MILLRACE_EXECUTION_BYTES_MAX', integer(100_000, 1_000_000_000_000), 256 * 1024 * 1024),
    },
    vault: readVault(reader),
    pieces: reader.optional('MILLRACE_PIECES', pathOf),
    secretsFile: reader.optional('MILLRACE_SECRETS_FILE', pathOf),
    mail,
    models: readModels(reader),
    forms: readForms(reader),
    devOutbox: mail === undefined && !reader.has('MILLRACE_SMTP_URL') && !reader.has('MILLRACE_SMTP_URL_FILE') && isLocal(http),
    sms: readSms(reader),
    billing: readBilling(reader),
    signIn: readSignIn(reader, isLocal(http)),
    privateNetwork: reader.read('MILLRACE_PRIVATE_NETWORK', listOf(network), []),
    retentionMs: reader.read('MILLRACE_RETENTION', retention, { ms: 30 * dayMs }).ms,
    deletionGraceMs: reader.read('MILLRACE_DELETION_GRACE', gracePeriod, 7 * dayMs),
    logLevel: reader.read('MILLRACE_LOG_LEVEL', oneOf(logLevels), 'info'),
    shutdownMs: reader.read('MILLRACE_SHUTDOWN_SECONDS', integer(1, 600), 10) * 1000,
    warnings: warningsOf(env),
  }
  if (config.region === undefined && reader.has('MILLRACE_HOST_REGIONS') && !reader.has('MILLRACE_REGION'))
    reader.fault('MILLRACE_HOST_REGIONS', 'is set, but MILLRACE_REGION is not. Write the region of this installation.')
  if (config.roles.size === 0) reader.fault('MILLRACE_ROLES', `names no role. Write at least one of ${roles.join(', ')}.`)
  if (config.engine.executionsPerAccountMax > executionsMax) {
    reader.fault('MILLRACE_EXECUTIONS_PER_ACCOUNT', `is larger than MILLRACE_EXECUTIONS_MAX (${executionsMax}). Write at most that.`)
  }
  reader.finish()
  return config
}

/** Whether the server is reached from this machine only: a public address or a trusted proxy makes it reachable from elsewhere. */
function isLocal({ host, publicUrl: url, trustedProxies }: HttpSettings): boolean {
  return isLoopback(host) && trustedProxies.length === 0 && (url === undefined || isLoopback(new URL(url).hostname))
}

function readHttp(reader: Reader): HttpSettings {
  const url = reader.optional('MILLRACE_PUBLIC_URL', publicUrl)
  const host = reader.read('HOST', String, '127.0.0.1')
  const token = reader.secret('MILLRACE_METRICS_TOKEN', 'MILLRACE_METRICS_TOKEN_FILE', longToken)
  return {
    host,
    metrics: token === undefined && !isLoopback(host) ? undefined : { token: token === undefined ? undefined : new Secret(token) },
    port: reader.read('PORT', integer(0, 65_535), 3000),
    publicUrl: url,
    corsOrigins: reader.read('MILLRACE_CORS_ORIGINS', listOf(origin), []),
    trustedProxies: reader.read('MILLRACE_TRUST_PROXY', listOf(network), []),
    hsts: url?.startsWith('https:') === true,
    rateLimits: readRateLimits(reader),
    rateExempt: reader.read('MILLRACE_RATE_LIMIT_EXEMPT', listOf(network), []),
  }
}

function readDatabase(reader: Reader): DatabaseSettings {
  const url = reader.secret('DATABASE_URL', 'DATABASE_URL_FILE', postgresUrl)
  return {
    url: url === undefined ? undefined : new Secret(url),
    // In addition to these two pools, the queue and the lock of migrations use a few connections.
    connectionsMax: reader.read('MILLRACE_DATABASE_CONNECTIONS', integer(4, 1000), 32),
  }
}

/** Warns of unknown variables; otherwise a misspelt name would be ignored silently. */
function warningsOf(env: Environment): readonly string[] {
  const known = Object.keys(variables)
  const unknown = Object.keys(env).filter((name) => name.startsWith('MILLRACE_') && !known.includes(name))
  return unknown.toSorted().map((name) => {
    const guess = suggest(name, known)
    return `${name} is set, but Millrace reads no such variable${guess === undefined ? '' : `; did you mean ${guess}?`}`
  })
}
