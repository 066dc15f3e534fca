import type { FunctionManifest } from '@millrace/engine'
import { functionName } from '#catalog/function-name.ts'

export const manifest: FunctionManifest = {
  name: 'connector-call',
  version: '1.0.0',
  summary: 'Calls a function of a connector with arguments that are known when it runs.',
  internal: true,
  performs: 'effect',
  input: {
    type: 'object',
    required: ['function', 'arguments'],
    additionalProperties: false,
    properties: {
      function: { ...functionName, description: 'Full name of the function, as in `slack.postMessage`.' },
      connection: { type: 'string', pattern: '^[a-z][a-z0-9-]{0,62}$', description: 'Name of the connection to use.' },
      arguments: { type: 'object', description: 'Arguments of the function, without `connection`.' },
    },
  },
  output: { description: 'The output of the function.' },
}
