import type { ClientError } from '@millrace/client'
import { m } from '#src/messages/messages.ts'
import { useSession } from '#src/session/session.ts'

/** What to do about an error of the server, by its code, then by its status. */
export function adviceFor({ code, status, retryAfterSeconds, problem }: ClientError): string | undefined {
  const byCode: Readonly<Record<string, string>> = m.advice
  if (code === 'rate_limited') return m.problems.wait(retryAfterSeconds ?? 60)
  if (code === 'quota_exceeded' && isOfModels(problem))
    return Reflect.get(problem, 'setBy') === 'operator' ? m.problems.operatorLimit : m.problems.modelLimit
  // For a person who invites another one, the detail says enough: the address has an account.
  if (code === 'email_taken' && useSession.getState().me !== undefined) return undefined
  if (code !== undefined && byCode[code] !== undefined) return byCode[code]
  if (status === 403) return mayAsk() ? m.problems.forbidden : undefined
  if (status === 404) return m.problems.notFound
  return status >= 500 ? m.problems.server : undefined
}

/** Whether a quota is one for models, which the account or the operator has set, and not one of the plan. */
function isOfModels(problem: object): boolean {
  const meter: unknown = Reflect.get(problem, 'meter')
  return meter === 'model_cost' || meter === 'model_tokens'
}

/** Whether there is an administrator whom a person can ask: not for the owner, nor for who is not signed in. */
function mayAsk(): boolean {
  const role = useSession.getState().me?.role
  return role !== undefined && role !== 'owner'
}
