import { defineCommand } from '#command/command.ts'
import { urlOption } from './url-option.ts'

export const logsCommand = defineCommand({
  name: 'logs',
  summary: 'Show what an execution of a running server did',
  description: [
    'Prints the state of an execution and its timeline: each task with its begin, its duration and its error. The exit code is 1 if it has faulted.',
  ],
  operands: { text: 'EXECUTION', min: 1, max: 1 },
  options: {
    ...urlOption,
    follow: { type: 'boolean', short: 'f', summary: 'Print tasks as they end, until the execution has ended.' },
    values: { type: 'boolean', summary: 'Print input and output of each task too.' },
    json: { type: 'boolean', summary: 'Print the execution with its whole timeline as one JSON document.' },
  },
  examples: [
    { line: 'millrace logs exec_01kb2p…', what: 'What happened in an execution.' },
    { line: 'millrace logs -f exec_01kb2p…', what: 'What is happening in it.' },
  ],
  exits: { 1: 'the execution faulted, or the server refused' },
  async run({ values, operands }, terminal) {
    const { logs } = await import('./logs.ts')
    return logs({ ...values, id: operands[0] ?? '' }, terminal)
  },
})
