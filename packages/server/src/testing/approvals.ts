import { type Client, createClient } from '@millrace/client'
import { groups, type Role } from '@millrace/contract'
import type { JsonObject } from '@millrace/engine'
import { sql } from 'kysely'
import { vi } from 'vitest'
import { fromTypeId, newId, toTypeId } from '#platform/ids.ts'
import type { TestSmtpServer } from '#platform/mail/testing-smtp-server.ts'
import type { Answer, TestAccount, TestServer } from './server.ts'
import { documentOf, labelled } from './definitions.ts'

type Owner = Pick<TestAccount, 'client' | 'send' | 'accountId'>

/** Another user of an account, signed in. */
export interface Member {
  readonly id: string
  readonly userId: string
  readonly email: string
  readonly token: string
  readonly client: Client<typeof groups>
  decide(asked: TestApproval, body: unknown): Promise<Answer>
}

/** An approval that was asked for. */
export interface TestApproval {
  readonly executionId: string
  readonly approvalId: string
}

const timeout = 180_000
let members = 0

/** Adds a user to an account, since there are no invitations yet: with the password of the first one. */
export async function addMember({ url, database }: TestServer, account: TestAccount, role: Role = 'member'): Promise<Member> {
  const [userId, email] = [newId(), `member${++members}@example.com`]
  await sql`insert into users (id, account_id, email, name, role, created_at)
    values (${userId}, ${account.accountId}, ${email}, ${`Member ${members}`}, ${role}, now())`.execute(database.system)
  await sql`insert into user_passwords (user_id, account_id, hash, changed_at)
    select ${userId}, account_id, hash, now() from user_passwords where user_id = ${account.userId}`.execute(database.system)
  const signedIn = await createClient({ baseUrl: url, groups }).auth.login({ body: { email, password: account.password } })
  if (signedIn.status !== 'signed_in') throw new Error('a new member has no second factor')
  const { accessToken: token } = signedIn
  return {
    id: toTypeId('usr', userId),
    userId,
    email,
    token,
    client: createClient({ baseUrl: url, groups, token }),
    decide: (asked, body) => decideAs(url, token, asked, body),
  }
}

/** Answers as whom the token is of. */
export async function decideAs(url: string, token: string, { executionId, approvalId }: TestApproval, body: unknown): Promise<Answer> {
  const response = await fetch(`${url}/api/v1/workflows/executions/${executionId}/approvals/${approvalId}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

/** Starts a workflow with these tasks (as YAML below the header). */
export async function startWorkflow(owner: Owner, tasks: string, input: JsonObject = {}): Promise<string> {
  return startDocument(owner, documentOf(tasks), input)
}

async function startDocument({ client }: Owner, definition: string, input: JsonObject): Promise<string> {
  const { id } = await client.workflows.create({ body: { definition } })
  return (await client.workflows.execute({ params: { id }, body: { input } })).id
}

/**
 * Starts a workflow that asks once, and gives what it asks.
 * @param labels of the execution, as YAML
 */
export async function openApproval(owner: Owner, args: JsonObject, labels?: string): Promise<TestApproval> {
  const document = documentOf(`do:\n  - ask: ${JSON.stringify({ call: 'approve', with: { title: 'Release', ...args } })}\n`)
  const executionId = await startDocument(owner, labels === undefined ? document : labelled(document, labels), {})
  return onlyApprovalOf(owner, executionId)
}

/** The approvals of an execution, once there are so many. */
export async function approvalsOf({ client }: Pick<Owner, 'client'>, executionId: string, count: number) {
  return vi.waitFor(
    async () => {
      const { data } = await client.approvals.ofExecution({ params: { executionId } })
      if (data.length < count) throw new Error(`${data.length} approvals instead of ${count}`)
      return data
    },
    { timeout },
  )
}

/** The one approval of an execution, once it is asked for. */
export async function onlyApprovalOf(owner: Pick<Owner, 'client'>, executionId: string): Promise<TestApproval> {
  const [first] = await approvalsOf(owner, executionId, 1)
  if (first === undefined) throw new Error('nothing is asked')
  return { executionId, approvalId: first.id }
}

/** The one approval as it stands. */
export async function currentApproval({ client }: Pick<Owner, 'client'>, { executionId, approvalId }: TestApproval) {
  const { data } = await client.approvals.ofExecution({ params: { executionId } })
  const found = data.find(({ id }) => id === approvalId)
  if (found === undefined) throw new Error('the approval is gone')
  return found
}

/** The execution once it has ended. */
export async function endedExecution({ client }: Pick<Owner, 'client'>, executionId: string) {
  return vi.waitFor(
    async () => {
      const execution = await client.workflows.execution({ params: { executionId } })
      if (execution.endedAt === null) throw new Error(`the execution is ${execution.state}`)
      return execution
    },
    { timeout },
  )
}

/** Makes an approval older by some seconds, as if it had been asked for earlier. */
export async function makeOlder(
  { database }: Pick<TestServer, 'database'>,
  { approvalId }: Pick<TestApproval, 'approvalId'>,
  seconds: number,
) {
  await sql`
    update approvals set opened_at = opened_at - make_interval(secs => ${seconds}), due_at = due_at - make_interval(secs => ${seconds})
    where id = ${fromTypeId('apr', approvalId)}`.execute(database.system)
}

/** Settings of an installation that sends its mails to this server. */
export function mailingTo({ port }: Pick<TestSmtpServer, 'port'>) {
  return {
    MILLRACE_SMTP_URL: `smtp://127.0.0.1:${port}`,
    MILLRACE_SMTP_TLS: 'off',
    MILLRACE_MAIL_FROM: 'Millrace <flows@example.com>',
    MILLRACE_PUBLIC_URL: 'http://millrace.example',
  }
}

/** The mails to an address, once there are so many; each with the token of its link. */
export async function mailsTo({ deliveries }: Pick<TestSmtpServer, 'deliveries'>, email: string, count = 1) {
  return vi.waitFor(
    () => {
      const found = deliveries.filter(({ recipients }) => recipients.includes(email))
      if (found.length < count) throw new Error(`${found.length} mails to ${email} instead of ${count}`)
      return found.map(({ mail }) => ({
        subject: mail.subject ?? '',
        text: mail.text ?? '',
        messageId: mail.messageId,
        token: /http:\/\/millrace\.example\/approve\/(?<token>\S+)/.exec(mail.text ?? '')?.groups?.['token'] ?? '',
      }))
    },
    { timeout },
  )
}

/** Calls the URL of a link, without signing in. */
export async function callLink(url: string, token: string, body?: unknown): Promise<Answer> {
  const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(`${url}/api/v1/approvals/${token}`, body === undefined ? {} : sent)
  return { status: response.status, headers: response.headers, body: await response.json() }
}
