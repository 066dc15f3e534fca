import { defineCommand } from '#command/command.ts'
import { urlOption } from './url-option.ts'

export const deployCommand = defineCommand({
  name: 'deploy',
  summary: 'Create or change workflows of a running server',
  description: [
    'Sends each definition to the server: a workflow with its document name and namespace gets a new version, otherwise a workflow is made. A definition that has not changed makes no version. All files are checked before the first one is sent.',
    'Nothing is sent when two files have the same document name, or when a draft on the server has unpublished changes that are not in the file; the message says who changed it and when.',
  ],
  operands: { text: 'FILE...', min: 1, max: Number.POSITIVE_INFINITY },
  options: {
    ...urlOption,
    draft: { type: 'boolean', summary: 'Save drafts, and publish no version.' },
    'replace-draft': { type: 'boolean', summary: 'Overwrite drafts with unpublished changes.' },
    'dry-run': { type: 'boolean', summary: 'Say which files would be created, changed, unchanged or refused, and change nothing.' },
    note: { type: 'string', value: 'TEXT', summary: 'What changed, for the list of versions.' },
    json: { type: 'boolean', summary: 'Print one line of JSON for each file: { file, id, action, version }, with --dry-run also reason.' },
  },
  examples: [
    { line: 'millrace deploy flows/*.yaml', what: 'Deploy all definitions of a folder.' },
    { line: 'millrace deploy --dry-run flows/*.yaml', what: 'See what it would do.' },
    { line: 'millrace deploy order.yaml --note "Pay before shipping"', what: 'Publish a version with a note.' },
  ],
  exits: { 1: 'a definition has errors or was refused, or would be with --dry-run' },
  async run({ values, operands }, terminal) {
    const { deploy } = await import('./deploy.ts')
    return deploy({ ...values, replaceDraft: values['replace-draft'], dryRun: values['dry-run'], files: operands }, terminal)
  },
})
