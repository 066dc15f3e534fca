import type { YAMLError } from 'yaml'
import type { Problem } from './read-result.ts'

/** An error of the YAML library, with its place. */
export interface YamlFault {
  readonly pos: readonly [start: number, end: number]
  readonly code: YAMLError['code']
  readonly message: string
}

export function codeOf(fault: YamlFault): Problem['code'] {
  return explanationOf(fault)?.code ?? 'syntax_error'
}

/** An error of the YAML library as a problem with our wording and a hint. */
export function yamlSyntaxProblem(text: string, fault: YamlFault): Problem {
  const [start, end] = fault.pos
  const known = explanationOf(fault)
  const from = Math.min(start, text.length)
  return {
    code: known?.code ?? 'syntax_error',
    pointer: '',
    start: from,
    end: Math.max(from, Math.min(end, text.length)),
    message: known?.message ?? sentence(fault.message),
    hint: unquotedExpression(text, from) ?? known?.hint ?? 'Check the indentation, and put text with special characters in quotes.',
  }
}

function explanationOf({ code, message }: YamlFault): Explanation | undefined {
  // The library calls an entry that is indented too little a missing character.
  return explanations[message.startsWith('Sequence item without') ? 'BAD_INDENT' : code]
}

/** Characters of a line that are examined on each side of a problem; a text may have very many. */
const contextLength = 500

/** `key: ${ { a: 1 } }` is the most common of all mistakes: YAML sees the second colon. */
function unquotedExpression(text: string, offset: number): string | undefined {
  const before = text.slice(Math.max(0, offset - contextLength), offset)
  const behind = text.slice(offset, offset + contextLength)
  const line = `${before.slice(before.lastIndexOf('\n') + 1)}${behind.split('\n', 1)[0] ?? ''}`
  return /:\s+\$\{/.test(line) ? "Put the whole expression in single quotes: '${ … }'." : undefined
}

interface Explanation {
  readonly code?: Problem['code']
  readonly message?: string
  readonly hint: string
}

export const keyThatIsNoText = { code: 'unsupported_yaml', message: 'A key has to be text.', hint: 'Put the key in quotes.' } as const

const explanations: Partial<Record<YAMLError['code'], Explanation>> = {
  TAB_AS_INDENT: { message: 'A tab is used as indentation.', hint: 'Indent with spaces.' },
  BAD_INDENT: { hint: 'Indent every entry of one object or list by the same number of spaces.' },
  BLOCK_AS_IMPLICIT_KEY: {
    message: 'A second "key:" stands in the same line, or text contains ": ".',
    hint: 'Put text that contains ": " in quotes, or begin a new line for the nested key.',
  },
  MULTIPLE_DOCS: {
    code: 'unsupported_yaml',
    message: 'The text has more than one document.',
    hint: 'Remove the --- line and what follows.',
  },
  TAG_RESOLVE_FAILED: {
    code: 'unsupported_yaml',
    message: 'Tags (!name) are not allowed.',
    hint: 'Remove the tag and write the plain value.',
  },
  NON_STRING_KEY: keyThatIsNoText,
  RESOURCE_EXHAUSTION: { code: 'document_too_deep', message: 'Values are nested too deeply.', hint: 'Flatten the document.' },
  MULTILINE_IMPLICIT_KEY: { hint: 'Is a colon or a closing quote missing in the line before?' },
  MISSING_CHAR: { hint: 'Close every quote and every bracket; put text that begins with one of [ ] { } & * ! | > % @ ` in quotes.' },
}

/** Bounds a message of the library, which may repeat any part of the text. */
const messageLengthMax = 200

function sentence(message: string): string {
  const oneLine = (message.split('\n', 1)[0] ?? message).replace(/^Missing closing (["'])quote$/, 'The closing quote $1 is missing')
  const shown = oneLine.length > messageLengthMax ? `${oneLine.slice(0, messageLengthMax)}…` : oneLine
  return /[.!?]$/.test(shown) ? shown : `${shown}.`
}
