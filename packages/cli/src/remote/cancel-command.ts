import { defineCommand } from '#command/command.ts'
import { urlOption } from './url-option.ts'

export const cancelCommand = defineCommand({
  name: 'cancel',
  summary: 'Cancel executions of a running server',
  description: [
    'Aborts the running tasks of each execution and waits up to ten seconds until it has ended. Its child workflows are cancelled too.',
  ],
  operands: { text: 'EXECUTION...', min: 1, max: Number.POSITIVE_INFINITY },
  options: { ...urlOption, json: { type: 'boolean', summary: 'Print one line of JSON for each execution: { id, state }.' } },
  examples: [{ line: 'millrace cancel exec_01kb2p…', what: 'Cancel one execution.' }],
  exits: { 1: 'an execution had ended already, or the server refused' },
  async run({ values, operands }, terminal) {
    const { cancel } = await import('./cancel.ts')
    return cancel({ ...values, ids: operands }, terminal)
  },
})
