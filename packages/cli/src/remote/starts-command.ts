import { defineCommand } from '#command/command.ts'
import { usageFailure } from '#command/failure.ts'
import { urlOption } from './url-option.ts'

export const startsCommand = defineCommand({
  name: 'starts',
  summary: 'List the starts of a workflow, or keep them as a file: webhooks, schedules, events and watches',
  description: [
    'With a workflow, lists what starts it; --yaml prints it as a file. "starts apply" makes the starts of a workflow what its file says: a start with the same name is changed, and one that is missing is made. A start that has not changed is not touched. All files are checked before the first change. What only the server checks, such as a mapping, it refuses when that start is sent: correct the file and apply it again.',
    'A file has `workflow` (NAMESPACE/NAME) and `starts`, a list with the members of a trigger of the API: `name`, `kind`, `enabled`, `input`, `mapping`, `filter` and the member of its kind. A start without `enabled` stays as it is. Secrets are in no file of starts: `secretFrom: NAME` in the signature of a webhook names one that --secret or --secrets-file gives; without them, the secret that the server has stays.',
    'Schedules in a definition belong to the definition and are deployed with it.',
  ],
  operands: { text: 'WORKFLOW | apply FILE...', min: 1, max: Number.POSITIVE_INFINITY },
  options: {
    ...urlOption,
    yaml: { type: 'boolean', summary: 'Print the starts of the workflow as a file for "starts apply".' },
    prune: { type: 'boolean', summary: 'With apply: delete starts of the workflow that the file does not name.' },
    secret: { type: 'string', multiple: true, value: 'NAME=VALUE', summary: 'With apply: a secret of a webhook.' },
    'secrets-file': { type: 'string', value: 'FILE', summary: 'With apply: secrets of webhooks, as names with values in YAML or JSON.' },
    'dry-run': { type: 'boolean', summary: 'With apply: say what would be created, changed and deleted, and change nothing.' },
    json: { type: 'boolean', summary: 'Print one line of JSON for each start.' },
  },
  examples: [
    { line: 'millrace starts shop/order', what: 'List what starts a workflow.' },
    { line: 'millrace starts shop/order --yaml > order.starts.yaml', what: 'Write its starts to a file.' },
    { line: 'millrace starts apply starts/*.yaml --dry-run', what: 'See what files would change.' },
    { line: 'millrace starts apply order.starts.yaml --prune', what: 'Make the starts what the file says.' },
  ],
  exits: { 1: 'a file has errors, or the server refused or does not answer' },
  async run({ values, operands: [first = '', ...others] }, terminal) {
    const { 'dry-run': dryRun, 'secrets-file': secretsFile, secret: secrets, yaml, prune, ...request } = values
    if (first === 'apply') {
      if (others.length === 0) throw usageFailure('"starts apply" needs a file.', 'Write millrace starts apply order.starts.yaml.')
      const { applyStarts } = await import('./starts/apply-starts.ts')
      return applyStarts({ ...request, files: others, prune, secrets, secretsFile, dryRun }, terminal)
    }
    if (others.length > 0)
      throw usageFailure('Starts are listed of one workflow at a time.', 'Write millrace starts apply FILE... to apply files.')
    const { showStarts } = await import('./starts/show-starts.ts')
    return showStarts({ ...request, workflow: first, yaml }, terminal)
  },
})
