import type { accountOperations, Scope } from '@millrace/contract'
import type { Json } from '@millrace/engine'
import * as z from 'zod'

export type AccountOperation = (typeof accountOperations)[number]

const WorkflowId = z.string().describe('Id of a workflow: wf_…')
const ExecutionId = z.string().describe('Id of an execution: exec_…')

/** What models read about each operation, and the scope that it needs. */
export const described = {
  list_workflows: {
    description: 'Lists workflows of the account, newest first.',
    scope: 'workflows:read',
    parameters: z.strictObject({ text: z.string().max(200).optional().describe('Part of the name.') }),
  },
  get_workflow: {
    description: 'Reads the definition of a workflow as YAML.',
    scope: 'workflows:read',
    parameters: z.strictObject({ workflowId: WorkflowId }),
  },
  list_executions: {
    description: 'Lists executions, newest first. Labels say what an execution is about, such as the number of an order.',
    scope: 'executions:read',
    parameters: z.strictObject({
      workflowId: WorkflowId.optional(),
      state: z.enum(['pending', 'running', 'waiting', 'suspended', 'completed', 'faulted', 'cancelled']).optional(),
      labels: z
        .record(z.string().min(1).max(40), z.string().min(1).max(200))
        .optional()
        .describe('Only executions with all of these labels, by name: {"order":"4711"}.'),
    }),
  },
  get_execution: {
    description: 'Reads the state, error and output of an execution.',
    scope: 'executions:read',
    parameters: z.strictObject({ executionId: ExecutionId }),
  },
  list_triggers: {
    description: 'Lists what starts workflows: schedules, webhooks, events.',
    scope: 'triggers:read',
    parameters: z.strictObject({}),
  },
} as const satisfies Readonly<
  Record<AccountOperation, { readonly description: string; readonly scope: Scope; readonly parameters: z.ZodType }>
>

/** The JSON Schema of the arguments of an operation. */
export function schemaOf(parameters: z.ZodType): Record<string, Json> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A JSON Schema is a JSON object.
  return z.toJSONSchema(parameters, { io: 'input' }) as Record<string, Json>
}

export function isAccountOperation(name: string): name is AccountOperation {
  return Object.hasOwn(described, name)
}
