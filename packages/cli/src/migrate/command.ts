import { defineCommand } from '#command/command.ts'

export const migrateCommand = defineCommand({
  name: 'migrate',
  summary: 'Bring the database up to this release, or list its migrations',
  description: [
    'Applies the migrations that the database lacks, each in a transaction of its own; two processes never apply one twice. The database is that of DATABASE_URL, otherwise the built-in one under MILLRACE_HOME, which is started for it.',
    'A server does this by itself when it starts. Run it beforehand where the server may not change the schema.',
  ],
  operands: { text: '', min: 0, max: 0 },
  options: {
    status: { type: 'boolean', summary: 'List the migrations and change nothing.' },
    home: { type: 'string', value: 'DIR', summary: 'Directory for data instead of MILLRACE_HOME.' },
    json: { type: 'boolean', summary: 'Print { database, migrations: [{ number, name, state }] }.' },
  },
  examples: [
    { line: 'millrace migrate', what: 'Apply what is missing.' },
    { line: 'millrace migrate --status', what: 'List what is applied and what is missing.' },
  ],
  exits: { 1: 'a migration failed, or the database cannot be reached', 2: 'wrong usage or configuration' },
  async run({ values }, terminal) {
    const { migrateDatabase } = await import('./migrate-database.ts')
    return migrateDatabase({ status: values.status, json: values.json, home: values.home }, terminal)
  },
})
