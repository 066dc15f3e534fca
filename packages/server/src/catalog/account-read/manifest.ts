import { accountOperations } from '@millrace/contract/account-operations'
import type { FunctionManifest } from '@millrace/engine'

const names = { enum: [...accountOperations] }

export const manifest: FunctionManifest = {
  name: 'account-read',
  version: '1.0.0',
  summary: 'Reads workflows, executions or triggers of the account with the rights of who started the run.',
  internal: true,
  performs: 'effect',
  input: {
    type: 'object',
    required: ['operation', 'operations'],
    additionalProperties: false,
    properties: {
      operation: { type: 'string', description: 'What to read.' },
      operations: { type: 'array', items: names, minItems: 1, uniqueItems: true, description: 'The operations that the call permits.' },
      arguments: { type: 'object', description: 'Arguments of the operation.' },
    },
  },
  output: { description: 'What was read.' },
}
