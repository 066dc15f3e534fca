import { Composer, type CST, type Document, Parser, type YAMLError } from 'yaml'
import { type ParseLimits, problemsMax } from './limits.ts'
import { type Problem, StoppedReading, tooDeep } from './read-result.ts'
import { lexemesOf } from './yaml-lexemes.ts'
import { codeOf, type YamlFault, yamlSyntaxProblem } from './yaml-problems.ts'

const options = {
  version: '1.2',
  schema: 'core',
  resolveKnownTags: false,
  merge: false,
  stringKeys: true,
  uniqueKeys: false,
} as const

interface Composition {
  readonly text: string
  readonly composer: Composer
  readonly problems: Problem[]
  document: Document | undefined
  /** Documents whose tokens are complete. */
  documents: number
  hasSyntaxError: boolean
}

export type Composed = { readonly document: Document } | { readonly problems: readonly Problem[] }

/** What can be read of a text that may have mistakes: `document` has the nodes before and between them. */
export interface TolerantComposed {
  readonly document: Document | undefined
  readonly problems: readonly Problem[]
}

/**
 * Makes the nodes of a YAML text, in time linear in its length.
 *
 * The library continues after each error and makes an error with a stack trace for each; this function keeps only the errors that are reported.
 */
export function composeYaml(text: string, limits: ParseLimits): Composed {
  const { document, problems } = composeTolerantly(text, limits)
  return problems.length > 0 || document === undefined ? { problems } : { document }
}

/** The nodes of a YAML text as far as it can be read, with its problems. */
export function composeTolerantly(text: string, limits: ParseLimits): TolerantComposed {
  const composition: Composition = {
    text,
    composer: new Composer(options),
    problems: [],
    document: undefined,
    documents: 0,
    hasSyntaxError: false,
  }
  // `onError` is a property of each composer, and the one thing that all of its parts report to.
  Object.assign(composition.composer, { onError: reporter(composition) })
  try {
    read(composition, limits)
  } catch (error) {
    if (!(error instanceof StoppedReading)) throw error
    composition.problems.push(error.problem)
  }
  return { document: composition.document, problems: composition.problems }
}

function read(composition: Composition, limits: ParseLimits): void {
  const { text, composer } = composition
  const parser = new Parser()
  for (const lexeme of lexemesOf(text, limits)) {
    for (const token of parser.next(lexeme)) take(composition, token)
    // One of the entries is the document, and one may be a scalar.
    if (parser.stack.length > limits.depthMax + 3) {
      throw new StoppedReading(tooDeep(limits, '', parser.offset - lexeme.length, parser.offset))
    }
    if (composition.documents > 0 && parser.stack[0]?.type === 'document') severalDocuments(composition, parser.stack[0].offset)
  }
  for (const token of parser.end()) take(composition, token)
  for (const document of composer.end(true, text.length)) composition.document ??= document
}

function take(composition: Composition, token: CST.Token): void {
  if (token.type === 'error') {
    const shown = token.source === '' ? '' : `: ${JSON.stringify(token.source.slice(0, 20))}`
    return report(composition, {
      pos: [token.offset, token.offset + token.source.length],
      code: 'UNEXPECTED_TOKEN',
      message: `${token.message}${shown}`,
    })
  }
  if (token.type === 'document') composition.documents++
  if (token.type === 'doc-end' && composition.documents === 0) {
    const message = 'The line "..." ends a document, but no document precedes it.'
    return report(composition, { pos: [token.offset, token.offset + token.source.length], code: 'UNEXPECTED_TOKEN', message })
  }
  for (const document of composition.composer.next(token)) composition.document ??= document
}

function severalDocuments({ text }: Composition, offset: number): never {
  throw new StoppedReading(yamlSyntaxProblem(text, { pos: [offset, offset + 3], code: 'MULTIPLE_DOCS', message: '' }))
}

/** The place of an error in the library: an offset, a range, or a token. */
type ErrorSource = number | readonly number[] | { readonly offset: number; readonly source?: string }

function reporter(composition: Composition) {
  return (source: ErrorSource, code: YAMLError['code'], message: string): void =>
    report(composition, { pos: rangeOf(source), code, message })
}

function rangeOf(source: ErrorSource): readonly [number, number] {
  if (typeof source === 'number') return [source, source + 1]
  if ('offset' in source) return [source.offset, source.offset + (source.source?.length ?? 1)]
  return [source[0] ?? 0, source[1] ?? 0]
}

/** Errors after the first syntax error are usually consequences of it. */
function report(composition: Composition, fault: YamlFault): void {
  if (composition.problems.length >= problemsMax) return
  const isSyntaxError = codeOf(fault) === 'syntax_error'
  if (isSyntaxError && composition.hasSyntaxError) return
  composition.hasSyntaxError ||= isSyntaxError
  composition.problems.push(yamlSyntaxProblem(composition.text, fault))
}
