import { defineCommand } from '#command/command.ts'

export const runCommand = defineCommand({
  name: 'run',
  summary: 'Run a definition in this process, without server or database',
  description: [
    'Runs a definition (YAML or JSON) to its end in this process, to try it out; nothing is stored. It shows the tasks on standard error while they run and prints only the output on standard output, so that it can be piped.',
    'Workflows that it runs (run: workflow) are taken from the files given by --with, or searched for in the folder of the definition. Resources by URL (functions, schemas and scripts) are fetched before it starts.',
    'Events come from --event, from --events - and from its own emit tasks. An approval asks on the terminal, unless --answer has the answer; without a terminal, "--answer -" reads answers from standard input. One answer decides. "run" sends no mail. When the run waits for something that can no longer happen, it ends and reports its waits.',
  ],
  operands: { text: 'FILE', min: 1, max: 1 },
  options: {
    input: {
      type: 'string',
      short: 'i',
      multiple: true,
      value: 'VALUE',
      summary: 'Input: JSON, @file (YAML or JSON), - for standard input, or key=value; several are merged.',
    },
    with: { type: 'string', short: 'w', multiple: true, value: 'FILE', summary: 'Another definition that this one runs.' },
    secret: { type: 'string', short: 's', multiple: true, value: 'NAME=VALUE', summary: 'A secret of the definition.' },
    'secrets-file': { type: 'string', value: 'FILE', summary: 'Secrets as an object of names and values (YAML or JSON).' },
    variable: { type: 'string', multiple: true, value: 'NAME=VALUE', summary: 'A variable of the account, as JSON or text.' },
    event: {
      type: 'string',
      short: 'e',
      multiple: true,
      value: 'EVENT',
      summary:
        'An event: a CloudEvent as JSON or in a file (YAML or JSON), or an array of them. Missing id, source and time are filled in.',
    },
    events: { type: 'string', value: '-', summary: 'With "-": read events from standard input, one a line (JSON).' },
    answer: {
      type: 'string',
      short: 'a',
      multiple: true,
      value: 'TASK=ANSWER',
      summary:
        'The answer to an approval: approve, reject, expire, or {"decision":"reject","reason":"…"}. With "-": read answers from standard input, one a line, in the order of the approvals.',
    },
    'deny-private-network': { type: 'boolean', summary: 'Refuse calls to private addresses, which is the default of a server.' },
    verbose: { type: 'boolean', short: 'v', summary: 'Show the input and output of every task.' },
    quiet: { type: 'boolean', short: 'q', summary: 'Show only the output, and the error if the run faults.' },
    json: { type: 'boolean', summary: 'Show tasks and error as one line of JSON each; print the output on one line.' },
    raw: { type: 'boolean', short: 'r', summary: 'Print a string output without quotes.' },
  },
  examples: [
    { line: 'millrace run order.yaml --input \'{"id":7}\'', what: 'Run it with an input.' },
    { line: 'millrace run order.yaml -i id=7 -i express=true | jq .total', what: 'The same, and read one property of the output.' },
    { line: 'millrace run order.yaml -i @order.json -s token=abc', what: 'Input from a file, and a secret.' },
    { line: 'millrace run payment.yaml -e \'{"type":"com.example.paid","data":{"order":7}}\'', what: 'With an event that it listens for.' },
    { line: 'tail -f events.jsonl | millrace run payment.yaml --events -', what: 'With events from another program.' },
    { line: 'millrace run expense.yaml -a ask=approve', what: 'With the answer to its task "ask".' },
    { line: 'echo approve | millrace run expense.yaml -a -', what: 'With the answer on standard input.' },
    { line: 'millrace run parent.yaml --with child.yaml', what: 'With a workflow that it runs.' },
  ],
  exits: {
    1: 'the workflow faulted, waits for something that can no longer happen, or its definition has errors',
    130: 'stopped by Ctrl-C',
  },
  async run({ values, operands }, terminal) {
    const [file = ''] = operands
    const { prepareAndRun } = await import('./prepare.ts')
    return prepareAndRun(
      {
        file,
        inputs: values.input,
        others: values.with,
        secrets: { secrets: values.secret, secretsFile: values['secrets-file'] },
        variables: values.variable,
        events: values.event,
        eventLines: values.events,
        answers: values.answer,
        denyPrivateNetwork: values['deny-private-network'],
        show: values.json ? 'json' : values.quiet ? 'nothing' : values.verbose ? 'values' : 'tasks',
        raw: values.raw,
      },
      terminal,
    )
  },
})
