import { defineCommand } from '#command/command.ts'
import { urlOption } from '#remote/url-option.ts'

export const diffCommand = defineCommand({
  name: 'diff',
  summary: 'Compare two definitions, or one with the published workflow, by their tasks',
  description: [
    'Says which tasks were added (+), removed (-), renamed (=), moved (^) and changed (~), by the names of the tasks around them, and which members differ. Comments, formatting and the order of members do not count. Nothing is validated.',
    'With one file, BEFORE is the published version of the workflow with its document name on a running server, as for "millrace deploy".',
  ],
  operands: { text: '[BEFORE] AFTER', min: 1, max: 2 },
  options: { ...urlOption, json: { type: 'boolean', summary: 'Print the changes as a JSON array.' } },
  examples: [
    { line: 'millrace diff old.yaml new.yaml', what: 'Compare two files.' },
    { line: 'millrace diff order.yaml', what: 'Compare with what is published.' },
    { line: 'git show HEAD:flow.yaml | millrace diff - flow.yaml', what: 'Compare with the committed one.' },
  ],
  exits: { 1: 'the definitions differ', 2: 'wrong usage, or something cannot be read' },
  async run({ values, operands }, terminal) {
    const { diff } = await import('./diff.ts')
    return diff({ ...values, before: operands.length > 1 ? operands[0] : undefined, after: operands.at(-1) ?? '' }, terminal)
  },
})
