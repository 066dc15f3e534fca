import { type AnyOperation, apiKeys, auth, execute, health, workflows } from '@millrace/contract'
import { type Answer, type Call, call, dig, textAt } from './calls.ts'
import { greeting, settle } from './world.ts'

/** Everything that an account does from its first to its last day, through every operation; the answers by the id of the operation. */
export async function liveThrough(url: string, operatorToken: string): Promise<ReadonlyMap<string, Answer>> {
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
  const executionId = textAt(await go(workflows.execute, { token, params, body: { input: { name: 'Ada' } } }), 'id')
  await go(execute.run, { token, params, body: { input: { name: 'Ada' } } })
  await go(workflows.executions, { token, params })
  await go(workflows.execution, { token, params: { executionId } })
  const exported = await go(workflows.export, { token, params })
  await go(workflows.delete, { token, params })
  await go(workflows.createFromTemplate, { token, params: { templateId: 'order-processing' }, body: {} })
  await go(workflows.import, { token, body: { export: exported, publish: true } })
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
