import {
  type AnyOperation,
  apiKeys,
  approvals,
  auth,
  deadLetters,
  events,
  eventSubscriptions,
  executions,
  files,
  health,
  workflows,
} from '@millrace/contract'
import { type Kysely, sql } from 'kysely'
import { vi } from 'vitest'
import type { Rows } from '#platform/db/rows.ts'
import { fromTypeId } from '#platform/ids.ts'
import { type ApiResponse, type Call, call, dig, textAt } from './calls.ts'
import type { Perform } from './areas/area.ts'
import { areas } from './areas/areas.ts'
import { approvalWorkflow, firstApproval, greetingWorkflow, sleepingWorkflow, registerUser } from './two-accounts.ts'

/**
 * Calls every operation once with success, in an order in which each finds what it needs; returns the responses by the id of the operation.
 *
 * @param onCall receives the parts of each call before it is sent
 */
export async function exerciseOperations(
  url: string,
  operatorToken: string,
  db: Kysely<Rows>,
  onCall: (op: AnyOperation, parts: Call) => void = () => undefined,
): Promise<ReadonlyMap<string, ApiResponse>> {
  const responses = new Map<string, ApiResponse>()
  const perform = async (op: AnyOperation, parts: Call): Promise<unknown> => {
    onCall(op, parts)
    const response = await call(url, op, parts)
    responses.set(op.id, response)
    return response.body
  }
  await inspect(perform, operatorToken)
  const token = await signIn(url, perform)
  await useKeys(perform, token)
  await useWorkflows(perform, token)
  await useEvents(url, perform, token)
  await controlExecutions(url, perform, token)
  await decideApprovals(url, perform, { token, db })
  for (const { exercise } of areas) await exercise({ url, perform, token: (await registerUser(url)).token, operatorToken, db })
  await signOut(url, perform)
  return responses
}

async function inspect(perform: Perform, token: string): Promise<void> {
  await perform(health.live, {})
  await perform(health.ready, {})
  for (const op of [health.database, health.models, health.providers, health.system, health.testMail]) await perform(op, { token })
}

async function signIn(url: string, perform: Perform): Promise<string> {
  const { email, password } = await registerUser(url)
  await perform(auth.register, { body: { email: `second-${email}`, password } })
  const first = textAt(await perform(auth.login, { body: { email, password } }), 'jti')
  const second = await perform(auth.login, { body: { email, password } })
  const token = textAt(await perform(auth.refresh, { body: { refreshToken: textAt(second, 'refreshToken') } }), 'accessToken')
  await perform(auth.me, { token })
  await perform(auth.sessions, { token })
  await perform(auth.revokeSession, { token, params: { jti: first } })
  return token
}

async function useKeys(perform: Perform, token: string): Promise<void> {
  const id = textAt(await perform(apiKeys.create, { token, body: { name: 'life', scopes: ['workflows:read'] } }), 'id')
  await perform(apiKeys.list, { token })
  await perform(apiKeys.rotate, { token, params: { id }, body: { overlap: 'PT1M' } })
  await perform(apiKeys.revoke, { token, params: { id } })
}

async function useWorkflows(perform: Perform, token: string): Promise<void> {
  const id = textAt(await perform(workflows.create, { token, body: { definition: greetingWorkflow } }), 'id')
  const params = { id }
  await perform(workflows.list, { token, query: { q: 'greeting' } })
  await perform(workflows.get, { token, params })
  await perform(workflows.update, { token, params, body: { description: 'Says hello.' } })
  await perform(workflows.executionRequirements, { token, params })
  await perform(workflows.using, { token, query: { variable: 'REGION' } })
  const executionId = textAt(await perform(executions.start, { token, params, body: { input: { name: 'Ada' } } }), 'id')
  await perform(executions.run, { token, params, body: { input: { name: 'Ada' } } })
  await perform(executions.list, { token, params })
  await perform(executions.get, { token, params: { executionId } })
  await perform(executions.record, { token, params: { executionId } })
  await perform(executions.attemptLog, { token, params: { executionId }, query: { position: '/do/0/greet' } })
  await perform(executions.stream, { token, params: { executionId } })
  const exported = await perform(workflows.export, { token, params })
  await perform(workflows.duplicate, { token, params, body: {} })
  await perform(workflows.tags, { token })
  await perform(workflows.delete, { token, params })
  await perform(workflows.createFromTemplate, { token, params: { templateId: 'order-processing' }, body: {} })
  await perform(workflows.import, { token, body: { export: exported, publish: true } })
}

