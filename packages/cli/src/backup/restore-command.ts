import { defineCommand } from '#command/command.ts'

export const restoreCommand = defineCommand({
  name: 'restore',
  summary: 'Read a backup into an empty database',
  description: [
    'Reads a backup of "millrace backup" into the database of DATABASE_URL, otherwise into a new built-in one under MILLRACE_HOME. The database must be empty, and no server may use it. After a failure it has no rows.',
    'Put the secret key of the installation in place before the server starts: copy secret.key into MILLRACE_HOME, or set MILLRACE_SECRET_KEY. Stop the old installation first: both would run the same schedules.',
  ],
  operands: { text: 'FILE', min: 1, max: 1 },
  options: { home: { type: 'string', value: 'DIR', summary: 'Directory for data instead of MILLRACE_HOME.' } },
  examples: [{ line: 'millrace restore millrace-2026-01-31.gz --home /srv/millrace', what: 'Restore into a new directory.' }],
  exits: { 1: 'the file is damaged or of a newer version, or the database is not empty' },
  async run({ values, operands }, terminal) {
    const [file = ''] = operands
    const { restore } = await import('./restore.ts')
    return restore({ file, home: values.home }, terminal)
  },
})
