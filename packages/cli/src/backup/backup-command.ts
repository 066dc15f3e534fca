import { defineCommand } from '#command/command.ts'

export const backupCommand = defineCommand({
  name: 'backup',
  summary: 'Write a backup of the installation, while it works',
  description: [
    'Writes every table as it is at one moment into one file, while servers work: what was acknowledged before is in it. The file is not encrypted; it contains what the database contains, in which secrets are sealed.',
    'The secret key is not in the file. Keep a copy of it (secret.key under MILLRACE_HOME, or MILLRACE_SECRET_KEY) in another place: without it a restored installation cannot open what is sealed.',
  ],
  operands: { text: 'FILE', min: 1, max: 1 },
  options: {
    home: { type: 'string', value: 'DIR', summary: 'Directory for data instead of MILLRACE_HOME.' },
    quiet: { type: 'boolean', short: 'q', summary: 'Print nothing but errors.' },
  },
  examples: [{ line: 'millrace backup millrace-$(date +%F).gz', what: 'Write a backup of today.' }],
  exits: { 1: 'the backup could not be written; an incomplete file is deleted' },
  async run({ values, operands }, terminal) {
    const [file = ''] = operands
    const { backup } = await import('./backup.ts')
    return backup({ file, home: values.home, quiet: values.quiet }, terminal)
  },
})
