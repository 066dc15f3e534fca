import { Fault } from '@millrace/contract'
import { type EffectCall, type EffectFunction, type Json, type JsonObject, membersOf, standardError, WorkflowError } from '@millrace/engine'
import { lifeMsOf } from '#modules/files/index.ts'

/** What a function does with a service of the platform. */
export type Action<Service> = (service: Service, call: EffectCall, args: JsonObject) => Promise<Json>

/** A function of what the platform keeps. @param service is ready soon after the start of the process. */
export function platformFunction<Service>(service: Promise<Service>, action: Action<Service>): EffectFunction {
  return async (call) => {
    try {
      return await action(await service, call, membersOf(call.arguments))
    } catch (error) {
      throw error instanceof Fault ? refusal(error) : error
    }
  }
}

/** How long something is kept, from the argument `expiresIn`; undefined without it. */
export function lifeIn(args: JsonObject): number | undefined {
  if (args['expiresIn'] === undefined) return undefined
  const life = lifeMsOf(args['expiresIn'])
  if (life !== undefined) return life
  throw standardError('validation', '/expiresIn is not a duration of up to 100 years, such as P30D.')
}

/** What the platform refuses as an error that a workflow can catch, with the status of the same refusal over HTTP. */
function refusal(fault: Fault): unknown {
  const { data } = standardError('communication', fault.message)
  switch (fault.code) {
    case 'not_found':
      return new WorkflowError({ ...data, status: 404, title: 'Not found' }, { cause: fault })
    case 'quota_exceeded':
      return new WorkflowError({ ...data, status: 429, title: 'Storage used up' }, { cause: fault })
    case 'conflict':
      return new WorkflowError({ ...data, status: 409, title: 'Conflict' }, { cause: fault })
    default:
      return fault
  }
}
