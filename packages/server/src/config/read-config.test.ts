import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { createCertificate } from '#testing/net/certificate.ts'
import { ConfigError } from './config-error.ts'
import { flagsOf } from './default-flags.ts'
import { type Config, readConfig } from './read-config.ts'
import type { Environment } from './reader.ts'
import { variables } from './variables.ts'

const certificate = createCertificate('mail.example.com', new Date('2100-01-01'))
const key = Buffer.alloc(32, 7)
const files: Readonly<Record<string, string>> = {
  '/run/url': 'postgresql://u:p@h/db\n',
  '/run/key': `${key.toString('hex')}\n`,
  '/run/empty': ' \n',
  '/run/ca.pem': certificate.cert,
}
const system = {
  workingDirectory: '/srv',
  readTextFile(path: string): string {
    const text = files[path]
    if (text === undefined) throw new Error(`ENOENT: no such file, open '${path}'`)
    return text
  },
}

function read(env: Environment): Config {
  return readConfig(env, system)
}

function faultsOf(env: Environment): readonly string[] {
  try {
    read(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.faults.map(({ name, message }) => `${name}: ${message}`)
    throw error
  }
  return []
}

test('an empty environment is a whole configuration', () => {
  expect(read({})).toEqual({
    home: '/srv/.millrace',
    roles: new Set(['api', 'worker', 'scheduler']),
    flags: undefined,
    http: {
      host: '127.0.0.1',
      port: 3000,
      publicUrl: undefined,
      metrics: { token: undefined },
      corsOrigins: [],
      trustedProxies: [],
      hsts: false,
      rateLimits: {
        global: { limit: 100, windowSeconds: 60 },
        auth: { limit: 10, windowSeconds: 60 },
        refresh: { limit: 60, windowSeconds: 60 },
        execution: { limit: 30, windowSeconds: 60 },
        credential: { limit: 600, windowSeconds: 60 },
      },
      rateExempt: [],
    },
    database: { url: undefined, connectionsMax: 32 },
    secretKey: undefined,
    acceptNewKey: false,
    engine: { executionsMax: 1000, executionsPerAccountMax: 500, executionEntriesMax: 1_000_000, executionBytesMax: 268_435_456 },
    secretsFile: undefined,
    vault: undefined,
    mail: undefined,
    models: { models: [], localUrl: undefined, tokensPerDay: undefined, costPerDay: undefined, texts: 'hashed' },
    devOutbox: true,
    forms: { salesAddress: undefined, proofBits: 14 },
    region: undefined,
    hostRegions: [],
    attestation: { timeStampUrl: undefined, timeStampCa: undefined, witnesses: [] },
    billing: {
      gates: new Set(),
      defaultPlan: 'unlimited',
      issuer: 'Millrace',
      issuerDetails: { country: undefined, vatId: undefined, companyId: undefined },
      taxRates: [],
      graceDays: 14,
      pspone: undefined,
      psptwo: undefined,
    },
    sms: { provider: undefined, countries: undefined, dailyMax: 500 },
    signIn: {
      registration: 'open',
      breachedPasswords: undefined,
      demandsSecondFactor: false,
      loginOne: undefined,
      loginTwo: undefined,
      dnsServers: [],
    },
    privateNetwork: [],
    retentionMs: 2_592_000_000,
    deletionGraceMs: 604_800_000,
    logLevel: 'info',
    shutdownMs: 10_000,
    warnings: [],
  })
})

test('every variable changes the configuration', () => {
  const config = read({
    PORT: '0',
    HOST: '0.0.0.0',
    DATABASE_URL: 'postgres://u:p@h:5432/db',
    MILLRACE_HOME: '/var/lib/millrace',
    MILLRACE_PUBLIC_URL: 'https://millrace.example.com/base/',
    MILLRACE_SECRET_KEY: key.toString('base64'),
    MILLRACE_SECRETS_FILE: 'secrets.json',
    MILLRACE_PIECES: 'pieces',
    MILLRACE_SMTP_URL: 'smtp://mill:hunter2@mail.example.com',
    MILLRACE_SMTP_TLS: 'optional',
    MILLRACE_SMTP_CA_FILE: '/run/ca.pem',
    MILLRACE_MAIL_FROM: 'Millrace <flows@example.com>',
    MILLRACE_MAIL_SENDER_DOMAINS: 'Shop.example, news.example',
    MILLRACE_ROLES: 'worker, scheduler',
    MILLRACE_FLAGS: 'isMagicLinkEnabled,isgovernedtyEvidenceEnabled',
    MILLRACE_RATE_LIMIT_GLOBAL: '1000/1',
    MILLRACE_RATE_LIMIT_AUTH: '5/300',
    MILLRACE_RATE_LIMIT_EXECUTION: '7/8',
    MILLRACE_CORS_ORIGINS: 'https://a.example,http://localhost:5173',
    MILLRACE_TRUST_PROXY: '10.0.0.0/8,::1',
    MILLRACE_PRIVATE_NETWORK: '192.168.1.10,fd00::/8',
    MILLRACE_DATABASE_CONNECTIONS: '8',
    MILLRACE_EXECUTIONS_MAX: '10',
    MILLRACE_EXECUTIONS_PER_ACCOUNT: '3',
    MILLRACE_EXECUTION_ENTRIES_MAX: '5000',
    MILLRACE_EXECUTION_BYTES_MAX: '1000000',
    MILLRACE_DELETION_GRACE: 'P2W',
    MILLRACE_LOG_LEVEL: 'debug',
    MILLRACE_SHUTDOWN_SECONDS: '30',
  })
  expect(config).toMatchObject({
    home: '/var/lib/millrace',
    roles: new Set(['worker', 'scheduler']),
    flags: new Set(['isMagicLinkEnabled', 'isgovernedtyEvidenceEnabled']),
    http: {
      host: '0.0.0.0',
      port: 0,
      publicUrl: 'https://millrace.example.com/base',
      corsOrigins: ['https://a.example', 'http://localhost:5173'],
      trustedProxies: ['10.0.0.0/8', '::1'],
      hsts: true,
      rateLimits: {
        global: { limit: 1000, windowSeconds: 1 },
        auth: { limit: 5, windowSeconds: 300 },
        execution: { limit: 7, windowSeconds: 8 },
      },
    },
    database: { connectionsMax: 8 },
    engine: { executionsMax: 10, executionsPerAccountMax: 3, executionEntriesMax: 5000, executionBytesMax: 1_000_000 },
    secretsFile: '/srv/secrets.json',
    pieces: '/srv/pieces',
    mail: {
      host: 'mail.example.com',
      port: 587,
      tls: 'optional',
      ca: certificate.cert,
      credentials: { user: 'mill' },
      from: { name: 'Millrace', address: 'flows@example.com' },
      senderDomains: ['shop.example', 'news.example'],
    },
    privateNetwork: ['192.168.1.10', 'fd00::/8'],
    deletionGraceMs: 1_209_600_000,
    logLevel: 'debug',
    shutdownMs: 30_000,
  })
  expect(config.database.url?.reveal()).toBe('postgres://u:p@h:5432/db')
  expect(config.secretKey?.reveal()).toEqual(new Uint8Array(key))
  expect(config.mail?.credentials?.password.reveal()).toBe('hunter2')
})

test.each([
  [{ MILLRACE_RATE_LIMIT_GLOBAL: '20/60' }, undefined],
  [
    { MILLRACE_RATE_LIMIT_GLOBAL: '1000/1', MILLRACE_RATE_LIMIT_CREDENTIAL: '5/60' },
    { limit: 5, windowSeconds: 60 },
  ],
  [{ MILLRACE_RATE_LIMIT_CREDENTIAL: 'off' }, undefined],
])('signed-in callers are counted for themselves, unless a limit for each address is set or they are not: %j', (env, credential) => {
  expect(read(env).http.rateLimits.credential).toEqual(credential)
})

test('a variable that is empty counts as unset', () => {
  expect(read(Object.fromEntries(Object.keys(variables).map((name) => [name, ' '])))).toEqual(read({}))
})

test('flags that are named as none are all false, which is not the default', () => {
  expect(read({ MILLRACE_FLAGS: ',' }).flags).toEqual(new Set())
})

test('secrets may lie in files', () => {
  const config = read({ DATABASE_URL_FILE: '/run/url', MILLRACE_SECRET_KEY_FILE: '/run/key' })
  expect(config.database.url?.reveal()).toBe('postgresql://u:p@h/db')
  expect(config.secretKey?.reveal()).toEqual(new Uint8Array(key))
})

test('printing the configuration shows no secret', () => {
  const config = read({
    DATABASE_URL: 'postgres://u:hunter2@h/db',
    MILLRACE_SECRET_KEY: key.toString('base64'),
    MILLRACE_SMTP_URL: 'smtp://u:hunter2@h',
    MILLRACE_MAIL_FROM: 'a@b.example',
  })
  for (const text of [JSON.stringify(config), inspect(config, { depth: 10, showHidden: true })]) {
    expect(text).not.toContain('hunter2')
    expect(text).not.toContain(key.toString('base64'))
  }
})

describe('faults', () => {
  test('all are reported at once, each with its name', () => {
    const faults = faultsOf({ PORT: 'http', MILLRACE_ROLES: 'api,wroker', MILLRACE_RATE_LIMIT_AUTH: '10', DATABASE_URL: 'mysql://h/db' })
    expect(new Set(faults.map((fault) => fault.split(':')[0]))).toEqual(
      new Set(['DATABASE_URL', 'MILLRACE_RATE_LIMIT_AUTH', 'MILLRACE_ROLES', 'PORT']),
    )
    expect(faults.join('\n')).toContain('did you mean worker?')
  })

  test.each([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['DATABASE_URL', 'localhost:5432/db'],
    ['DATABASE_URL', 'postgres://u:p@h'],
    ['MILLRACE_PUBLIC_URL', 'millrace.example.com'],
    ['MILLRACE_PUBLIC_URL', 'https://u:p@h'],
    ['MILLRACE_PUBLIC_URL', 'https://h/?a=b'],
    ['MILLRACE_SECRET_KEY', 'short'],
    ['MILLRACE_SECRET_KEY', key.toString('base64').slice(0, -4)],
    ['MILLRACE_SECRET_KEY_FILE', '/run/missing'],
    ['MILLRACE_SECRET_KEY_FILE', '/run/empty'],
    ['MILLRACE_ROLES', ','],
    ['MILLRACE_FLAGS', 'isGovernedtyEvidenceEnabled'],
    ['MILLRACE_RATE_LIMIT_GLOBAL', '0/60'],
    ['MILLRACE_RATE_LIMIT_GLOBAL', '100/0'],
    ['MILLRACE_RATE_LIMIT_GLOBAL', '100 per minute'],
    ['MILLRACE_RATE_LIMIT_CREDENTIAL', 'none'],
    ['MILLRACE_CORS_ORIGINS', 'https://a.example/'],
    ['MILLRACE_TRUST_PROXY', '10.0.0.0/33'],
    ['MILLRACE_TRUST_PROXY', 'proxy.internal'],
    ['MILLRACE_PRIVATE_NETWORK', '10.0.0/8'],
    ['MILLRACE_PRIVATE_NETWORK', 'fe80::1%eth0'],
    ['MILLRACE_DATABASE_CONNECTIONS', '1'],
    ['MILLRACE_EXECUTIONS_PER_ACCOUNT', '1001'],
    ['MILLRACE_DELETION_GRACE', '7'],
    ['MILLRACE_DELETION_GRACE', 'P91D'],
    ['MILLRACE_LOG_LEVEL', 'verbose'],
    ['MILLRACE_SHUTDOWN_SECONDS', '0'],
  ])('%s=%s is refused', (name, value) => {
    const faults = faultsOf({ [name]: value })
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatch(new RegExp(`^${name}: .*\\.$`))
  })

  test('every wrong value of a list is named', () => {
    const [fault = ''] = faultsOf({ MILLRACE_PRIVATE_NETWORK: '10.0.0.0/8, nonsense, 1.2.3' })
    expect(fault).toContain('"nonsense"')
    expect(fault).toContain('"1.2.3"')
  })

  test('a secret and its file at once are refused, because one of them would be ignored', () => {
    expect(faultsOf({ DATABASE_URL: 'postgres://h/db', DATABASE_URL_FILE: '/run/url' })).toEqual([
      'DATABASE_URL_FILE: DATABASE_URL is set too. Unset one of them.',
    ])
  })

  test('a token for the provider of flags is not sent over http, except to this machine', () => {
    const faults = (url: string) => faultsOf({ MILLRACE_FLAGS_URL: url, MILLRACE_FLAGS_TOKEN: 'hunter2' })
    expect(faults('http://flags.example.com')).toEqual([expect.stringMatching(/^MILLRACE_FLAGS_TOKEN: would be sent without encryption/)])
    expect(['https://flags.example.com', 'http://localhost:8016', 'http://[::1]:8016'].flatMap(faults)).toEqual([])
    expect(faultsOf({ MILLRACE_FLAGS_URL: 'http://flags.example.com' })).toEqual([])
  })

  test('no message repeats a secret', () => {
    expect(faultsOf({ DATABASE_URL: 'mysql://u:hunter2@h/db', MILLRACE_SECRET_KEY: 'hunter2' }).join()).not.toContain('hunter2')
  })
})

test('a misspelt variable is warned of with the name that was meant', () => {
  expect(read({ MILLRACE_RATE_LIMIT_EXECUTIONS: '1/1', MILLRACE_XXXXXXXXXXXXXXXXXXXXXXXX: '1', PATH: '/bin' }).warnings).toEqual([
    'MILLRACE_RATE_LIMIT_EXECUTIONS is set, but Millrace reads no such variable; did you mean MILLRACE_RATE_LIMIT_EXECUTION?',
    'MILLRACE_XXXXXXXXXXXXXXXXXXXXXXXX is set, but Millrace reads no such variable',
  ])
})

test.each([
  [{}, true],
  [{ HOST: '::1', MILLRACE_PUBLIC_URL: 'http://localhost:3000' }, true],
  [{ HOST: '0.0.0.0' }, false],
  [{ MILLRACE_PUBLIC_URL: 'https://millrace.example.com' }, false],
  [{ MILLRACE_TRUST_PROXY: '127.0.0.1' }, false],
  [{ MILLRACE_SMTP_URL: 'smtp://h', MILLRACE_MAIL_FROM: 'a@b.example' }, false],
])('mails of %j are kept for development: %s', (env, kept) => {
  expect(read(env).devOutbox).toBe(kept)
})

test('without MILLRACE_FLAGS a flag is true when its parts are configured', () => {
  const flags = (env: Readonly<Record<string, string>>) => [...flagsOf(read(env))]
  const byMail = ['isEmailVerifyEnabled', 'isMagicLinkEnabled', 'isPasswordResetEnabled']
  const always = ['isGuardianReceiptEnabled', 'isgovernedtyEvidenceEnabled']
  expect(flags({})).toEqual([...always, ...byMail, 'isPhoneOtpEnabled'])
  expect(flags({ MILLRACE_SMTP_URL: 'smtp://h', MILLRACE_MAIL_FROM: 'a@b.example' })).toEqual([...always, ...byMail])
  expect(flags({ HOST: '0.0.0.0' })).toEqual(always)
  expect(flags({ MILLRACE_FLAGS: 'isMagicLinkEnabled' })).toEqual(['isMagicLinkEnabled'])
  expect(flags({ MILLRACE_FLAGS: ',' })).toEqual([])
})
