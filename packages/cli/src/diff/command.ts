import { defineCommand } from '#command/command.ts'

export const diffCommand = defineCommand({
  name: 'diff',
  summary: 'Compare two definitions by their tasks',
  description: [
    'Says which tasks were added (+), removed (-), renamed (=), moved (^) and changed (~), by the names of the tasks around them, and which members differ. Comments, formatting and the order of members do not count. Nothing is validated.',
  ],
  operands: { text: 'BEFORE AFTER', min: 2, max: 2 },
  options: { json: { type: 'boolean', summary: 'Print the changes as a JSON array.' } },
  examples: [
    { line: 'millrace diff old.yaml new.yaml', what: 'Compare two files.' },
    { line: 'git show HEAD:flow.yaml | millrace diff - flow.yaml', what: 'Compare with the committed one.' },
  ],
  exits: { 1: 'the definitions differ', 2: 'wrong usage, or a file cannot be read' },
  async run({ values, operands }, terminal) {
    const { diff } = await import('./diff.ts')
    return diff({ before: operands[0] ?? '', after: operands[1] ?? '', json: values.json }, terminal)
  },
})
