import { defineCommand } from '#command/command.ts'
import { urlOption } from './url-option.ts'

export const variablesCommand = defineCommand({
  name: 'variables',
  summary: 'List, set and delete the variables and secrets of your account on a running server',
  description: [
    'Without an argument, lists the variables and secrets; values of secrets are never shown. NAME=VALUE creates a variable or changes its value, which is JSON or text.',
    'A secret is asked for on the terminal, or read from standard input, so that it is in no history of a shell. Definitions read $variables.NAME and $secrets.NAME.',
  ],
  operands: { text: '[NAME=VALUE...]', min: 0, max: 100 },
  options: {
    ...urlOption,
    secret: { type: 'string', short: 's', value: 'NAME', summary: 'Create or change this secret; its value is asked for or read.' },
    delete: { type: 'string', multiple: true, value: 'NAME', summary: 'Delete this variable or secret.' },
    environment: {
      type: 'string',
      value: 'ENVIRONMENT',
      summary: 'all (unless given), draft or production. Executions use the values for production before those for all.',
    },
    json: { type: 'boolean', summary: 'Print one line of JSON for each variable.' },
  },
  examples: [
    { line: 'millrace variables', what: 'List them.' },
    { line: 'millrace variables REGION=eu LIMIT=100', what: 'Set a text and a number.' },
    { line: 'millrace variables --secret TOKEN < token.txt', what: 'Set a secret.' },
    { line: 'millrace variables --delete REGION', what: 'Delete one.' },
  ],
  exits: { 1: 'the server refused, or does not answer' },
  async run({ values, operands }, terminal) {
    const { changeVariables } = await import('./variables.ts')
    return changeVariables({ ...values, pairs: operands, deleted: values.delete }, terminal)
  },
})
