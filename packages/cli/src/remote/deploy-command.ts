import { defineCommand } from '#command/command.ts'
import { urlOption } from './url-option.ts'

export const deployCommand = defineCommand({
  name: 'deploy',
  summary: 'Create or change workflows of a running server',
  description: [
    'Sends each definition to the server: a workflow with its document name and namespace gets a new version, otherwise a workflow is made. A definition that has not changed makes no version. All files are checked before the first one is sent.',
  ],
  operands: { text: 'FILE...', min: 1, max: Number.POSITIVE_INFINITY },
  options: {
    ...urlOption,
    draft: { type: 'boolean', summary: 'Save drafts, and publish no version.' },
    note: { type: 'string', value: 'TEXT', summary: 'What changed, for the list of versions.' },
    json: { type: 'boolean', summary: 'Print one line of JSON for each file: { file, id, action, version }.' },
  },
  examples: [
    { line: 'millrace deploy flows/*.yaml', what: 'Deploy all definitions of a folder.' },
    { line: 'millrace deploy order.yaml --note "Pay before shipping"', what: 'Publish a version with a note.' },
  ],
  exits: { 1: 'a definition has errors, or the server refused it' },
  async run({ values, operands }, terminal) {
    const { deploy } = await import('./deploy.ts')
    return deploy({ ...values, files: operands }, terminal)
  },
})
