import type { FunctionManifest } from '@millrace/engine'

export const manifest: FunctionManifest = {
  name: 'respond',
  version: '1.0.0',
  summary: 'Sends the reply to the caller that waits for the execution, which then continues.',
  performs: 'answer',
  input: {
    type: 'object',
    required: ['body'],
    additionalProperties: false,
    properties: { body: { description: 'The answer: any JSON.' } },
  },
  output: { description: 'The body.' },
}
