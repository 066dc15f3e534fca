import { defineCommand } from '#command/command.ts'

export const retentionCommand = defineCommand({
  name: 'retention',
  summary: 'Show or set how long accounts keep their executions',
  description: [
    'An account keeps what has ended for as long as the installation does (MILLRACE_RETENTION), unless something else is set here. What a workflow says of itself (document.metadata.retention) goes before both.',
    'Upkeep goes by it within a minute; what it deletes is gone. The built-in database can only be reached while no server uses it.',
  ],
  operands: { text: '[ACCOUNT DURATION|forever|default]', min: 0, max: 2 },
  options: {
    home: { type: 'string', value: 'DIR', summary: 'Directory for data instead of MILLRACE_HOME.' },
    json: { type: 'boolean', summary: 'Print [{ account, name, retention }].' },
  },
  examples: [
    { line: 'millrace retention', what: 'List all accounts.' },
    { line: 'millrace retention acct_01jd0… P90D', what: 'Let an account keep for 90 days.' },
    { line: 'millrace retention acct_01jd0… default', what: 'As long as the installation does again.' },
  ],
  exits: { 1: 'there is no such account, or the database cannot be reached', 2: 'wrong usage or configuration' },
  async run({ values, operands }, terminal) {
    const { showRetention } = await import('./retention.ts')
    return showRetention({ json: values.json, home: values.home, account: operands[0], retention: operands[1] }, terminal)
  },
})
