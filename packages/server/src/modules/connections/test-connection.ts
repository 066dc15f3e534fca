import { createTextMask, WorkflowError } from '@millrace/engine'
import * as z from 'zod'
import { parseMailbox } from '#platform/mail/mailbox.ts'
import { verifySmtp } from '#platform/mail/smtp-mailer.ts'
import type { GuardedAddress } from '#platform/net/guarded-address.ts'
import { openBucket } from '#platform/s3/s3-bucket.ts'
import { queryMysql } from '#platform/sql/query-mysql.ts'
import { queryPostgres } from '#platform/sql/query-postgres.ts'
import { authorisedPort, type Http } from './authorised-port.ts'
import { jsonOf } from './json-of.ts'
import type { ConnectionSecrets, SettingsOf, TestResult, UsableConnection } from './model.ts'
import { secretTexts } from './secret-texts.ts'
import { imapOf, smtpOf, sqlServerOf } from './servers.ts'

export interface TestDeps {
  readonly http: Http
  readonly address: GuardedAddress
  /** A token for client credentials, without keeping it. */
  readonly requestToken: (connection: Omit<UsableConnection, 'accessToken'>) => Promise<string>
}

const timeoutMs = 15_000
const problemMax = 500

/** Connects to the service with the credentials, as a workflow would. The problem that it reports has no secrets. */
export async function testConnection(connection: UsableConnection, deps: TestDeps): Promise<TestResult> {
  if (needsConsent(connection)) return { state: 'unauthorized', problem: 'Authorize the connection: no person has consented yet.' }
  try {
    await probe(connection, deps)
    return { state: 'ready', problem: undefined }
  } catch (error) {
    const text =
      error instanceof WorkflowError ? (error.data.detail ?? error.data.title) : error instanceof Error ? error.message : 'It failed.'
    return { state: 'failed', problem: createTextMask(secretTexts(connection)).text(text).slice(0, problemMax) }
  }
}

function needsConsent({ settings, accessToken }: UsableConnection): boolean {
  return settings.kind === 'oauth2' && settings.grant === 'authorization_code' && accessToken === undefined
}

async function probe(connection: UsableConnection, deps: TestDeps): Promise<void> {
  const { settings, secrets } = connection
  const signal = AbortSignal.timeout(timeoutMs)
  switch (settings.kind) {
    case 'api-key':
    case 'bearer':
    case 'basic':
    case 'mutual-tls':
      return probeHttp(connection, settings, deps.http)
    case 'oauth2': {
      const accessToken = connection.accessToken ?? (await deps.requestToken(connection))
      return probeHttp({ ...connection, accessToken }, settings, deps.http)
    }
    case 'database': {
      const server = await sqlServerOf(settings, secrets, deps.address)
      const query = { text: 'select 1 as one', values: [], rowsMax: 1, bytesMax: 1_000, timeoutMs }
      await (settings.engine === 'postgresql' ? queryPostgres : queryMysql)(server, query, signal)
      return
    }
    case 'smtp':
      if (parseMailbox(settings.from) === undefined) throw new Error('The sender (from) is not a mail address.')
      return verifySmtp(await smtpOf(settings, secrets, deps.address))
    case 'imap':
      return probeImap(settings, secrets, deps.address)
    case 's3':
      await openBucket({ ...settings, secretAccessKey: secrets['secretAccessKey'] ?? '' }, deps.http, signal).listObjects('/', '', 1)
  }
}

interface Tested {
  readonly url: string
  readonly testPath?: string | undefined
}

async function probeHttp(connection: UsableConnection, tested: Tested, http: Http): Promise<void> {
  const { status, body } = await askHttp(connection, tested, http)
  const hasPath = (tested.testPath ?? '') !== ''
  if (status === 401 || status === 403) throw new Error(`The service refuses the credentials: it answered ${status}.`)
  if (status >= 500 || (status >= 400 && hasPath)) throw new Error(`The service answered ${status}.`)
  if (hasPath) assertAccepted(body)
}

/** Whether the service answers 401 to the test; not if it cannot be reached. */
export async function refusesCredentials(connection: UsableConnection, tested: Tested, http: Http): Promise<boolean> {
  return askHttp(connection, tested, http).then(
    ({ status }) => status === 401,
    () => false,
  )
}

async function askHttp(connection: UsableConnection, { url, testPath = '' }: Tested, http: Http) {
  const request = {
    method: 'GET',
    url: testPath === '' ? url : url.replace(/\/+$/, '') + testPath,
    headers: { accept: '*/*', 'user-agent': 'millrace' },
    followRedirects: false,
    timeoutMs,
    maxResponseBytes: 1024 * 1024,
  }
  return authorisedPort(http, connection).request(request, AbortSignal.timeout(timeoutMs))
}

/** Some services, such as Slack, answer 200 to what they refuse, and say `"ok": false`. */
function assertAccepted(body: Uint8Array): void {
  const reply = Refusal.safeParse(jsonOf(body))
  if (!reply.success) return
  throw new Error(`The service refuses: ${reply.data.error ?? reply.data.description ?? 'it answered "ok": false'}.`)
}

const Refusal = z.object({ ok: z.literal(false), error: z.string().optional(), description: z.string().optional() })

async function probeImap(settings: SettingsOf<'imap'>, secrets: ConnectionSecrets, address: GuardedAddress): Promise<void> {
  const client = await imapOf(settings, secrets, address)
  await client.connect()
  await client.logout()
}
