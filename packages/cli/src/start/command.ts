import { defineCommand } from '#command/command.ts'

export const startCommand = defineCommand({
  name: 'start',
  summary: 'Start the server',
  description: [
    'Starts the server and serves until it is stopped. Without DATABASE_URL it brings its own PostgreSQL, whose data lies under MILLRACE_HOME (.millrace unless set).',
    'Ctrl-C stops it in good order: requests and tasks under way are finished or parked. A second Ctrl-C stops it at once; nothing is lost by that either, since whatever was acknowledged is on the disk.',
  ],
  operands: { text: '', min: 0, max: 0 },
  options: {
    port: { type: 'string', short: 'p', value: 'PORT', summary: 'Port to listen on instead of PORT (3000); 0 takes a free one.' },
    host: { type: 'string', value: 'ADDRESS', summary: 'Address to listen on instead of HOST (127.0.0.1).' },
    home: { type: 'string', value: 'DIR', summary: 'Directory for data instead of MILLRACE_HOME.' },
    'accept-new-key': {
      type: 'boolean',
      summary: 'Start with another secret key than the one under which the database was sealed; what was sealed stays unreadable.',
    },
    json: { type: 'boolean', summary: 'Log JSON lines, as is done anyway when standard error is no terminal.' },
  },
  examples: [
    { line: 'millrace start', what: 'Serve on http://127.0.0.1:3000 with the built-in PostgreSQL.' },
    { line: 'DATABASE_URL=postgres://user:pass@db/millrace millrace start', what: 'Serve from a PostgreSQL of your own.' },
    { line: 'millrace start --port 0 --home /tmp/try', what: 'Try it beside another one.' },
  ],
  exits: { 0: 'stopped in good order', 1: 'it could not start, or was stopped at once' },
  async run({ values }, terminal) {
    const { start } = await import('./start.ts')
    return start(
      { port: values.port, host: values.host, home: values.home, acceptNewKey: values['accept-new-key'], json: values.json },
      terminal,
    )
  },
})
