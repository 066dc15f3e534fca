import { Fault, type workflowTests } from '@millrace/contract'
import { executionPath, executionView, preferenceHeader, preferredWaitSeconds } from '#modules/executions/index.ts'
import { actorOf } from '#platform/auth/principal.ts'
import { type HandlersFor, respond } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import type { WorkflowTests } from './workflow-test-service.ts'

/** Handlers of the group `workflowTests`. */
export function workflowTestHandlers(service: WorkflowTests): HandlersFor<typeof workflowTests> {
  return {
    async run(ctx, { params, body }) {
      if (body.definition !== undefined && !ctx.scopes.has('workflows:write'))
        throw new Fault('insufficient_scope', { detail: 'A test of a given definition needs the scope workflows:write.' })
      const seconds = preferredWaitSeconds(ctx)
      const tester = { accountId: ctx.accountId, actor: actorOf(ctx.principal) }
      const { definition, task, input, taskInput, context, items, pins, samples } = body
      const request = { definition, task, input, taskInput, context, items, pins, samples }
      const execution = await ctx.whileConnected((signal) =>
        service.run(tester, idOf('wf', params.id), request, seconds === undefined ? undefined : { waitMs: seconds * 1000, signal }),
      )
      ctx.audit({ target: params.id, details: { execution: toTypeId('exec', execution.id), ...(task === undefined ? {} : { task }) } })
      const headers = { location: executionPath(execution.id), ...preferenceHeader(seconds) }
      return respond(executionView(execution, 'reference'), { headers })
    },

    async samples(ctx, { params }) {
      return copyOf(await service.samples(ctx.tx, ctx.accountId, idOf('wf', params.id)))
    },

    async saveSamples(ctx, { params, body }) {
      return copyOf(await service.saveSamples(ctx.tx, ctx.accountId, idOf('wf', params.id), body, actorOf(ctx.principal)))
    },
  }
}

function copyOf<T extends { readonly tasks: object }>(samples: T) {
  return { ...samples, tasks: { ...samples.tasks } }
}