async function controlExecutions(url: string, perform: Perform, token: string): Promise<void> {
  const { body: workflow } = await call(url, workflows.create, { token, body: { definition: sleepingWorkflow } })
  const started = await call(url, executions.start, { token, params: { id: textAt(workflow, 'id') } })
  const params = { executionId: textAt(started.body, 'id') }
  const headers = { prefer: 'wait=10' }
  await perform(executions.suspend, { token, params, headers })
  await perform(executions.resume, { token, params })
  await perform(executions.cancel, { token, params, headers })
  await perform(executions.retry, { token, params, body: {} })
}

async function useEvents(url: string, perform: Perform, token: string): Promise<void> {
  const event = { specversion: '1.0', id: '1', source: '/laws', type: 'com.example.law' }
  await perform(events.publish, { token, body: event })
  const id = textAt(await perform(events.list, { token }), 'data', '0', 'id')
  await perform(events.get, { token, params: { id } })
  // No server listens on this port.
  const body = { name: 'law', url: 'http://127.0.0.1:9/', types: ['com.example.*'] }
  const params = { id: textAt(await perform(eventSubscriptions.create, { token, body }), 'id') }
  await perform(eventSubscriptions.list, { token })
  await perform(eventSubscriptions.get, { token, params })
  await perform(eventSubscriptions.rotate, { token, params, body: {} })
  await perform(eventSubscriptions.test, { token, params })
  await call(url, events.publish, { token, body: { ...event, id: '2' } })
  await perform(eventSubscriptions.deliveries, { token, params })
  await perform(eventSubscriptions.update, { token, params, body: { enabled: false } })
  const deadLetterId = textAt(await perform(deadLetters.list, { token }), 'data', '0', 'id')
  await perform(deadLetters.get, { token, params: { id: deadLetterId } })
  await call(url, eventSubscriptions.update, { token, params, body: { enabled: true } })
  await perform(deadLetters.replay, { token, params: { id: deadLetterId }, body: {} })
  await perform(deadLetters.replayAll, { token, body: {} })
  await perform(eventSubscriptions.delete, { token, params })
}

async function decideApprovals(
  url: string,
  perform: Perform,
  { token, db }: { readonly token: string; readonly db: Kysely<Rows> },
): Promise<void> {
  const wf = textAt((await call(url, workflows.create, { token, body: { definition: approvalWorkflow } })).body, 'id')
  const input = { photo: 'runs/law.txt' }
  const fileId = textAt((await call(url, files.put, { token, query: { name: input.photo }, body: 'a photo' })).body, 'id')
  const start = async () => {
    const executionId = textAt((await call(url, executions.start, { token, params: { id: wf }, body: { input } })).body, 'id')
    return { executionId, approvalId: await firstApproval(url, token, executionId) }
  }
  const params = await start()
  await perform(approvals.list, { token })
  await perform(approvals.file, { token, params: { ...params, fileId } })
  await perform(files.ofExecution, { token, params: { executionId: params.executionId } })
  await perform(approvals.ofExecution, { token, params: { executionId: params.executionId } })
  const me = textAt((await call(url, auth.me, { token })).body, 'id')
  await perform(approvals.reassign, { token, params, body: { to: me, from: 'outside@example.org' } })
  await perform(approvals.answer, { token, params, body: { decision: 'approve' } })
  // These tests send no mail, so the digest of a known token replaces that of the mail.
  const other = await start()
  const linked = `mla_${'l'.repeat(43)}`
  await vi.waitFor(
    async () => {
      const { rows } = await sql`
        update approval_mails set token_hash = sha256(${linked}::bytea)
        where approval_id = ${fromTypeId('apr', other.approvalId)} and email = 'outside@example.org' returning id`.execute(db)
      if (rows.length !== 1) throw new Error('the invitation is not recorded yet')
    },
    { timeout: 60_000 },
  )
  await perform(approvals.show, { params: { token: linked } })
  await perform(approvals.linkedFile, { params: { token: linked, fileId } })
  await perform(approvals.answerByLink, { params: { token: linked }, body: { decision: 'approve' } })
}

async function signOut(url: string, perform: Perform): Promise<void> {
  const { email, password, token } = await registerUser(url)
  await perform(auth.logout, { token })
  const newToken = async () => textAt((await call(url, auth.login, { body: { email, password } })).body, 'accessToken')
  await perform(auth.logoutAll, { token: await newToken() })
  await perform(auth.deleteMe, { token: await newToken() })
}

/** The member `message` of the output of a run. */
export function messageOf(response: ApiResponse | undefined): unknown {
  return dig(response?.body, ['message'])
}
