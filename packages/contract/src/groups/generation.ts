import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { JsonValue } from '#src/json.ts'
import { operation } from '#src/operation.ts'
import { Diagnostic } from './workflow-schemas.ts'

const definitionMax = 200_000

const Instruction = z.string().trim().min(1).max(20_000)
const Quality = z
  .enum(['fast', 'strong'])
  .default('strong')
  .describe('Role of the model: `strong` for quality, `fast` for speed and cost. A role without a model uses the other one.')
const Language = z
  .string()
  .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/, { error: 'Must be a language tag such as en, de or ar.' })
  .optional()
  .describe('Language of texts for people, as BCP 47 tag; that of the request unless given.')
const Sample = JsonValue.optional().describe('Sample of the data that it is to work on.')
const Definition = z.string().min(1).max(definitionMax)

export const ModelUsage = z
  .object({
    model: z.string().describe('Name of the model in the configuration.'),
    calls: z.int().describe('Calls of models, repairs included.'),
    inputTokens: z.int(),
    outputTokens: z.int(),
  })
  .meta({ id: 'ModelUsage' })

const Requirement = z
  .object({
    kind: z.enum(['secret', 'variable', 'endpoint', 'workflow', 'other']),
    name: z.string(),
    reason: z.string().describe('What it is needed for, and what to do.'),
  })
  .meta({ id: 'GenerationRequirement' })

const Generated = z
  .object({
    status: z.enum(['generated', 'questions']).describe('`questions`: something needed is missing; repeat the request with the answers.'),
    definition: z.string().nullable().describe('A definition in YAML that validates; null with `questions`.'),
    explanation: z.string().describe('What it does, in a few sentences.'),
    assumptions: z.array(z.string()).describe('What was assumed where the description was silent.'),
    requirements: z.array(Requirement).describe('What must be configured before it can run.'),
    questions: z.array(z.string()),
    diagnostics: z.array(Diagnostic).describe('Warnings of the validator.'),
    repairs: z.int().describe('How often the model had to correct its result.'),
    usage: ModelUsage,
  })
  .meta({ id: 'GeneratedWorkflow' })

const base = {
  stability: 'beta',
  auth: { scope: 'workflows:write' },
  role: 'member',
  rateLimit: 'execution',
  idempotency: 'keyed',
  transaction: 'own',
} as const
const faults = ['consent_required', 'model_not_configured', 'model_unavailable', 'model_output_invalid', 'quota_exceeded'] as const

const generating = {
  ...base,
  method: 'POST',
  summary: 'Make a workflow from a description',
  description:
    'A configured model writes a definition; the validator checks it, and its findings go back to the model up to three times. A success always validates. It is not saved: create a workflow with it. The model sees the description, the sample, the definition, and the names (never the values) of variables, secrets and workflows of the account. Addresses that the request does not name appear in `requirements`.',
  audit: 'ai.workflow_generated',
  body: z.strictObject({
    description: Instruction.meta({
      description: 'What the workflow is to do.',
      examples: ['Fetch https://api.example.com/orders and mail the number of open orders to sales@example.com'],
    }),
    sample: Sample,
    definition: Definition.optional().describe('A definition to start from.'),
    quality: Quality,
    language: Language,
  }),
  reply: Generated,
  errors: faults,
} as const

const generate = operation({ ...generating, id: 'ai.generateWorkflow', path: '/api/v1/ai/generate-workflow' })
const assistGenerate = operation({
  ...generating,
  id: 'aiAssist.generateWorkflow',
  path: '/api/v1/ai-assist/generate-workflow',
  summary: 'Make a workflow from a description, as an assistant of an editor',
})

const assist = operation({
  ...base,
  id: 'aiAssist.assist',
  method: 'POST',
  path: '/api/v1/ai-assist',
  summary: 'Explain, fix, edit or document a definition, or write an expression',
  description:
    '`explain` describes a definition. `fix` removes its errors; `edit` changes it by an instruction; `document` adds titles and summaries: their results validate, and `diff` shows the change. `expression` writes a jq expression, which is compiled and, with a sample, evaluated. Nothing is saved.',
  audit: 'ai.assisted',
  body: z.strictObject({
    action: z.enum(['explain', 'fix', 'edit', 'document', 'expression']),
    definition: Definition.optional().describe('The definition; `workflowId` names a saved one instead. Not needed for an expression.'),
    workflowId: typeId('wf').optional().describe('The workflow whose draft is meant.'),
    instruction: Instruction.optional().describe('What to change or to express; required for `edit` and `expression`.'),
    error: z.string().max(20_000).optional().describe('The error that an execution ended with, for `fix` and `explain`.'),
    sample: Sample,
    quality: Quality,
    language: Language,
  }),
  reply: z
    .object({
      action: z.enum(['explain', 'fix', 'edit', 'document', 'expression']),
      text: z.string().describe('The explanation, as Markdown.'),
      definition: z.string().nullable().describe('The changed definition; null for `explain` and `expression`.'),
      diff: z.string().nullable().describe('The change as a unified diff.'),
      expression: z.string().nullable().describe('The jq expression.'),
      result: JsonValue.optional().describe('What the expression gives for the sample.'),
      diagnostics: z.array(Diagnostic),
      repairs: z.int(),
      usage: ModelUsage,
    })
    .meta({ id: 'AssistResult' }),
  errors: [...faults, 'not_found'],
})

const health = operation({
  id: 'aiAssist.health',
  method: 'GET',
  path: '/api/v1/ai-assist/health',
  summary: 'Check whether assistance by models is available',
  description: 'Whether models are configured and respond. Responds with 200 and `down` if none is configured.',
  stability: 'beta',
  auth: { scope: 'health:read' },
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  transaction: 'own',
  reply: z.object({
    status: z.enum(['ok', 'degraded', 'down']),
    configured: z.boolean(),
    detail: z.string().nullable().describe('What is wrong and what to do.'),
    roles: z.record(z.string(), z.array(z.string())).describe('Names of the models of each role, preferred first.'),
  }),
  errors: [],
})

/** Definitions from words, and help with them. */
export const generation = { generate, assistGenerate, assist, health } as const
