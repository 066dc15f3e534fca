import { defineCommand } from '#command/command.ts'

export const runCommand = defineCommand({
  name: 'run',
  summary: 'Run a definition here and now, without server or database',
  description: [
    'Runs a definition (YAML or JSON) from its beginning to its end in this process and writes nothing down: for trying it out. Its tasks are shown as they go; the output is printed at the end, alone on standard output, so that it pipes.',
    'Workflows that it runs itself (run: workflow) are taken from the files given by --with, or looked for in the folder of the definition.',
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
    { line: 'millrace run parent.yaml --with child.yaml', what: 'With a workflow that it runs.' },
  ],
  exits: { 1: 'the workflow faulted, or its definition has errors', 130: 'stopped by Ctrl-C' },
  async run({ values, operands }, terminal) {
    const [file = ''] = operands
    const { run } = await import('./run.ts')
    return run(
      {
        file,
        inputs: values.input,
        others: values.with,
        secrets: { secrets: values.secret, secretsFile: values['secrets-file'] },
        denyPrivateNetwork: values['deny-private-network'],
        show: values.json ? 'json' : values.quiet ? 'nothing' : values.verbose ? 'values' : 'tasks',
        raw: values.raw,
      },
      terminal,
    )
  },
})
