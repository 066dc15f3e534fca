import { defineCommand } from '#command/command.ts'

export const keysCommand = defineCommand({
  name: 'keys',
  summary: 'Replace the keys that seal secrets, while servers work',
  description: [
    '"rotate" makes a new root key and seals the key of every account under it, in batches. Servers use it within seconds, without a restart; no request and no execution fails.',
    'With --new-key FILE it also replaces the secret key of the installation: it writes the new key into FILE, and from then on accepts the old and the new one. Set MILLRACE_SECRET_KEY (or secret.key under MILLRACE_HOME) to the new key, restart the processes one after the other, and run "keys retire" with it, which ends the old one.',
  ],
  operands: { text: 'rotate|retire', min: 1, max: 1 },
  options: {
    'new-key': { type: 'string', value: 'FILE', summary: 'Replace the secret key as well; FILE must not exist.' },
    home: { type: 'string', value: 'DIR', summary: 'Directory for data instead of MILLRACE_HOME.' },
  },
  examples: [
    { line: 'millrace keys rotate', what: 'Seal the keys of all accounts under a new root key.' },
    { line: 'millrace keys rotate --new-key next.key', what: 'Replace the secret key; both are accepted.' },
    { line: 'MILLRACE_SECRET_KEY=$(cat next.key) millrace keys retire', what: 'Accept the new secret key only.' },
  ],
  exits: { 1: 'the keys could not be replaced, or the database cannot be reached', 2: 'wrong usage or configuration' },
  async run({ values, operands }, terminal) {
    const { changeKeys } = await import('./change-keys.ts')
    return changeKeys({ action: operands[0] ?? '', newKey: values['new-key'], home: values.home }, terminal)
  },
})
