import { defineCommand } from '#command/command.ts'

export const fixCommand = defineCommand({
  name: 'fix',
  summary: 'Correct mistakes of definitions',
  description: [
    'Prints the corrections of mistakes that can only mean one thing: misspelled words, operators of other languages, texts that are meant as expressions, secrets that are not listed. Each correction was tried: it removes its mistake and causes no other.',
    'Comments and formatting stay. "-" corrects standard input to standard output.',
  ],
  operands: { text: 'FILE...', min: 1, max: Number.POSITIVE_INFINITY },
  options: {
    write: { type: 'boolean', summary: 'Write the corrected files.' },
    all: { type: 'boolean', summary: 'Also corrections that remove something or add a value to begin with.' },
  },
  examples: [
    { line: 'millrace fix flow.yaml', what: 'Show what would change.' },
    { line: 'millrace fix --write flows/*.yaml', what: 'Correct files in place.' },
  ],
  exits: { 1: 'mistakes are left', 2: 'wrong usage, or a file cannot be read' },
  async run({ values, operands }, terminal) {
    const { fix } = await import('./fix.ts')
    return fix({ files: operands, write: values.write, all: values.all }, terminal)
  },
})
