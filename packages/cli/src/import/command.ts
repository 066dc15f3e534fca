import { defineCommand } from '#command/command.ts'

export const importCommand = defineCommand({
  name: 'import',
  summary: 'Convert a workflow of another product to a definition',
  description: [
    'Converts an export of n8n or Activepieces, a blueprint of Make, a state machine of Step Functions or a workflow of GitHub Actions, and writes the definition (YAML) to standard output, and the report to standard error: every part that was adapted or could not be converted, with its place and the reason. Nothing is run and nothing is sent.',
  ],
  operands: { text: 'FILE', min: 1, max: 1 },
  options: {
    json: { type: 'boolean', summary: 'Print one JSON document: { definition, report, diagnostics }.' },
  },
  examples: [
    { line: 'millrace import n8n.json > orders.yaml', what: 'Convert an export, and read what needs attention.' },
    { line: 'millrace import --json n8n.json', what: 'Convert for a program.' },
  ],
  exits: { 1: 'a part could not be converted, or the result has errors', 2: 'wrong usage, or the file is no export' },
  async run({ values, operands }, terminal) {
    const { runImport } = await import('./import.ts')
    return runImport({ file: operands[0] ?? '-', json: values.json }, terminal)
  },
})
