import { defineCommand } from '#command/command.ts'
import { urlOption } from './url-option.ts'

export const executionsCommand = defineCommand({
  name: 'executions',
  summary: 'List the executions of a running server',
  description: ['Lists executions of all workflows of your account, the newest first. An execution matches all given filters.'],
  operands: { text: '', min: 0, max: 0 },
  options: {
    ...urlOption,
    state: {
      type: 'string',
      value: 'STATE',
      summary: 'States, separated by commas: pending, running, waiting, suspended, completed, faulted, cancelled.',
    },
    workflow: { type: 'string', value: 'ID', summary: 'Only those of one workflow.' },
    label: { type: 'string', value: 'NAME:VALUE', summary: 'Labels, separated by commas, as order:4711; all must match.' },
    search: { type: 'string', value: 'TEXT', summary: 'The value of a label, or text in the name of the workflow or in the error.' },
    from: { type: 'string', value: 'TIME', summary: 'Accepted at this time or later, as 2026-01-31 or 2026-01-31T09:00:00Z.' },
    to: { type: 'string', value: 'TIME', summary: 'Accepted before this time.' },
    limit: { type: 'string', value: 'N', summary: 'Largest number of executions, 20 unless given.' },
    json: { type: 'boolean', summary: 'Print one line of JSON for each execution.' },
  },
  examples: [
    { line: 'millrace executions --state faulted --from 2026-01-31', what: 'What failed since that day.' },
    { line: 'millrace executions --label order:4711', what: 'The executions for an order.' },
    { line: 'millrace executions --json --limit 1000 | jq .id', what: 'The ids of the last thousand.' },
  ],
  exits: { 1: 'the server refused, or does not answer' },
  async run({ values }, terminal) {
    const { listExecutions } = await import('./executions.ts')
    return listExecutions(values, terminal)
  },
})
