import { defineCommand } from '#command/command.ts'

export const doctorCommand = defineCommand({
  name: 'doctor',
  summary: 'Check the whole installation and say what to do',
  description: [
    'Checks Node.js, the configuration, the data directory and its disk, the port, the database (reachable, new enough, migrated, accounts kept apart) and the clock. Changes nothing; the built-in PostgreSQL is started for a moment if it is there and not running.',
  ],
  operands: { text: '', min: 0, max: 0 },
  options: {
    home: { type: 'string', value: 'DIR', summary: 'Directory for data instead of MILLRACE_HOME.' },
    json: { type: 'boolean', summary: 'Print { healthy, checks: [{ name, state, message, remedy }] }.' },
  },
  examples: [
    { line: 'millrace doctor', what: 'Check this installation.' },
    { line: 'millrace doctor --json | jq .healthy', what: 'For a program.' },
  ],
  exits: { 0: 'nothing failed; there may be warnings', 1: 'something would keep Millrace from working' },
  async run({ values }, terminal) {
    const { doctor } = await import('./doctor.ts')
    return doctor({ home: values.home, json: values.json }, terminal)
  },
})
