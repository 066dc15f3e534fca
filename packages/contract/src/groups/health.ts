import * as z from 'zod'
import { operation } from '#src/operation.ts'

const Status = z.enum(['ok', 'degraded', 'down']).describe('`ok`: works. `degraded`: works with less. `down`: does not work.')

const DatabaseHealth = z
  .object({
    status: Status,
    latencyMs: z.number().nullable().describe('Time of one round trip in milliseconds; null when the database does not answer.'),
    migrations: z.object({ applied: z.int(), pending: z.int().describe('Migrations that this build brings and the database lacks.') }),
    pool: z.object({
      total: z.int().describe('Open connections.'),
      idle: z.int().describe('Open connections without work.'),
      waiting: z.int().describe('Requests waiting for a connection.'),
    }),
  })
  .meta({ id: 'DatabaseHealth' })

const PartHealth = z
  .object({
    name: z.string(),
    configured: z.boolean(),
    reachable: z.boolean().nullable().describe('Null if it is not configured and was not tried.'),
    latencyMs: z.number().nullable(),
    detail: z.string().nullable().describe('What is wrong and what to do.'),
  })
  .meta({ id: 'PartHealth', description: 'Health of one external part.' })

const PartsHealth = z.object({ status: Status, data: z.array(PartHealth) })

/** What a test mail can end with. */
export const mailOutcomes = [
  'sent',
  'not_configured',
  'unknown_host',
  'unreachable',
  'certificate',
  'no_tls',
  'login_refused',
  'refused',
  'timeout',
  'failed',
] as const

const MailTest = z
  .object({
    outcome: z
      .enum(mailOutcomes)
      .describe(
        '`sent`: the server took the mail. `certificate`: it is not trusted. `no_tls`: the server does not encrypt as it is configured to. `refused`: the server refused the sender, the recipient or the mail.',
      ),
    to: z.string().describe('The address of the caller.'),
    server: z.string().nullable().describe('Host and port; null if no mail server is configured.'),
    detail: z.string().describe('What happened and what to do.'),
    answer: z.string().nullable().describe('What the server or the connection said, at most 300 characters; null if nothing was said.'),
  })
  .meta({ id: 'MailTest' })

const MailTrouble = z
  .object({
    since: z.iso.datetime().describe('Time of the first of these attempts.'),
    failures: z.int().describe('Attempts that failed in a row.'),
    reason: z.string().describe('Of the last one.'),
  })
  .meta({ id: 'MailTrouble' })

const live = operation({
  id: 'health.live',
  method: 'GET',
  path: '/api/v1/health',
  summary: 'Check whether the server is up',
  description: 'For load balancers and monitors: requires no credential, uses no database and reveals nothing.',
  stability: 'stable',
  auth: 'public',
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  transaction: 'none',
  reply: z.object({ status: z.literal('ok') }),
  errors: [],
})

const ready = operation({
  id: 'health.ready',
  method: 'GET',
  path: '/api/v1/health/ready',
  summary: 'Check whether the server can work',
  description:
    'For load balancers: requires no credential. Responds with 503 while the database does not respond or lacks migrations, and while the server stops.',
  stability: 'stable',
  auth: 'public',
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  transaction: 'own',
  reply: z.object({ status: z.literal('ok') }),
  errors: [],
})

const database = operation({
  id: 'health.database',
  method: 'GET',
  path: '/api/v1/health/db',
  summary: 'Health of the database',
  description:
    'Latency of a round trip, state of the migrations, and use of the connection pool. Responds with 200 and `down` if the database does not respond.',
  stability: 'stable',
  auth: { scope: 'health:read' },
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  transaction: 'own',
  reply: DatabaseHealth,
  errors: [],
})

const models = operation({
  id: 'health.models',
  method: 'GET',
  path: '/api/v1/health/models',
  summary: 'Health of the model runtimes',
  description: 'The configured model runtimes, and whether they respond.',
  stability: 'stable',
  auth: { scope: 'health:read' },
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  transaction: 'own',
  reply: PartsHealth,
  errors: [],
})

const providers = operation({
  id: 'health.providers',
  method: 'GET',
  path: '/api/v1/health/providers',
  summary: 'Health of the outside providers',
  description: 'The configured providers (mail, payment, sign-in, storage), and whether they respond.',
  stability: 'stable',
  auth: { scope: 'health:read' },
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  transaction: 'own',
  reply: PartsHealth,
  errors: [],
})

const system = operation({
  id: 'system.health',
  method: 'GET',
  path: '/api/v1/system/health',
  summary: 'State of the whole installation',
  description: 'For operators: the database, the queue, the process, the disk and the external parts in one response.',
  stability: 'stable',
  auth: { scope: 'system:read' },
  role: 'operator',
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  transaction: 'own',
  reply: z.object({
    status: Status,
    version: z.string().describe('Version of Millrace that runs.'),
    address: z
      .string()
      .describe('Where links in mails and the addresses of webhooks lead: `MILLRACE_PUBLIC_URL`, or else where this process listens.'),
    startedAt: z.iso.datetime(),
    roles: z.array(z.enum(['api', 'worker', 'scheduler'])).describe('What this process does.'),
    database: DatabaseHealth,
    queue: z.object({
      depth: z.int().describe('Executions that are due and not claimed.'),
      active: z.int().describe('Executions that are claimed.'),
      deadLetters: z.int(),
      oldestWaitingSeconds: z.number().nullable().describe('For how long the oldest of the due executions has waited; null without any.'),
    }),
    executions: z.object({ running: z.int(), waiting: z.int() }),
    processes: z
      .array(
        z.object({
          host: z.string(),
          pid: z.int(),
          roles: z.array(z.enum(['api', 'worker', 'scheduler'])),
          startedAt: z.iso.datetime(),
          heartbeatAt: z.iso.datetime(),
        }),
      )
      .describe('Live processes of the installation, oldest first; at most 100.'),
    missingRoles: z
      .array(z.enum(['api', 'worker', 'scheduler']))
      .describe(
        'Roles that no live process has: without `worker` nothing runs, without `scheduler` no schedule, deadline or mail is processed.',
      ),
    process: z.object({
      eventLoopDelayMs: z.object({ mean: z.number(), p99: z.number() }).describe('How late timers are, over the last minute.'),
      memoryBytes: z.object({ resident: z.int(), heap: z.int() }),
    }),
    disk: z
      .object({ freeBytes: z.int(), totalBytes: z.int() })
      .nullable()
      .describe('Disk under the data directory; null when it cannot be read.'),
    models: z.array(PartHealth),
    providers: z.array(PartHealth),
    mailTrouble: MailTrouble.nullable().describe(
      'Set once three attempts to send a mail have failed in a row because of the mail server; null once one was sent.',
    ),
  }),
  errors: [],
})

const testMail = operation({
  id: 'health.testMail',
  method: 'POST',
  path: '/api/v1/system/test-mail',
  summary: 'Send a test mail',
  description:
    'For operators: sends one mail to the own address over the mail server of the installation, at once and on a connection of its own, and returns what the server answered.',
  stability: 'stable',
  auth: { scope: 'system:write' },
  role: 'operator',
  rateLimit: 'auth',
  audit: 'none',
  idempotency: 'keyed',
  transaction: 'own',
  reply: MailTest,
  errors: [],
})

/** Health of the installation and its parts. */
export const health = { live, ready, database, models, providers, system, testMail } as const
