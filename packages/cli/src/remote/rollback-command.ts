import { defineCommand } from '#command/command.ts'
import { urlOption } from './url-option.ts'

export const rollbackCommand = defineCommand({
  name: 'rollback',
  summary: 'Publish an earlier version of a workflow again',
  description: [
    'Publishes a new version with the text of an earlier one, so that new executions run it. Executions that run continue with their version, and no version is lost.',
    'Nothing is changed when the draft on the server has unpublished changes; the message says who changed it and when.',
  ],
  operands: { text: 'WORKFLOW', min: 1, max: 1 },
  options: {
    ...urlOption,
    to: { type: 'string', value: 'VERSION', summary: 'The number of the version; the one before the latest unless given.' },
    'replace-draft': { type: 'boolean', summary: 'Overwrite a draft with unpublished changes.' },
    note: { type: 'string', value: 'TEXT', summary: 'Why, for the list of versions.' },
    json: { type: 'boolean', summary: 'Print one line of JSON: { id, version, from, to }.' },
  },
  examples: [
    { line: 'millrace rollback shop/order', what: 'Go back to the version before the latest.' },
    { line: 'millrace rollback shop/order --to 12 --note "Payments fail"', what: 'Go back to version 12.' },
  ],
  exits: { 1: 'there is no such workflow or version, or the server refused' },
  async run({ values, operands: [workflow = ''] }, terminal) {
    const { rollback } = await import('./rollback.ts')
    return rollback({ ...values, replaceDraft: values['replace-draft'], workflow }, terminal)
  },
})
