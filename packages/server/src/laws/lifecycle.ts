import {
  type AnyOperation,
  apiKeys,
  approvals,
  auth,
  deadLetters,
  events,
  eventSubscriptions,
  executions,
  health,
  workflows,
} from '@millrace/contract'
import { type Kysely, sql } from 'kysely'
import { vi } from 'vitest'
import type { Rows } from '#platform/db/rows.ts'
import { fromTypeId } from '#platform/ids.ts'
import { type Answer, type Call, call, dig, textAt } from './calls.ts'
import { asking, firstApproval, greeting, napping, settle } from './world.ts'

/** Everything that an account does from its first to its last day, through every operation; the answers by the id of the operation. */
export async function liveThrough(url: string, operatorToken: string, db: Kysely<Rows>): Promise<ReadonlyMap<string, Answer>> {
  const answers = new Map<string, Answer>()
  const go = async (op: AnyOperation, parts: Call): Promise<unknown> => {
    const answer = await call(url, op, parts)
    answers.set(op.id, answer)
    return answer.body
  }
  await inspect(go, operatorToken)
  const token = await signIn(url, go)
  await useKeys(go, token)
  await useWorkflows(go, token)
  await useEvents(url, go, token)
  await controlExecutions(url, go, token)
  await decideApprovals(url, go, { token, db })
  await signOut(url, go)
  return answers
}

type Go = (op: AnyOperation, parts: Call) => Promise<unknown>

async function inspect(go: Go, token: string): Promise<void> {
  await go(health.live, {})
  for (const op of [health.database, health.models, health.providers, health.system]) await go(op, { token })
}

async function signIn(url: string, go: Go): Promise<string> {
  const { email, password } = await settle(url)
  await go(auth.register, { body: { email: `second-${email}`, password } })
  const first = textAt(await go(auth.login, { body: { email, password } }), 'jti')
  const second = await go(auth.login, { body: { email, password } })
  const token = textAt(await go(auth.refresh, { body: { refreshToken: textAt(second, 'refreshToken') } }), 'accessToken')
  await go(auth.me, { token })
  await go(auth.sessions, { token })
  await go(auth.revokeSession, { token, params: { jti: first } })
  return token
}

async function useKeys(go: Go, token: string): Promise<void> {
  const id = textAt(await go(apiKeys.create, { token, body: { name: 'life', scopes: ['workflows:read'] } }), 'id')
  await go(apiKeys.list, { token })
  await go(apiKeys.rotate, { token, params: { id }, body: { overlap: 'PT1M' } })
  await go(apiKeys.revoke, { token, params: { id } })
}

async function useWorkflows(go: Go, token: string): Promise<void> {
  const id = textAt(await go(workflows.create, { token, body: { definition: greeting } }), 'id')
  const params = { id }
  await go(workflows.list, { token, query: { q: 'greeting' } })
  await go(workflows.get, { token, params })
  await go(workflows.update, { token, params, body: { description: 'Says hello.' } })
  await go(workflows.executionRequirements, { token, params })
  const executionId = textAt(await go(executions.start, { token, params, body: { input: { name: 'Ada' } } }), 'id')
  await go(executions.run, { token, params, body: { input: { name: 'Ada' } } })
  await go(executions.list, { token, params })
  await go(executions.get, { token, params: { executionId } })
  await go(executions.stream, { token, params: { executionId } })
  const exported = await go(workflows.export, { token, params })
  await go(workflows.delete, { token, params })
  await go(workflows.createFromTemplate, { token, params: { templateId: 'order-processing' }, body: {} })
  await go(workflows.import, { token, body: { export: exported, publish: true } })
}

async function controlExecutions(url: string, go: Go, token: string): Promise<void> {
  const { body: workflow } = await call(url, workflows.create, { token, body: { definition: napping } })
  const started = await call(url, executions.start, { token, params: { id: textAt(workflow, 'id') } })
  const params = { executionId: textAt(started.body, 'id') }
  const headers = { prefer: 'wait=10' }
  await go(executions.suspend, { token, params, headers })
  await go(executions.resume, { token, params })
  await go(executions.cancel, { token, params, headers })
  await go(executions.retry, { token, params, body: {} })
}

async function useEvents(url: string, go: Go, token: string): Promise<void> {
  const event = { specversion: '1.0', id: '1', source: '/laws', type: 'com.example.law' }
  await go(events.publish, { token, body: event })
  const id = textAt(await go(events.list, { token }), 'data', '0', 'id')
  await go(events.get, { token, params: { id } })
  // Nothing listens there.
  const body = { name: 'law', url: 'http://127.0.0.1:9/', types: ['com.example.*'] }
  const params = { id: textAt(await go(eventSubscriptions.create, { token, body }), 'id') }
  await go(eventSubscriptions.list, { token })
  await go(eventSubscriptions.get, { token, params })
  await go(eventSubscriptions.rotate, { token, params, body: {} })
  await go(eventSubscriptions.test, { token, params })
  await call(url, events.publish, { token, body: { ...event, id: '2' } })
  await go(eventSubscriptions.deliveries, { token, params })
  await go(eventSubscriptions.update, { token, params, body: { enabled: false } })
  const letter = textAt(await go(deadLetters.list, { token }), 'data', '0', 'id')
  await go(deadLetters.get, { token, params: { id: letter } })
  await call(url, eventSubscriptions.update, { token, params, body: { enabled: true } })
  await go(deadLetters.replay, { token, params: { id: letter }, body: {} })
  await go(deadLetters.replayAll, { token, body: {} })
  await go(eventSubscriptions.delete, { token, params })
}

async function decideApprovals(url: string, go: Go, { token, db }: { readonly token: string; readonly db: Kysely<Rows> }): Promise<void> {
  const wf = textAt((await call(url, workflows.create, { token, body: { definition: asking } })).body, 'id')
  const start = async () => {
    const executionId = textAt((await call(url, executions.start, { token, params: { id: wf }, body: {} })).body, 'id')
    return { executionId, approvalId: await firstApproval(url, token, executionId) }
  }
  const params = await start()
  await go(approvals.list, { token })
  await go(approvals.ofExecution, { token, params: { executionId: params.executionId } })
  await go(approvals.answer, { token, params, body: { decision: 'approve' } })
  // No mail leaves these tests, so the link is made here: a token whose digest is put where that of a mail would stand.
  const other = await start()
  const linked = `mla_${'l'.repeat(43)}`
  await vi.waitFor(
    async () => {
      const { rows } = await sql`
        update approval_mails set token_hash = sha256(${linked}::bytea)
        where approval_id = ${fromTypeId('apr', other.approvalId)} and email = 'outside@example.org' returning id`.execute(db)
      if (rows.length !== 1) throw new Error('nobody has been asked yet')
    },
    { timeout: 10_000 },
  )
  await go(approvals.show, { params: { token: linked } })
  await go(approvals.answerByLink, { params: { token: linked }, body: { decision: 'approve' } })
}

async function signOut(url: string, go: Go): Promise<void> {
  const { email, password, token } = await settle(url)
  await go(auth.logout, { token })
  const fresh = async () => textAt((await call(url, auth.login, { body: { email, password } })).body, 'accessToken')
  await go(auth.logoutAll, { token: await fresh() })
  await go(auth.deleteMe, { token: await fresh() })
}

/** The output of a run, for the law that it is the output itself. */
export function messageOf(answer: Answer | undefined): unknown {
  return dig(answer?.body, ['message'])
}
