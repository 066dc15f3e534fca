import { defineCommand } from '#command/command.ts'
import { urlOption } from './url-option.ts'

export const usersCommand = defineCommand({
  name: 'users',
  summary: 'List the users of your account on a running server',
  description: ['Lists the users of the account with their roles and whether they have a second factor.'],
  operands: { text: '', min: 0, max: 0 },
  options: { ...urlOption, json: { type: 'boolean', summary: 'Print one line of JSON for each user.' } },
  examples: [{ line: 'millrace users --json | jq -r .email', what: 'The addresses of all users.' }],
  exits: { 1: 'the server refused, or does not answer' },
  async run({ values }, terminal) {
    const { listUsers } = await import('./users.ts')
    return listUsers(values, terminal)
  },
})
