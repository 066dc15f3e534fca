import { defineCommand } from '#command/command.ts'

export const validateCommand = defineCommand({
  name: 'validate',
  summary: 'Check definitions and say everything that is wrong with them',
  description: [
    'Checks definitions (YAML or JSON) and reports every problem at once, with its place, a piece of the source and what to write instead. Expressions are checked too. Nothing is run.',
  ],
  operands: { text: 'FILE...', min: 1, max: Number.POSITIVE_INFINITY },
  options: {
    json: { type: 'boolean', summary: 'Print one JSON document: { valid, files: [{ file, valid, diagnostics }] }.' },
    quiet: { type: 'boolean', short: 'q', summary: 'Print nothing for files without problems.' },
  },
  examples: [
    { line: 'millrace validate order.yaml', what: 'Check one definition.' },
    { line: 'millrace validate --json flows/*.yaml > report.json', what: 'Check many, for a program to read.' },
    { line: 'generate-flow | millrace validate -', what: 'Check what another program writes.' },
  ],
  exits: { 1: 'a definition has errors', 2: 'wrong usage, or a file cannot be read' },
  async run({ values, operands }, terminal) {
    const { validate } = await import('./validate.ts')
    return validate({ files: operands, json: values.json, quiet: values.quiet }, terminal)
  },
})
