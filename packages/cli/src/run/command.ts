import { defineCommand } from '#command/command.ts'

export const runCommand = defineCommand({
  name: 'run',
  summary: 'Run a definition here and now, without server or database',
  description: [
    'Runs a definition (YAML or JSON) from its beginning to its end in this process and writes nothing down: for trying it out. Its tasks are shown as they go; the output is printed at the end, alone on standard output, so that it pipes.',
    'Workflows that it runs itself (run: workflow) are taken from the files given by --with, or looked for in the folder of the definition. What it takes from elsewhere (functions, schemas and scripts by URL) is fetched before it begins.',
    'Events come from --event and --events -, and from what it emits itself. An approval is asked for on the terminal, unless --answer has the answer; where there is no terminal, "--answer -" takes answers from standard input. One answer decides, and nobody is mailed: "run" sends no mail at all. When the run waits for something that cannot come any more, it ends and says for what.',
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
    with: { type: 'string', short: 'w', multiple: true, value: 'FILE', summary: 'Another definition, which this one runs.' },
    secret: { type: 'string', short: 's', multiple: true, value: 'NAME=VALUE', summary: 'A secret of the definition.' },
    'secrets-file': { type: 'string', value: 'FILE', summary: 'Secrets as an object of names and values (YAML or JSON).' },
    event: {
      type: 'string',
      short: 'e',
      multiple: true,
      value: 'EVENT',
      summary:
        'An event for it: a CloudEvent as JSON or in a file (YAML or JSON), or an array of them. Missing id, source and time are filled in.',
    },
    events: { type: 'string', value: '-', summary: 'With "-": reads events from standard input as they come, one a line (JSON).' },
    answer: {
      type: 'string',
      short: 'a',
      multiple: true,
      value: 'TASK=ANSWER',
      summary:
        'The answer to a task that asks: approve, reject, expire, or {"decision":"reject","reason":"…"}. With "-": answers from standard input, one a line, in the order in which is asked.',
    },
    'deny-private-network': { type: 'boolean', summary: 'Refuse calls to private addresses, as a server does unless told otherwise.' },
    verbose: { type: 'boolean', short: 'v', summary: 'Show the input and output of every task.' },
    quiet: { type: 'boolean', short: 'q', summary: 'Show nothing but the output, and the error if there is one.' },
    json: { type: 'boolean', summary: 'Show tasks and error as one line of JSON each; print the output on one line.' },
    raw: { type: 'boolean', short: 'r', summary: 'Print an output that is a text as it is, without quotes.' },
  },
  examples: [
    { line: 'millrace run order.yaml --input \'{"id":7}\'', what: 'Run it with an input.' },
    { line: 'millrace run order.yaml -i id=7 -i express=true | jq .total', what: 'The same, and look into the output.' },
    { line: 'millrace run order.yaml -i @order.json -s token=abc', what: 'Input from a file, and a secret.' },
    { line: 'millrace run payment.yaml -e \'{"type":"com.example.paid","data":{"order":7}}\'', what: 'With an event that it listens for.' },
    { line: 'tail -f events.jsonl | millrace run payment.yaml --events -', what: 'With events as they come.' },
    { line: 'millrace run expense.yaml -a ask=approve', what: 'With the answer to its task "ask".' },
    { line: 'echo approve | millrace run expense.yaml -a -', what: 'With the answer on standard input.' },
    { line: 'millrace run parent.yaml --with child.yaml', what: 'With a workflow that it runs.' },
  ],
  exits: { 1: 'the workflow faulted, waits for what cannot come any more, or its definition has errors', 130: 'stopped by Ctrl-C' },
  async run({ values, operands }, terminal) {
    const [file = ''] = operands
    const { prepareAndRun: run } = await import('./prepare.ts')
    return run(
      {
        file,
        inputs: values.input,
        others: values.with,
        secrets: { secrets: values.secret, secretsFile: values['secrets-file'] },
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
