import { defineCommand } from '#command/command.ts'

export const fmtCommand = defineCommand({
  name: 'fmt',
  summary: 'Format definitions',
  description: [
    'Rewrites definitions (YAML or JSON) in one layout: two spaces of indentation, long lines unbroken. Comments, empty lines, quotes and the order of members stay, and the definition says the same. "-" formats standard input to standard output.',
  ],
  operands: { text: 'FILE...', min: 1, max: Number.POSITIVE_INFINITY },
  options: { check: { type: 'boolean', summary: 'Write nothing; list the files that are not formatted.' } },
  examples: [
    { line: 'millrace fmt flows/*.yaml', what: 'Format files in place.' },
    { line: 'millrace fmt --check flows/*.yaml', what: 'Check them, as in CI.' },
  ],
  exits: { 1: 'with --check: a file is not formatted', 2: 'wrong usage, or a file cannot be read' },
  async run({ values, operands }, terminal) {
    const { fmt } = await import('./fmt.ts')
    return fmt({ files: operands, check: values.check }, terminal)
  },
})
