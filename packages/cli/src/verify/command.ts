import { defineCommand } from '#command/command.ts'

export const verifyCommand = defineCommand({
  name: 'verify',
  summary: 'Replay executions and compare them with their records',
  description: [
    'Replays executions from their journals, with every effect replaced by its journalled outcome, and reports the first difference: another path, or another result than the stored one. It performs no effects and changes nothing.',
    'Reads the database of DATABASE_URL, otherwise the built-in one under MILLRACE_HOME, which it starts; no server may be using it.',
  ],
  operands: { text: '[EXECUTION...]', min: 0, max: Number.POSITIVE_INFINITY },
  options: {
    all: { type: 'boolean', summary: 'Verify every execution that has ended.' },
    home: { type: 'string', value: 'DIR', summary: 'Directory for data instead of MILLRACE_HOME.' },
    json: {
      type: 'boolean',
      summary:
        'Print one line of JSON for each execution: { id, entries, difference }, where difference is null when nothing differs, or { id, missing: true }.',
    },
  },
  examples: [
    { line: 'millrace verify exec_01kb2p…', what: 'Verify one execution.' },
    { line: 'millrace verify --all', what: 'Verify all of them.' },
  ],
  exits: { 1: 'an execution differs from its record, or does not exist', 2: 'wrong usage or configuration' },
  async run({ values, operands }, terminal) {
    const { verify } = await import('./verify.ts')
    return verify({ ids: operands, all: values.all, home: values.home, json: values.json }, terminal)
  },
})
