import { type generation, modelRoles } from '@millrace/contract'
import type { Health } from '#modules/health/index.ts'
import type { Models } from '#modules/models/index.ts'
import type { HandlersFor } from '#platform/http/index.ts'
import { fromTypeId } from '#platform/ids.ts'
import type { Assisted } from './assistance.ts'
import type { GeneratedDefinition, Generation } from './generation-service.ts'

export interface GenerationHandlersDeps {
  readonly service: Generation
  readonly models: Pick<Models, 'of'>
  readonly health: Pick<Health, 'models'>
}

const noModel =
  'No model is configured. Add one with POST /api/v1/models, or set MILLRACE_MODEL_URL and MILLRACE_MODEL_NAME, or MILLRACE_MODELS_FILE.'

/** Handlers of the group `generation`. */
export function generationHandlers({ service, models, health }: GenerationHandlersDeps): HandlersFor<typeof generation> {
  const generate: HandlersFor<typeof generation>['generate'] = async (ctx, { body }) => {
    const { accountId } = ctx
    const { description, sample, definition, quality, language } = body
    const { value, repairs, usage } = await ctx.whileConnected((signal) =>
      service.generate({ accountId, description, sample, definition, quality, language, signal }),
    )
    ctx.audit({ details: { model: usage.model, calls: usage.calls } })
    return { ...generatedView(value), repairs, usage }
  }

  return {
    generate,
    assistGenerate: generate,

    async assist(ctx, { body }) {
      const { accountId } = ctx
      const { action, definition, workflowId, instruction, error, sample, quality, language } = body
      const id = workflowId === undefined ? undefined : fromTypeId('wf', workflowId)
      const { value, repairs, usage } = await ctx.whileConnected((signal) =>
        service.assistance.assist({ accountId, action, definition, workflowId: id, instruction, error, sample, quality, language, signal }),
      )
      ctx.audit({ details: { action, model: usage.model, calls: usage.calls } })
      return { action, ...assistedView(value), repairs, usage }
    },

    async health({ accountId }) {
      const ofRoles = modelRoles.map(async (role) => [role, (await models.of(accountId, role)).map(({ name }) => name)] as const)
      const roles = Object.fromEntries(await Promise.all(ofRoles))
      const used = new Set(Object.values(roles).flat())
      if (used.size === 0) return { status: 'down' as const, configured: false, detail: noModel, roles }
      const data = (await health.models(accountId)).data.filter(({ name }) => used.has(name))
      const failing = data.filter(({ reachable }) => reachable === false)
      const detail =
        failing.length === 0 ? null : failing.map((part) => `"${part.name}": ${part.detail ?? 'It does not respond.'}`).join(' ')
      const status = failing.length === 0 ? 'ok' : failing.length === data.length ? 'down' : 'degraded'
      return { status, configured: true, detail, roles } as const
    },
  }
}

type Warnings = GeneratedDefinition['warnings']

function generatedView({ definition, explanation, assumptions, requirements, questions, warnings }: GeneratedDefinition) {
  return {
    status: definition === undefined ? ('questions' as const) : ('generated' as const),
    definition: definition ?? null,
    explanation,
    assumptions: [...assumptions],
    requirements: requirements.map((requirement) => ({ ...requirement })),
    questions: [...questions],
    diagnostics: warnings.map(diagnosticView),
  }
}

function assistedView({ text, definition, diff, expression, result, warnings }: Assisted) {
  return {
    text,
    definition: definition ?? null,
    diff: diff ?? null,
    expression: expression ?? null,
    ...(result === undefined ? {} : { result }),
    diagnostics: warnings.map(diagnosticView),
  }
}

function diagnosticView({ code, severity, pointer, line, column, message, hint }: Warnings[number]) {
  return { code, severity, pointer, line, column, message, ...(hint === undefined ? {} : { hint }) }
}
